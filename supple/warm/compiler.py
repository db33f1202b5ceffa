"""The process that compiles: it reads entries of the list from its input, one in a line, and answers each with a line.

Started by `Warming` as `python -m supple.warm.compiler`. The machine code goes to the kernel cache on disk, where
whoever calls the kernel finds it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from typing import Any

from supple.kernel import EntryKernel, is_kernel
from supple.kernel_cache import CheckedCache
from supple.warm.kernel_types import UnknownTypeError, decoded


def main() -> None:
    """Compile what comes, until the input ends."""
    if "--gently" in sys.argv[1:] and hasattr(os, "nice"):
        os.nice(10)
    warnings.simplefilter("ignore")  # whoever started this hears it from a process of its own
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        entry = json.loads(line)
        answers.write(f"{entry['number']} {compiled(entry['kernel'], entry['arguments'])}\n")
        answers.flush()


def compiled(name: str, arguments: list[Any]) -> str:
    """Compile a kernel, or find it on disk; return "kept", "new", or "gone" if there is no such kernel any more."""
    module, _, function = name.partition(":")
    try:
        found: Any = getattr(importlib.import_module(module), function)
        types = tuple(decoded(each) for each in arguments)
    except (ImportError, AttributeError, UnknownTypeError, ValueError, IndexError):
        return "gone"
    if not is_kernel(found):
        return "gone"
    dispatcher = found.dispatcher if isinstance(found, EntryKernel) else found
    if is_kept(dispatcher, types):
        return "kept"
    try:
        dispatcher.compile(types)
    except Exception:  # it takes other arguments than when the list was written
        return "gone"
    return "new"


def is_kept(dispatcher: Any, types: tuple[Any, ...]) -> bool:
    """Return whether the machine code of a kernel for these types is on disk; it is not loaded."""
    cache = dispatcher._cache
    if not isinstance(cache, CheckedCache):  # there is no disk to keep it on
        return False
    return cache._index_key(types, dispatcher.targetctx.codegen()) in cache._cache_file._load_index()


if __name__ == "__main__":
    main()
