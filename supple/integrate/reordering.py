"""Reordering: a better order of elimination is found beside the running frames, and taken at a fixed one.

Theory: docs/theory/solve.md, "A new order beside the frames". Every edit lets the factor fill up a little. To order the
points of a large sheet anew and to factor it takes longer than a frame may, so a thread of its own does that with a copy
of the matrix, while frames and edits go on with the order there is. The new factors are taken a fixed number of frames
later, whether they have been ready for long or are still waited for: when that is does not depend on the machine,
and so neither does the motion. What edits have changed meanwhile, the new factors follow at that moment all at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from supple.errors import StateError
from supple.model.tables.row_updates import shared_arange, union_of_rows
from supple.solve.separator_tree import Adjacency, SeparatorTree
from supple.solve.tree_factor import TreeFactor

FRAMES = 16
"""Frames from the beginning of a reordering to its end: a third of a second, five times of what 10 000 points need."""

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class System:
    """A copy of the matrices of all step sizes that are remembered."""

    points: Floats
    """(point_count, 3) rest positions, a guide for the order [m]."""

    pairs: Indices
    """(pair_count, 2) coupled points, the smaller first."""

    is_fixed: NDArray[np.bool_]
    """(point_count,) points whose row and column are left out."""

    steps: Floats
    """(step_count,) [s]"""

    diagonals: Floats
    """(step_count, point_count) diagonal of the matrix of each step [kg]."""

    values: Floats
    """(step_count, pair_count) its entries at the pairs [kg]."""

    @classmethod
    def of(cls, points: Floats, factors: Mapping[float, TreeFactor]) -> Self:
        """Copy the matrices of factors, by the step size; they have the same pairs and fixed points."""
        first = next(iter(factors.values()))
        return cls(
            points=points.copy(),
            pairs=first.pairs.copy(),
            is_fixed=first.is_fixed.copy(),
            steps=np.array(list(factors)),
            diagonals=np.stack([factor.diagonal for factor in factors.values()]),
            values=np.stack([factor.values for factor in factors.values()]),
        )

    def factored(self) -> dict[float, TreeFactor]:
        """Return a factor for each step size, all in one order that is found anew."""
        tree = SeparatorTree.build(self.points, self.pairs)
        found = {}
        for step, diagonal, values in zip(self.steps.tolist(), self.diagonals, self.values, strict=True):
            found[step] = TreeFactor(self.points, self.pairs, tree=tree)
            found[step].factor(diagonal, values, self.is_fixed)
        return found

    def is_sound(self) -> bool:
        """Tell whether this can be a matrix: a file may hold anything."""
        count, pair_count, step_count = len(self.points), len(self.pairs), len(self.steps)
        return (
            0 < count < 2**31
            and step_count > 0
            and self.points.shape == (count, 3)
            and self.pairs.shape == (pair_count, 2)
            and self.is_fixed.shape == (count,)
            and self.steps.shape == (step_count,)
            and self.diagonals.shape == (step_count, count)
            and self.values.shape == (step_count, pair_count)
            and all(np.isfinite(array).all() for array in (self.points, self.diagonals, self.values))
            and bool(((self.pairs >= 0) & (self.pairs < count)).all())
        )


class Reordering:
    """Factors in a new order, in the making."""

    def __init__(self, system: System, frames_left: int = FRAMES) -> None:
        """Begin to order and factor a system, beside whatever happens next."""
        self.system, self.frames_left = system, frames_left
        self.new_of: Indices = shared_arange(len(system.points))
        """(point_count,) what edits have made of each point of the system, -1 if it is gone."""

        self.touched: Indices = np.zeros(0, np.int64)
        """(count,) points, as they are called now, whose entries have changed since."""

        self.keeps_pairs = self.keeps_names = True
        worker = ThreadPoolExecutor(1, thread_name_prefix="reordering")
        self._factors = worker.submit(system.factored)
        worker.shutdown(wait=False)

    def follow(
        self, new_of: Indices, touched: Indices, count: int, *, keeps_pairs: bool, keeps_names: bool
    ) -> None:
        """Note an edit; see `TreeFactor.reshape`. `count` points are there after it."""
        still = new_of.take(self.touched)
        self.touched = union_of_rows(count, still[still >= 0], touched)
        self.new_of = np.where(self.new_of >= 0, new_of.take(self.new_of, mode="clip"), -1)
        self.keeps_pairs &= keeps_pairs
        self.keeps_names &= keeps_names

    def change(self, points: Indices, count: int) -> None:
        """Note that entries of some of `count` points have changed."""
        self.touched = union_of_rows(count, self.touched, points)

    def is_due(self) -> bool:
        """Count a frame, and tell whether the new factors are to be taken in it."""
        self.frames_left -= 1
        return self.frames_left <= 0

    def finished(self, former: Mapping[float, TreeFactor], rows: Adjacency) -> dict[float, TreeFactor]:
        """Return new factors that have followed what happened meanwhile, for the step sizes that there are.

        Args:
            former: the factors so far, by the step size; the new ones go on with their arrays
            rows: the coupled points of each one
        """
        factors, found = self._factors.result(), {}
        for step, old in former.items():
            if step in factors:
                found[step] = factors[step]
                found[step].reshape(
                    self.new_of, old.pairs, self.touched, old.diagonal, old.values, old.is_fixed, rows,
                    keeps_pairs=self.keeps_pairs, keeps_names=self.keeps_names,
                )  # fmt: skip
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return it as arrays by name, for a saved state."""
        own = {"new_of": self.new_of, "touched": self.touched, "frames_left": np.array([self.frames_left])}
        return {**vars(self.system), **own}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], count: int) -> Self:
        """Begin again with what `arrays` came from and `count` points now, or raise a `StateError`."""
        try:
            # Copies: a thread works on them while the caller may do with its arrays what it likes.
            numbers = {name: np.array(arrays[name], np.int64, order="C") for name in ("new_of", "touched")}
            system = System(
                points=np.array(arrays["points"], np.float64, order="C"),
                pairs=np.array(arrays["pairs"], np.int64, order="C"),
                is_fixed=np.array(arrays["is_fixed"], np.bool_, order="C"),
                steps=np.array(arrays["steps"], np.float64, order="C"),
                diagonals=np.array(arrays["diagonals"], np.float64, order="C"),
                values=np.array(arrays["values"], np.float64, order="C"),
            )
            frames_left = int(arrays["frames_left"][0])
        except (KeyError, ValueError, TypeError, IndexError):
            system, numbers, frames_left = None, {}, 0
        if system is None or not system.is_sound() or not _fits(len(system.points), count, **numbers):
            raise StateError("the state does not say in which order to solve next, or says it wrongly.")
        found = cls(system, min(max(frames_left, 1), FRAMES))
        found.new_of, found.touched = numbers["new_of"], numbers["touched"]
        # Points and pairs of a loaded world have their numbers for other reasons.
        found.keeps_pairs = found.keeps_names = False
        return found


def _fits(former_count: int, count: int, new_of: Indices, touched: Indices) -> bool:
    """Tell whether so many points can have become `count` in this way."""
    goes_on = new_of[new_of >= 0]
    return (
        new_of.shape == (former_count,)
        and touched.ndim == 1
        and bool(((new_of >= -1) & (new_of < count)).all())
        and bool(((touched >= 0) & (touched < count)).all())
        and len(np.unique(goes_on)) == len(goes_on)
    )
