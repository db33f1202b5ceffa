"""The one decorator for compiled code, its cache on disk, and helpers on 3-vectors.

Every compiled function of the package goes through `kernel`, so the compiler flags, the
cache folder and the count of what was compiled live in one place.

Numba's own cache notices an edit of the file a function stands in, but not of another file
whose functions it calls: a changed helper would leave its callers with the old answer. The
cache folder of a module is therefore named after a hash of its source and of every source
of the package it imports, directly or not.
"""

from __future__ import annotations

import functools
import hashlib
import math
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.extending import typeof_impl

from supple.cache_folder import CACHE_VARIABLE, cache_root
from supple.kernel_cache import CheckedCache

KEPT_VERSIONS = 4
"""How many versions of a module's compiled kernels stay on disk."""


CHECKS_BOUNDS = bool(numba.config.BOUNDSCHECK)
"""Whether kernels check every index, as NUMBA_BOUNDSCHECK=1 wants it; they have a cache of their own then."""

PACKAGE = Path(__file__).parent

_IMPORT = re.compile(r"^(?:from|import) (supple[\w.]*)(?: import ([\w, ]+|\([^)]*\)))?", re.MULTILINE)


@functools.cache
def _imported_sources(path: Path) -> frozenset[Path]:
    """Return the files of the package that the file at `path` imports by name."""
    found: set[Path] = set()
    for match in _IMPORT.finditer(path.read_text(encoding="utf-8")):
        parent = PACKAGE.parent.joinpath(*match[1].split("."))
        names = re.findall(r"\w+", match[2] or "")
        candidates = [parent, *(parent / name for name in names)]
        found.update(file for c in candidates if (file := c.with_suffix(".py")).is_file())
    return frozenset(found)


@functools.cache
def source_hash(path: Path) -> str:
    """Return a short hash of a source file and of all it imports from the package."""
    seen: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(_imported_sources(file))
    digest = hashlib.sha256(f"{numba.__version__} {CHECKS_BOUNDS}".encode())
    for file in sorted(seen):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_is_empty() -> bool:
    """Return whether no compiled kernel is kept: then everything that is used will be compiled."""
    return next(cache_root().rglob("*.nbc"), None) is None


@functools.cache
def cache_is_writable() -> bool:
    """Return whether compiled kernels can be kept; warn once if they cannot."""
    root = cache_root()
    if _is_writable(root):
        return True
    warnings.warn(
        f"the kernel cache {root} cannot be written, so kernels are compiled anew at every "
        f"start; set {CACHE_VARIABLE} to a writable folder",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


@functools.cache
def _cache_folder(source: Path) -> Path:
    """Return the cache folder of one source file, having dropped its oldest versions.

    It is named after the path of the module in the package, since files in two rooms may share their last name.
    """
    inside = source.relative_to(PACKAGE) if source.is_relative_to(PACKAGE) else Path(source.name)
    versions = cache_root().joinpath(inside.with_suffix(""))
    folder = versions / source_hash(source)
    folder.mkdir(parents=True, exist_ok=True)
    newest_first = sorted(versions.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in newest_first[KEPT_VERSIONS:]:
        if stale != folder:
            shutil.rmtree(stale, ignore_errors=True)
    return folder


KERNELS: list[Any] = []
"""Every kernel of the modules imported so far."""


CHECK_VARIABLE = "SUPPLE_CHECK_CALLS"
"""Environment variable that makes `EntryKernel`s look at the types of their arguments again and again; tests set it."""

CHECKS_CALLS = CHECK_VARIABLE in os.environ

CHECKED_EVERY = 40
"""Calls of which one is looked at then; looking takes many times as long as a call."""


class EntryKernel:
    """A kernel that Python calls with bundles of arrays in every substep, quickly.

    Numba looks at every array of a bundle in each call to find the machine code for its types, which takes longer than a
    small kernel runs. The arrays of a bundle never change their types, so here the classes of the arguments are enough,
    after a first call that looked at everything. Other kernels may call it like any other.
    """

    __slots__ = ("_calls", "_compiled", "dispatcher", "py_func")

    def __init__(self, dispatcher: Any) -> None:
        """Stand for a compiled function."""
        self.dispatcher, self.py_func = dispatcher, dispatcher.py_func
        self._compiled: dict[tuple[type, ...], Any] = {}
        self._calls = 0

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code for arguments of these classes."""
        compiled = self._compiled.get(tuple(map(type, arguments)))
        if compiled is None or (CHECKS_CALLS and self._is_due()):
            return self._call_checked(arguments)
        return compiled(*arguments)

    def _is_due(self) -> bool:
        """Return whether this call is to be looked at."""
        self._calls += 1
        return self._calls % CHECKED_EVERY == 0

    def _call_checked(self, arguments: tuple[Any, ...]) -> Any:
        """Let Numba choose the machine code; note it, or make sure that it is the one noted before."""
        result = self.dispatcher(*arguments)
        types = tuple(self.dispatcher.typeof_pyval(argument) for argument in arguments)
        chosen = self.dispatcher.overloads[types].entry_point
        known = self._compiled.setdefault(tuple(map(type, arguments)), chosen)
        if known is not chosen:
            before = next(key for key, code in self.dispatcher.overloads.items() if code.entry_point is known)
            raise TypeError(
                f"{self.py_func.__name__} was called with arrays of other types than before: {types}, not {before}. "
                "Give them one type, or leave `is_entry` out."
            )
        return result


@typeof_impl.register(EntryKernel)
def _typeof_entry_kernel(value: EntryKernel, context: Any) -> Any:
    """Let kernels call entry kernels as they call all others."""
    return numba.core.types.Dispatcher(value.dispatcher)


def is_kernel(value: object) -> bool:
    """Return whether something is a function that `kernel` has decorated."""
    return isinstance(value, EntryKernel | Dispatcher)


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    counts_references: bool = True,
    is_inlined: bool = False,
    is_entry: bool = False,
) -> Any:
    """Compile `function` on its first call and keep the machine code on disk.

    `nogil` lets the studio answer while a step runs. `fastmath` stays off: it may drop the
    NaN checks that stop a bad state from spreading, and it would let results differ between
    machines. Division by zero gives inf or NaN as in NumPy instead of raising.

    A kernel only borrows its arrays, but Numba counts a reference to each of them wherever it is
    passed on. In small functions full of branches that costs more than their arithmetic, and
    `@kernel(counts_references=False)` leaves it out. It is no default: some long loops got slower.
    `is_inlined` puts the code into every caller, where a call would cost as much as the work.
    `is_entry` is for kernels that Python calls with bundles in every substep, see `EntryKernel`.
    """
    if function is None:
        return functools.partial(
            kernel, counts_references=counts_references, is_inlined=is_inlined, is_entry=is_entry
        )
    is_cached = cache_is_writable()
    folder = _cache_folder(Path(function.__code__.co_filename)) if is_cached else None
    compiled = numba.njit(
        nogil=True,
        error_model="numpy",
        _nrt=counts_references,
        forceinline=is_inlined,
        no_cfunc_wrapper=True,  # nobody calls kernels from C, and a fourteenth of their compilation goes there
    )(function)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # where Numba may write, or it makes no cache at all
        compiled._cache = CheckedCache(function, folder)
    KERNELS.append(compiled)
    return EntryKernel(compiled) if is_entry else compiled


class _Listener(event.Listener):  # type: ignore[misc]
    def __init__(self, compiled: Callable[[str], None]) -> None:
        self.compiled = compiled

    def on_start(self, happening: Any) -> None:
        pass

    def on_end(self, happening: Any) -> None:
        dispatcher = happening.data["dispatcher"]
        if any(dispatcher is known for known in KERNELS):  # not what Numba itself is made of
            self.compiled(dispatcher.py_func.__name__)


@contextmanager
def compilation_watch(compiled: Callable[[str], None]) -> Iterator[None]:
    """Call `compiled(name)` after every kernel that is compiled (not loaded) meanwhile."""
    with event.install_listener("numba:compile", _Listener(compiled)):
        yield


# ---------------------------------------------------------------- 3-vectors as tuples


@kernel
def difference(points, i, j):
    """Return row i minus row j of an (n, 3) array as a tuple."""
    return (points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2])


@kernel
def dot(a, b):
    """Return the scalar product of two 3-tuples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """Return the vector product of two 3-tuples."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def norm(a):
    """Return the length of a 3-tuple."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def add_scaled(points, i, a, factor):
    """Add `factor * a` to row i of an (n, 3) array."""
    points[i, 0] += factor * a[0]
    points[i, 1] += factor * a[1]
    points[i, 2] += factor * a[2]
