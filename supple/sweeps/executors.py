"""Where runs are computed: own processes, a Dask cluster, or any `concurrent.futures.Executor`."""

from __future__ import annotations

import concurrent.futures
import functools
import importlib.util
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from supple.errors import SuppleError
from supple.sweeps.recipe import Recipe
from supple.sweeps.run_folder import RunFolder

Task = tuple[str, dict[str, Any]]
"""Name and parameters of a run."""

Told = Callable[[str, bool], None]
"""Called with the name of a run that has ended, and whether it ended well."""

LARGEST_CHUNK = 16
"""Most runs that are handed over at once."""

PIECES = 32
"""Parts that each worker gets at least, if there are enough runs: the last one is waited for by all others."""

GUARD = (
    'If `supple.sweep` is called by a script, put the call under\n  if __name__ == "__main__":\n'
    'or `pip install cloudpickle`, or run here with `cluster="serial"`.'
)

DIED = "the process that computed this run died twice: killed, out of memory, or a crash."


@functools.lru_cache(maxsize=4)
def _recipe(payload: bytes) -> Recipe:
    recipe: Recipe = pickle.loads(payload)
    return recipe


def run_chunk(payload: bytes, folder: str, tasks: Sequence[Task]) -> list[tuple[str, bool]]:
    """Make some runs one after the other, where a worker is; those that have ended already are left alone."""
    runs, recipe = RunFolder(folder), _recipe(payload)
    ended = []
    for key, parameters in tasks:
        if runs.row(key) is not None:
            ended.append((key, True))
        elif runs.failure(key) is not None:
            ended.append((key, False))
        else:
            ended.append((key, recipe.run(runs, key, parameters)))
    return ended


def pickled(recipe: Recipe) -> bytes:
    """Return a recipe as bytes that every worker can read."""
    if importlib.util.find_spec("cloudpickle") is not None:
        import cloudpickle

        data: bytes = cloudpickle.dumps(recipe)
        return data
    try:
        return pickle.dumps(recipe)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise SuppleError(
            f"the sweep cannot be sent to other processes: {error}. Define `make_scene` and the measures at the top of a "
            'module, or `pip install cloudpickle`, or run here with `cluster="serial"`.'
        ) from None


def compute(recipe: Recipe, folder: RunFolder, tasks: list[Task], cluster: Any, told: Told) -> None:
    """Make all runs where `cluster` says; see `supple.sweep`."""
    if not tasks:
        return
    if cluster == "serial" or (cluster == 1 and not isinstance(cluster, bool)):
        for key, parameters in tasks:
            told(key, recipe.run(folder, key, parameters))
        return
    payload, place = pickled(recipe), str(folder.path.resolve())
    if isinstance(cluster, int) and (isinstance(cluster, bool) or cluster < 1):
        raise SuppleError(f"`cluster` is {cluster!r}, but a number of processes is 1 or more.")
    if cluster is None or isinstance(cluster, int):
        _in_processes(payload, folder, place, tasks, cluster or os.cpu_count() or 1, told)
        return
    with _executor(cluster) as executor:
        left = _submit(executor, payload, place, _chunks(tasks, LARGEST_CHUNK, 64), told)
        left = _submit(executor, payload, place, [[task] for task in left], told) if left else []
        for key, parameters in left:
            recipe.note_failure(folder, key, parameters, DIED)
            told(key, False)


def _in_processes(
    payload: bytes, folder: RunFolder, place: str, tasks: list[Task], workers: int, told: Told
) -> None:
    """Use processes of our own; where one dies the runs it had are made again, at last each alone."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SuppleError(f"a sweep was started while a worker read your script. {GUARD}")
    with _pool(min(workers, len(tasks))) as pool:
        try:
            for started in [pool.submit(os.getpid) for _ in range(workers)]:  # all at once
                started.result()
        except BrokenExecutor:
            raise SuppleError(f"processes for the sweep do not start. {GUARD}") from None
        # The first run alone: it compiles the kernels, which the others then load.
        left = _submit(pool, payload, place, [tasks[:1]], told)
        left += _submit(pool, payload, place, _chunks(tasks[1:], LARGEST_CHUNK, PIECES * workers), told)
    if left:
        with _pool(min(workers, len(left))) as pool:
            left = _submit(pool, payload, place, [[task] for task in left], told)
    for task in left:
        for attempt in range(2):
            with _pool(1) as pool:
                if not _submit(pool, payload, place, [[task]], told):
                    break
            if attempt:
                _recipe(payload).note_failure(folder, *task, DIED)
                told(task[0], False)


def _chunks(tasks: Sequence[Task], largest: int, pieces: int) -> list[list[Task]]:
    """Return the tasks in chunks, in order, at least so many pieces if there are enough tasks."""
    size = max(1, min(largest, len(tasks) // max(pieces, 1)))
    return [list(tasks[n : n + size]) for n in range(0, len(tasks), size)]


def _submit(
    executor: Executor, payload: bytes, place: str, chunks: list[list[Task]], told: Told
) -> list[Task]:
    """Hand chunks over and wait for all; return the tasks of those whose process died."""
    futures = {}
    left: list[Task] = []
    for chunk in chunks:
        try:
            futures[executor.submit(run_chunk, payload, place, chunk)] = chunk
        except BrokenExecutor:
            left += chunk
    try:
        for future in concurrent.futures.as_completed(futures):
            error = future.exception()
            if error is None:
                for key, is_well in future.result():
                    told(key, is_well)
            elif isinstance(error, BrokenExecutor) or type(error).__name__ in (
                "KilledWorker",
                "CancelledError",
            ):
                left += futures[future]
            else:
                raise SuppleError(
                    f"the workers cannot make the runs: {type(error).__name__}: {error}"
                ) from error
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    order = {task[0]: n for n, chunk in enumerate(chunks) for task in chunk}
    return sorted(left, key=lambda task: order[task[0]])


class _Worker(SpawnProcess):
    """A process that does not read the caller's script again, where functions are sent by value."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        if importlib.util.find_spec("cloudpickle") is None:
            return SpawnProcess._Popen(process_obj)
        script = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = script


class _Workers(SpawnContext):
    """Makes such processes."""

    Process = _Worker


@contextmanager
def _pool(workers: int) -> Iterator[Executor]:
    """Give fresh processes, one thread each, that end with this one."""
    pool = ProcessPoolExecutor(workers, mp_context=_Workers(), initializer=_begin_worker)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that sweeps, and end when it does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def _executor(cluster: Any) -> Iterator[Executor]:
    """Give the executor behind an address, a Dask client or cluster, or any executor."""
    if isinstance(cluster, Executor):
        yield cluster
        return
    is_dask = isinstance(cluster, str) or type(cluster).__module__.partition(".")[0] in (
        "distributed", "dask_jobqueue", "dask_kubernetes", "dask_cloudprovider", "dask",
    )  # fmt: skip
    if not is_dask:
        raise SuppleError(
            f'`cluster` is {cluster!r}, but it must be a number of processes, "serial", the address of a Dask scheduler, '
            "a Dask client or cluster, or a concurrent.futures.Executor."
        )
    if importlib.util.find_spec("distributed") is None:
        raise SuppleError(
            'a cluster needs Dask, which is not installed. Install it with\n  pip install "supple[sweep]"'
        )
    from distributed import Client

    if isinstance(cluster, Client):
        yield cluster.get_executor(pure=False)
        return
    try:
        client = Client(cluster)
    except (OSError, ValueError, TimeoutError) as error:
        raise SuppleError(f"there is no Dask scheduler at {cluster!r}: {error}.") from None
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close()
