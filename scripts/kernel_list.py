"""Write down which kernels the studio needs: `supple/warm/kernels.json`.

    python scripts/kernel_list.py              all of it, some minutes: everything is compiled anew
    python scripts/kernel_list.py silk tools   only these sets; the others stay as they are

Every scene of the gallery runs for a few frames in a process of its own; the tools and the other integrators are tried
on the scene that `supple play` opens. Run it after kernels were added or their arguments changed: until then the
studio still works, but compiles what the list does not know when it is called.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from supple.warm.kernel_list import FILE, HANDS, TOOLS, Entry, KernelList, kernel_list, written  # noqa: E402

FRAMES = 4
"""Frames of each scene."""

FIRST_FRAMES = 80
"""Frames of the scene that is opened first: until it has landed."""


# ---------------------------------------------------------------- one process


class Watch:
    """Notes which kernels are asked for, by whom, and how long each takes to compile."""

    def __init__(self) -> None:
        """Take over the compilation of kernels."""
        from numba.core.dispatcher import Dispatcher

        self.found: dict[str, dict[str, Any]] = {}
        self._stack: list[tuple[str | None, list[float]]] = []
        self._compile = Dispatcher.compile
        watch = self

        def compile(dispatcher: Any, sig: Any) -> Any:
            return watch.asked(dispatcher, sig)

        Dispatcher.compile = compile

    def asked(self, dispatcher: Any, sig: Any) -> Any:
        """Compile a kernel for these types as Numba would, and take note of it."""
        key = self._key(dispatcher, sig)
        if key is not None and self._stack and self._stack[-1][0] is not None:
            needs = self.found[self._stack[-1][0]]["needs"]
            if key not in needs:
                needs.append(key)
        if key is not None:
            self.found.setdefault(key, {"seconds": 0.0, "needs": []})
        inner = [0.0]
        self._stack.append((key, inner))
        start = time.process_time()
        try:
            return self._compile(dispatcher, sig)
        finally:
            spent = time.process_time() - start
            self._stack.pop()
            if self._stack:
                self._stack[-1][1][0] += spent
            if key is not None:
                self.found[key]["seconds"] = max(self.found[key]["seconds"], spent - inner[0])

    def _key(self, dispatcher: Any, sig: Any) -> str | None:
        """Return name and types as text; None for what is no kernel of ours, or cannot be called by a list."""
        from numba.core import sigutils

        from supple.kernel import EntryKernel
        from supple.warm.kernel_types import UnknownTypeError, encoded

        module, name = dispatcher.py_func.__module__, dispatcher.py_func.__name__
        if not module.startswith("supple."):
            return None
        found = getattr(importlib.import_module(module), name, None)
        if (found.dispatcher if isinstance(found, EntryKernel) else found) is not dispatcher:
            return None
        types, _ = sigutils.normalize_signature(sig)
        try:
            return json.dumps([f"{module}:{name}", [encoded(kind) for kind in types]])
        except UnknownTypeError:
            return None


def record(name: str, out: Path) -> None:
    """Run a scene, or the tools, and write down what was asked for."""
    watch = Watch()
    if name in (HANDS, TOOLS):
        use_tools(are_strokes_made=name == TOOLS)
    else:
        from supple.scene.files.toml_reader import find_scene
        from supple.simulation import Simulation
        from supple.studio.commands import DEFAULT_SCENE

        simulation = Simulation(find_scene(name))
        for _ in range(FIRST_FRAMES if name == DEFAULT_SCENE else FRAMES):
            simulation.step()
    out.write_text(json.dumps(watch.found))


class Nobody:
    """A page that looks at everything and says nothing."""

    wants_strain, client_count = True, 1

    def frame(self, message: bytes) -> None:
        """Take a frame."""

    def geometry(self, message: bytes) -> None:
        """Take shapes."""

    def tell(self, message: Any, client: int | None = None) -> None:
        """Take a message; problems are shown to whoever runs this."""
        if message.type == "problem":
            print("refused:", message.text, file=sys.stderr)


def use_tools(are_strokes_made: bool) -> None:
    """Grab and pin in the scene that is opened first; then use every other tool and every integrator."""
    from typing import get_args

    from supple.scene.settings import Integrator
    from supple.studio.commands import DEFAULT_SCENE
    from supple.studio.connection import protocol
    from supple.studio.connection.command_queue import CommandQueue
    from supple.studio.player.player import Player

    commands = CommandQueue()
    player = Player(DEFAULT_SCENE, Nobody(), commands, record_folder=Path(tempfile.gettempdir()))
    player._begin()

    def turns(*messages: Any, count: int = 3) -> None:
        for message in messages:
            commands.put(1, message)
            player._turn()
        for _ in range(count):
            player._turn()

    turns(count=40)
    simulation = player.simulation
    assert simulation is not None
    body = simulation.body_names[0]
    columns = round(len(simulation.positions(body)) ** 0.5)

    def path(first: int, last: int, row: int) -> protocol.SurfacePath:
        triangles = player.simulation.triangles(body)  # type: ignore[union-attr]
        low, high = columns * row, columns * (row + 1)
        chosen = [each.tolist() for each in triangles if low <= min(each) and max(each) < high + columns]
        places = tuple(tuple(each) for each in chosen[first:last:2])
        return protocol.SurfacePath(
            body=body,
            corners=places,
            weights=((0.3, 0.3, 0.4),) * len(places),
            from_beside=False,
            to_beside=False,
        )

    held = [columns * 3 + 3, columns * 3 + 4, columns * 4 + 3]
    place = simulation.positions(body)[held[0]]
    target = (float(place[0]), float(place[1]), float(place[2]))
    higher = (target[0], target[1] + 0.3, target[2])
    turns(
        protocol.Grab(
            hand=0, body=body, vertices=tuple(held), weights=(0.4, 0.3, 0.3), target=target, time=0.0
        )
    )
    turns(protocol.Move(hand=0, target=higher, time=0.2), count=10)
    turns(protocol.Release(hand=0, time=0.3))
    turns(protocol.TogglePin(body=body, vertices=(held[0],)), protocol.Undo(), protocol.Redo())
    if not are_strokes_made:
        return
    world = lambda: player._world  # noqa: E731
    for is_along in (False, True):
        line = path(10, 40, 12 if is_along else 20)
        turns(protocol.Cut(world=world(), paths=(line,), along_edges=is_along), count=5)
        turns(protocol.Undo(), protocol.Redo(), protocol.Undo())
    line = path(10, 30, 8)
    turns(protocol.Shrink(world=world(), paths=(line,), radius=0.05, ratio=0.7), protocol.Undo())
    turns(protocol.Sew(world=world(), first=path(10, 24, 0), second=path(10, 24, columns - 3)), count=10)
    turns(protocol.Undo())
    turns(protocol.Erase(world=world(), paths=(path(10, 20, 8),), radius=0.05), protocol.Undo())
    turns(protocol.Act(name="count_intersections"), count=10)
    for name in get_args(Integrator):
        turns(protocol.Set(name="integrator", value=name), count=3)
    turns(protocol.Reset(), count=3)
    player._questions.stop()


# ---------------------------------------------------------------- all of them


def main() -> int:
    """Record each set in a process of its own, and write the list."""
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2], Path(sys.argv[3]))
        return 0
    from supple.scene.files.toml_reader import gallery_names
    from supple.studio.commands import DEFAULT_SCENE

    every = [DEFAULT_SCENE, HANDS, TOOLS, *(name for name in gallery_names() if name != DEFAULT_SCENE)]
    wanted = sys.argv[1:] or every
    known: dict[str, dict[str, Any]] = {}
    sets: dict[str, list[str]] = {}
    if sys.argv[1:]:
        _take_over(kernel_list(), known, sets)
    with tempfile.TemporaryDirectory(prefix="supple-kernels-") as folder:
        environment = {**os.environ, "SUPPLE_CACHE_DIR": os.environ.get("SUPPLE_LIST_CACHE", folder)}
        for name in wanted:
            out = Path(folder) / "found.json"
            command = [sys.executable, __file__, "--record", name, str(out)]
            start = time.monotonic()
            if subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode != 0:
                print(f"{name}: failed, left as it was", file=sys.stderr)
                continue
            found = json.loads(out.read_text())
            for key, each in found.items():
                before = known.setdefault(key, {"seconds": 0.0, "needs": []})
                before["seconds"] = max(before["seconds"], each["seconds"])
                before["needs"] += [callee for callee in each["needs"] if callee not in before["needs"]]
            called = {callee for each in found.values() for callee in each["needs"]}
            sets[name] = [key for key in found if key not in called]
            print(f"{name}: {len(found)} kernels, {time.monotonic() - start:.0f} s", flush=True)
            FILE.write_text(written(_ordered(known, sets)), encoding="utf-8")
    return 0


def _take_over(kernels: KernelList, known: dict[str, dict[str, Any]], sets: dict[str, list[str]]) -> None:
    """Begin with the list as it is."""
    keys = [json.dumps([each.kernel, list(each.arguments)]) for each in kernels.entries]
    for key, each in zip(keys, kernels.entries, strict=True):
        known[key] = {"seconds": each.seconds, "needs": [keys[n] for n in each.needs]}
    sets.update({name: [keys[n] for n in numbers] for name, numbers in kernels.sets.items()})


def _ordered(known: dict[str, dict[str, Any]], sets: dict[str, list[str]]) -> KernelList:
    """Return the list in an order in which every kernel comes after those it calls; what no set needs is left out."""
    numbers: dict[str, int] = {}
    entries: list[Entry] = []

    def add(key: str) -> None:
        if key in numbers:
            return
        numbers[key] = -1  # a kernel that calls itself is not asked for again
        for callee in known[key]["needs"]:
            add(callee)
        kernel, arguments = json.loads(key)
        needs = tuple(sorted(numbers[callee] for callee in known[key]["needs"] if numbers[callee] >= 0))
        numbers[key] = len(entries)
        entries.append(Entry(kernel, tuple(arguments), round(known[key]["seconds"], 2), needs))

    for keys in sets.values():
        for key in keys:
            add(key)
    return KernelList(
        tuple(entries), {name: tuple(numbers[key] for key in keys) for name, keys in sets.items()}
    )


if __name__ == "__main__":
    sys.exit(main())
