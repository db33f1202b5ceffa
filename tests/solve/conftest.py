"""Coupled points of many kinds, with matrices like those of the implicit integrators."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from numba.core.runtime import _nrt_python, rtsys


class System(NamedTuple):
    """Points, their pairs, and a positive definite matrix on them."""

    coordinates: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.int64]
    diagonal: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    is_fixed: npt.NDArray[np.bool_]

    def dense(self) -> npt.NDArray[np.float64]:
        """Return the matrix with the rows and columns of fixed points replaced by those of the identity."""
        matrix = np.diag(self.diagonal)
        matrix[self.pairs[:, 0], self.pairs[:, 1]] = self.values
        matrix[self.pairs[:, 1], self.pairs[:, 0]] = self.values
        matrix[self.is_fixed] = 0.0
        matrix[:, self.is_fixed] = 0.0
        matrix[self.is_fixed, self.is_fixed] = 1.0
        return matrix

    def solution(self, right_side: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the dense solution, 0 at fixed points."""
        return np.linalg.solve(self.dense(), np.where(self.is_fixed[:, None], 0.0, right_side))


def system(coordinates, pairs, *, stiffness=4e-3, mass=1.5e-5, fixed=(), seed=0) -> System:
    """Return masses and springs: A = M + h² L, stiffness being h² k [kg], scattered by a factor of two."""
    generator = np.random.default_rng(seed)
    pairs = np.asarray(pairs, np.int64).reshape(-1, 2)
    values = -stiffness * generator.uniform(0.5, 1.0, len(pairs))
    diagonal = np.full(len(coordinates), mass)
    np.subtract.at(diagonal, pairs[:, 0], values)
    np.subtract.at(diagonal, pairs[:, 1], values)
    is_fixed = np.zeros(len(coordinates), np.bool_)
    is_fixed[list(fixed)] = True
    return System(np.asarray(coordinates, np.float64), pairs, diagonal, values, is_fixed)


def sheet(columns, rows, **options) -> System:
    """Return a sheet with structural, diagonal and two-apart springs."""
    index = np.arange(columns * rows).reshape(rows, columns)
    sides = [
        (index[:, :-1], index[:, 1:]),
        (index[:-1], index[1:]),
        (index[:-1, :-1], index[1:, 1:]),
        (index[:-1, 1:], index[1:, :-1]),
        (index[:, :-2], index[:, 2:]),
        (index[:-2], index[2:]),
    ]
    pairs = np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b in sides])
    row, column = np.divmod(np.arange(columns * rows), columns)
    coordinates = np.stack([column, -row, np.zeros_like(row)], axis=1) / max(columns, rows)
    return system(coordinates, np.sort(pairs, axis=1), **options)


def chain(count, **options) -> System:
    """Return points on a line, coupled to the next and the one after."""
    index = np.arange(count)
    pairs = np.concatenate(
        [np.stack([index[:-1], index[1:]], axis=1), np.stack([index[:-2], index[2:]], axis=1)]
    )
    return system(np.stack([0 * index, -index, 0 * index], axis=1), pairs, **options)


def lattice(side, **options) -> System:
    """Return a cube of points coupled to all 26 neighbours."""
    index = np.arange(side**3).reshape(side, side, side)
    blocks = []
    for offset in itertools.product((-1, 0, 1), repeat=3):
        if offset > (0, 0, 0):
            low = tuple(slice(max(0, -o), side - max(0, o)) for o in offset)
            high = tuple(slice(max(0, o), side - max(0, -o)) for o in offset)
            blocks.append(np.stack([index[low].ravel(), index[high].ravel()], axis=1))
    coordinates = np.stack(np.unravel_index(np.arange(side**3), (side,) * 3), axis=1)
    return system(coordinates, np.sort(np.concatenate(blocks), axis=1), **options)


def random_network(count, pair_count, seed, **options) -> System:
    """Return random points with couplings of any length; some points may have none."""
    generator = np.random.default_rng(seed)
    pairs = np.sort(generator.integers(0, count, (pair_count, 2)), axis=1)
    pairs = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
    return system(generator.standard_normal((count, 3)), pairs, seed=seed, **options)


def two_sheets(**options) -> System:
    """Return two separate sheets and three points without any coupling."""
    a, b = sheet(9, 7), sheet(6, 8)
    coordinates = np.concatenate([a.coordinates, b.coordinates + np.array([2.0, 0.0, 0.0]), np.zeros((3, 3))])
    return system(coordinates, np.concatenate([a.pairs, b.pairs + len(a.coordinates)]), **options)


BODIES: dict[str, Callable[[], System]] = {
    "one point": lambda: system(np.zeros((1, 3)), []),
    "two points": lambda: system(np.eye(3)[:2], [(0, 1)]),
    "isolated points": lambda: system(np.zeros((23, 3)), []),
    "chain": lambda: chain(150, fixed=[0]),
    "sheet": lambda: sheet(21, 17, fixed=[0, 20]),
    "free sheet": lambda: sheet(20, 20),
    "stiff sheet": lambda: sheet(20, 20, stiffness=1.5e4, fixed=[0]),
    "soft sheet": lambda: sheet(13, 30, stiffness=1e-9),
    "lattice": lambda: lattice(7, fixed=range(49)),
    "network": lambda: random_network(120, 300, seed=3, fixed=[5, 6]),
    "dense network": lambda: random_network(60, 1500, seed=4),
    "separate bodies": lambda: two_sheets(fixed=[0, 70]),
    "coincident points": lambda: sheet(12, 12)._replace(coordinates=np.zeros((144, 3))),
    "all fixed": lambda: sheet(8, 8, fixed=range(64)),
}


@pytest.fixture(params=list(BODIES))
def body(request) -> System:
    """Every kind of body in turn."""
    return BODIES[request.param]()


@pytest.fixture(scope="session")
def bodies() -> dict[str, Callable[..., System]]:
    """Return the builders by name."""
    return {"sheet": sheet, "chain": chain, "lattice": lattice, "network": random_network}


@pytest.fixture
def memory_of():
    """Return a function that repeats another and says what memory it took.

    The result is the most Python and NumPy held at once [bytes], and the number of blocks compiled code
    asked for: one for each array handed over, and more only if a kernel allocates.
    """

    def measure(action: Callable[[], None]) -> tuple[int, int]:
        action()
        _nrt_python.memsys_enable_stats()
        tracemalloc.start()
        try:
            action()
            start = tracemalloc.get_traced_memory()[0]
            blocks = rtsys.get_allocation_stats().alloc
            tracemalloc.reset_peak()
            for _ in range(10):
                action()
            peak = tracemalloc.get_traced_memory()[1] - start
            return peak, rtsys.get_allocation_stats().alloc - blocks
        finally:
            tracemalloc.stop()
            _nrt_python.memsys_disable_stats()

    return measure
