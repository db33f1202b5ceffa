"""Tetrahedra: the finite elements of all soft bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EDGES_OF_TETRAHEDRON = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""Corners that the six edges of a tetrahedron join."""

WIDTH = 64
"""Elements of a block. The kernels work on whole blocks, one quantity of all its elements after the other,
which the compiler turns into vector instructions; three times as fast as element by element."""

VALUES = 17
"""Numbers kept per element: nine of the gradients, V µ, V λ, V φ, V ψ, 1 if it is corotated, 1 if it is neo-Hookean, and V µ
and V λ of the material."""

ELASTIC, VISCOUS = 9, 11
"""Where in these values V µ and V λ, and V φ and V ψ stand."""

COROTATED = 13
"""Where in these values stands whether the element turns."""

NEO_HOOKEAN = 14
"""Where in these values stands whether its stress is neo-Hookean; it turns all the same, for damping and measures."""

STIFF = 15
"""Where in these values V µ and V λ of the material stand: more than the element has itself if its strain is averaged."""

OWN_SHARE = 0.12
"""Share of µ that elements keep for themselves where strain is averaged, so that points do not move to and fro between them
unresisted [-]; of λ they keep nothing."""

WORK = 19
"""Numbers per element of a block that the kernels of elasticity work with."""


class ElementBlocks(NamedTuple):
    """Tetrahedra as kernels take them, in blocks of WIDTH; build it at the call by `Tetrahedra.arrays`."""

    corners: NDArray[np.uint32]
    """(block_count · WIDTH, 4) particle indices."""

    values: NDArray[np.float64]
    """(block_count · VALUES · WIDTH,) gradients and moduli, block by block, value by value, element by element."""

    rotations: NDArray[np.float64]
    """(block_count · 4 · WIDTH,) unit quaternions in the same order."""

    compressions: NDArray[np.float64]
    """(block_count · WIDTH,) volume over volume at rest when forces were last computed [-]."""

    work: NDArray[np.float64]
    """(WORK · WIDTH,) scratch."""


@dataclass
class Tetrahedra:
    """Linear tetrahedra of all bodies, concatenated.

    A tetrahedron knows how its four corners make up the gradient of any field inside it. That is all
    the geometry elasticity needs: stress follows from the gradient of the positions.

    Theory: docs/theory/soft-bodies.md, eq. (E1).
    """

    corners: NDArray[np.uint32]
    """(element_count, 4) particle indices, positive volume."""

    gradients: NDArray[np.float64]
    """(element_count, 3, 3) [1/m]; row a is the gradient of the shape function of corner a + 1. That of
    corner 0 is minus the sum of the rows."""

    volumes: NDArray[np.float64]
    """(element_count,) at rest [m³]."""

    shear_moduli: NDArray[np.float64]
    """(element_count,) µ [Pa]"""

    lame_moduli: NDArray[np.float64]
    """(element_count,) λ, Lamé's first modulus [Pa]."""

    shear_damping: NDArray[np.float64]
    """(element_count,) φ, stress per rate of strain [Pa·s]."""

    volume_damping: NDArray[np.float64]
    """(element_count,) ψ, pressure per rate of volume [Pa·s]."""

    is_corotated: NDArray[np.bool_]
    """(element_count,) whether the stress turns with the element; else elasticity is linear."""

    is_neo_hookean: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    """(element_count,) whether the stress is that of (E14); none is, if nothing is given."""

    is_averaged: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    """(element_count,) whether strain is averaged around points (E16); that of none is, if nothing is given."""

    numbers: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """(element_count,) which of the declared elements each one is or is a part of, after cuts."""

    block_corners: NDArray[np.uint32] = field(init=False)
    """(block_count · WIDTH, 4) the corners, filled up with elements of no volume."""

    blocks: NDArray[np.float64] = field(init=False)
    """(block_count · VALUES · WIDTH,) what kernels read: block by block, value by value, element by element."""

    rotations: NDArray[np.float64] = field(init=False)
    """(block_count · 4 · WIDTH,) unit quaternions (w, x, y, z) in the same order: how each element has turned."""

    compressions: NDArray[np.float64] = field(init=False)
    """(block_count · WIDTH,) volume over volume at rest when forces were last computed [-]."""

    inside_out: NDArray[np.float64] = field(init=False)
    """(element_count,) for how long each element has been inside out [s]."""

    peak_strain: NDArray[np.float64] = field(init=False)
    """(1,) what has shortened explicit steps lately, see `strain_that_counts` [-]; one per level of detail."""

    last_step: NDArray[np.float64] = field(init=False)
    """(1,) last explicit substep [s], one per level of detail; 0 before the first."""

    work: NDArray[np.float64] = field(init=False)
    """(WORK · WIDTH,) scratch of the kernels."""

    def __post_init__(self) -> None:
        """Lay the elements out in blocks, none of them turned."""
        if len(self.numbers) != self.count:
            self.numbers = np.arange(self.count)
        if len(self.is_neo_hookean) != self.count:
            self.is_neo_hookean = np.zeros(self.count, dtype=np.bool_)
        if len(self.is_averaged) != self.count:
            self.is_averaged = np.zeros(self.count, dtype=np.bool_)
        block_count = -(-self.count // WIDTH)
        self.block_corners = np.zeros((block_count * WIDTH, 4), dtype=np.uint32)
        self.block_corners[: self.count] = self.corners
        self.blocks = np.zeros(block_count * VALUES * WIDTH)
        self.rotations = np.zeros(block_count * 4 * WIDTH)
        self.inside_out, self.peak_strain, self.last_step = np.zeros(self.count), np.zeros(1), np.zeros(1)
        self.stop_turning()
        self.compressions = np.ones(block_count * WIDTH)
        self.work = np.zeros(WORK * WIDTH)
        self.refresh()

    def stop_turning(self) -> None:
        """Forget how elements have turned; they find their rotations anew within a few steps."""
        turns = self.rotations.reshape(-1, 4, WIDTH)
        turns[:] = 0.0
        turns[:, 0] = 1.0
        self.inside_out[:] = 0.0

    def reordered(
        self, order: NDArray[np.int64], corners: NDArray[np.integer], rest: NDArray[np.float64]
    ) -> Tetrahedra:
        """Return elements that are some of these, or parts of them, as turned as they are.

        Args:
            order: (new element_count,) which of these elements each one is or is a part of
            corners: (new element_count, 4) particle indices
            rest: (particle_count, 3) positions at rest [m]
        """
        names = [f.name for f in fields(Tetrahedra) if f.init]
        chosen = {name: getattr(self, name)[order] for name in names}
        shape = plain_tetrahedra(rest, corners)
        chosen |= {"corners": shape.corners, "gradients": shape.gradients, "volumes": shape.volumes}
        result = Tetrahedra(**chosen)
        result.set_turns(self.turns()[order])
        result.compressions[: result.count] = self.compressions[order]
        result.inside_out[:] = self.inside_out[order]
        result.peak_strain, result.last_step = self.peak_strain.copy(), self.last_step.copy()
        return result

    def turns(self) -> NDArray[np.float64]:
        """Return how each element has turned, as quaternions w, x, y, z, (element_count, 4)."""
        return self.rotations.reshape(-1, 4, WIDTH).transpose(0, 2, 1).reshape(-1, 4)[: self.count]

    def set_turns(self, turns: NDArray[np.float64]) -> None:
        """Turn the elements as these quaternions say, (element_count, 4)."""
        all_turns = self.rotations.reshape(-1, 4, WIDTH).transpose(0, 2, 1).reshape(-1, 4).copy()
        all_turns[: self.count] = turns
        self.rotations[:] = all_turns.reshape(-1, WIDTH, 4).transpose(0, 2, 1).ravel()

    def turn_to(self, positions: NDArray[np.float64]) -> None:
        """Let every corotated element have the rotation that fits its deformation at `positions` best."""
        sides = positions[self.corners[:, 1:]] - positions[self.corners[:, :1]]
        left, sizes, right = np.linalg.svd(np.einsum("eax,eak->exk", sides, self.gradients))
        flips = np.ones_like(sizes)
        flips[:, 2] = np.sign(np.linalg.det(left) * np.linalg.det(right))
        matrices = np.einsum("exk,ek,eky->exy", left, flips, right)
        matrices[~self.is_corotated] = np.eye(3)
        self.set_turns(quaternions_of(matrices))

    def move_up(self, span: slice, shift: int) -> None:
        """Follow particles whose numbers have grown by `shift`."""
        self.corners[span] += np.array(shift).astype(np.uint32)  # wraps round if negative, as it should
        self.block_corners[span] = self.corners[span]

    def rename(self, new_of: NDArray[np.int64]) -> None:
        """Call particles by their new names, (particle_count,)."""
        self.corners[:] = new_of[self.corners]
        self.block_corners[: self.count] = self.corners

    def refresh(self) -> None:
        """Take over changed moduli and damping."""
        values = np.zeros((len(self.block_corners), VALUES))
        own = values[: self.count]
        own[:, :9] = self.gradients.reshape(-1, 9)
        own[:, STIFF], own[:, STIFF + 1] = self.volumes * self.shear_moduli, self.volumes * self.lame_moduli
        own[:, ELASTIC] = np.where(self.is_averaged, OWN_SHARE, 1.0) * own[:, STIFF]
        own[:, ELASTIC + 1] = np.where(self.is_averaged, 0.0, own[:, STIFF + 1])
        own[:, VISCOUS], own[:, VISCOUS + 1] = (
            self.volumes * self.shear_damping,
            self.volumes * self.volume_damping,
        )
        own[:, COROTATED] = self.is_corotated
        own[:, NEO_HOOKEAN] = self.is_neo_hookean
        self.blocks[:] = values.reshape(-1, WIDTH, VALUES).transpose(0, 2, 1).ravel()

    def set_material(
        self,
        span: slice,
        *,
        young: float | None = None,
        poisson: float | None = None,
        damping: float | None = None,
        volume_damping: float | None = None,
    ) -> None:
        """Change the material of some elements; None leaves what is there. Units as in `SoftMaterial`."""
        if span.stop > span.start and (young is None) != (poisson is None):
            mu, lam = float(self.shear_moduli[span.start]), float(self.lame_moduli[span.start])
            old_young, old_poisson = young_and_poisson(mu, lam)
            young, poisson = (
                old_young if young is None else young,
                old_poisson if poisson is None else poisson,
            )
        if young is not None and poisson is not None:
            self.shear_moduli[span], self.lame_moduli[span] = lame(young, poisson)
        if damping is not None:
            self.shear_damping[span] = damping
        if volume_damping is not None:
            self.volume_damping[span] = volume_damping
        self.refresh()

    @property
    def count(self) -> int:
        """Number of elements."""
        return len(self.corners)

    @property
    def arrays(self) -> ElementBlocks:
        """The elements as kernels take them, valid until the next edit."""
        return ElementBlocks(self.block_corners, self.blocks, self.rotations, self.compressions, self.work)

    @property
    def is_damped(self) -> bool:
        """Whether any element resists the rate of its strain."""
        return bool(self.shear_damping.any() or self.volume_damping.any())

    def edges(self) -> NDArray[np.int64]:
        """Return every edge of the mesh once, (edge_count, 2) particle indices, the smaller first."""
        sides = np.sort(self.corners[:, EDGES_OF_TETRAHEDRON].reshape(-1, 2), axis=1)
        return np.unique(sides, axis=0).astype(np.int64)

    def largest_moduli(self) -> NDArray[np.float64]:
        """Return 2 µ + 3 λ, the most stress per strain in any direction, (element_count,) [Pa]."""
        return 2.0 * self.shear_moduli + 3.0 * self.lame_moduli

    def largest_damping(self) -> NDArray[np.float64]:
        """Return 2 φ + 3 ψ, the most stress per rate of strain in any direction, (element_count,) [Pa·s]."""
        return 2.0 * self.shear_damping + 3.0 * self.volume_damping

    def all_gradients(self) -> NDArray[np.float64]:
        """Return the gradients of the shape functions of all four corners, (element_count, 4, 3) [1/m]."""
        first = -self.gradients.sum(axis=1, keepdims=True)
        return np.ascontiguousarray(np.concatenate([first, self.gradients], axis=1))


def plain_tetrahedra(positions: NDArray[np.float64], corners: NDArray[np.integer]) -> Tetrahedra:
    """Return elements at rest in `positions` (point_count, 3) [m], their material still to be applied."""
    count = len(corners)
    sides = positions[corners[:, 1:]] - positions[corners[:, :1]]  # row a is the edge to corner a + 1
    return Tetrahedra(
        corners=np.ascontiguousarray(corners, dtype=np.uint32).reshape(count, 4),
        gradients=np.ascontiguousarray(np.linalg.inv(sides).transpose(0, 2, 1)),
        volumes=np.linalg.det(sides) / 6.0,
        shear_moduli=np.zeros(count),
        lame_moduli=np.zeros(count),
        shear_damping=np.zeros(count),
        volume_damping=np.zeros(count),
        is_corotated=np.ones(count, dtype=np.bool_),
    )


def no_tetrahedra() -> Tetrahedra:
    """Return an empty set of elements."""
    return plain_tetrahedra(np.zeros((1, 3)), np.zeros((0, 4), dtype=np.int64))


def join_tetrahedra(parts: Sequence[Tetrahedra], offsets: Sequence[int]) -> Tetrahedra:
    """Concatenate elements; `offsets` are added to the particle indices of each part."""
    names = [f.name for f in fields(Tetrahedra) if f.init]
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    joined["corners"] = np.concatenate(
        [part.corners + np.uint32(offset) for part, offset in zip(parts, offsets, strict=True)]
    ).astype(np.uint32)
    joined["numbers"] = np.arange(len(joined["corners"]))
    return Tetrahedra(**joined)


def quaternions_of(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rotation matrices (n, 3, 3) as unit quaternions w, x, y, z, (n, 4)."""
    m = matrices
    traces = np.trace(m, axis1=1, axis2=2)
    # Four times the product of each part with the one that is largest, which is safe to divide by.
    products = np.empty((len(m), 4, 4))
    products[:, 0, 0] = 1.0 + traces
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        products[:, 1 + a, 1 + a] = 1.0 - traces + 2.0 * m[:, a, a]
        products[:, 0, 1 + a] = products[:, 1 + a, 0] = m[:, c, b] - m[:, b, c]
        products[:, 1 + a, 1 + b] = products[:, 1 + b, 1 + a] = m[:, a, b] + m[:, b, a]
    largest = np.argmax(np.einsum("naa->na", products), axis=1)
    chosen: NDArray[np.float64] = products[np.arange(len(m)), largest]
    chosen /= np.linalg.norm(chosen, axis=1, keepdims=True)
    return chosen


def corner_volumes(
    volumes: NDArray[np.float64], corners: NDArray[np.int64], point_count: int
) -> NDArray[np.float64]:
    """Return the volume each point stands for: a quarter of its elements, (point_count,) [m³]."""
    shares = np.zeros(point_count)
    for corner in range(4):
        np.add.at(shares, corners[:, corner], 0.25 * volumes)
    return shares


def lame(young: float, poisson: float) -> tuple[float, float]:
    """Return µ and λ [Pa] of Young's modulus [Pa] and Poisson's ratio [-].

    Theory: docs/theory/soft-bodies.md, eq. (E2). Debunne 2000, Eq. 1, swaps the usual names; these are the usual.
    """
    return 0.5 * young / (1.0 + poisson), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))


def young_and_poisson(mu: float, lam: float) -> tuple[float, float]:
    """Return Young's modulus [Pa] and Poisson's ratio [-] of µ and λ [Pa]."""
    return mu * (3.0 * lam + 2.0 * mu) / (lam + mu), 0.5 * lam / (lam + mu)
