"""The list of kernels that the studio needs: which, for which types, how long each takes, and what it calls.

`scripts/kernel_list.py` writes it down from a run that compiles everything. A list that is out of date does no harm:
what is missing on it is compiled when it is called, and what is gone is passed over. Needs no compiler itself, so that
processes that compile can be started before anything heavy is imported.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "kernels.json"

HANDS = "hands"
"""Name of the set that grabbing and pinning need beyond a scene."""

TOOLS = "tools"
"""Name of the set that strokes, undo and other integrators need beyond a scene."""


@dataclass(frozen=True)
class Entry:
    """One kernel for one set of argument types."""

    kernel: str
    """Such as `supple.forces.springs:add_spring_forces`."""

    arguments: tuple[Any, ...]
    """Types of its arguments, see `kernel_types`."""

    seconds: float
    """Processor time of its own compilation, about [s]."""

    needs: tuple[int, ...]
    """Entries of the kernels it calls, which are compiled before it."""


@dataclass(frozen=True)
class KernelList:
    """All entries, and which of them each scene of the gallery and the tools need."""

    entries: tuple[Entry, ...]
    sets: dict[str, tuple[int, ...]]

    def needed(self, names: Iterable[str]) -> set[int]:
        """Return the entries of some sets and all that they call; a set nobody knows is empty."""
        found: set[int] = set()
        waiting = [n for name in names for n in self.sets.get(name, ())]
        while waiting:
            n = waiting.pop()
            if n not in found:
                found.add(n)
                waiting.extend(self.entries[n].needs)
        return found

    def urgency(self, chosen: set[int]) -> dict[int, float]:
        """Return for each of these entries how long it and what waits for it take at least [s]."""
        callers: dict[int, list[int]] = {n: [] for n in chosen}
        for n in chosen:
            for callee in self.entries[n].needs:
                if callee in chosen:
                    callers[callee].append(n)
        found: dict[int, float] = {}
        # Entries come after those they call, so that from the end all callers are known.
        for n in sorted(chosen, reverse=True):
            found[n] = self.entries[n].seconds + max((found[caller] for caller in callers[n]), default=0.0)
        return found


def written(kernels: KernelList) -> str:
    """Return a list as text: types that occur often stand there once."""
    kinds: dict[str, int] = {}

    def number(kind: Any) -> int:
        return kinds.setdefault(json.dumps(kind), len(kinds))

    rows = [
        [each.kernel, [number(kind) for kind in each.arguments], each.seconds, list(each.needs)]
        for each in kernels.entries
    ]
    lines = [
        '"types": ' + _block([json.loads(kind) for kind in kinds]),
        '"entries": ' + _block(rows),
        '"sets": ' + _sets({name: list(numbers) for name, numbers in kernels.sets.items()}),
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _block(rows: list[Any]) -> str:
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"


def _sets(sets: dict[str, list[int]]) -> str:
    lines = [f'"{name}": {json.dumps(numbers, separators=(",", ":"))}' for name, numbers in sets.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


@functools.cache
def kernel_list(path: Path = FILE) -> KernelList:
    """Return the list of this version; an empty one if there is no file."""
    if not path.is_file():
        return KernelList((), {})
    parts = json.loads(path.read_text(encoding="utf-8"))
    kinds = parts["types"]
    entries = tuple(
        Entry(kernel, tuple(kinds[n] for n in arguments), seconds, tuple(needs))
        for kernel, arguments, seconds, needs in parts["entries"]
    )
    return KernelList(entries, {name: tuple(numbers) for name, numbers in parts["sets"].items()})
