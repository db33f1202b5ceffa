"""Body parts: one declared body turned into particles, springs, bending elements and tetrahedra."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends, no_bends
from supple.model.builders.chain import chain_bends, chain_shares, chain_springs
from supple.model.builders.grid import grid_areas, grid_bends, grid_springs
from supple.model.builders.lattice import lattice_springs, lattice_volumes
from supple.model.builders.mesh import mesh_bends, mesh_springs, vertex_areas
from supple.model.elasticity import Elasticity, apply_elasticity
from supple.model.springs import STRETCH, Springs, no_springs, plain_springs
from supple.model.tetrahedra import Tetrahedra, corner_volumes, no_tetrahedra, plain_tetrahedra
from supple.scene.bodies.body import Body
from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.lattice import Lattice
from supple.scene.bodies.network import Network
from supple.scene.bodies.puppet import Puppet
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.cushion import Cushion
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.placement import placed
from supple.scene.scene import Scene

WEIGHTLESS = 1.0e-9
"""Mass of a point of a puppet [kg]: nothing moves it, and sums over all masses should not notice it."""


@dataclass
class BodyParts:
    """What a body is made of, its particles numbered from zero."""

    positions: NDArray[np.float64]
    """(point_count, 3) [m], in the world at the start."""

    shares: NDArray[np.float64]
    """(point_count,) length [m], area [m²] or volume [m³] each point stands for; 1 in networks."""

    density: float | NDArray[np.float64]
    """Mass per share [kg/m, kg/m², kg/m³]; in networks [kg], possibly one number per point."""

    springs: Springs
    bends: Bends
    elasticity: Elasticity
    """What the body's material sets."""

    flat: NDArray[np.float64] | None = None
    """(point_count, 3) where the points would start if the body started at rest [m]; None if it does."""

    tetrahedra: Tetrahedra = field(default_factory=no_tetrahedra)


def body_parts(body: Body, scene: Scene) -> BodyParts:
    """Build the particles, springs and bending elements of a body and apply its material."""
    parts = _bare_parts(body, scene)
    springs, bends = parts.springs, parts.bends
    everywhere = np.ones(springs.count, np.bool_), np.ones(bends.count, np.bool_)
    apply_elasticity(parts.elasticity, springs, bends, *everywhere)
    if isinstance(body, Network):
        springs.stiffness[:] = body.stiffness
    for index, region in enumerate(body.regions):
        is_inside = np.zeros(len(parts.positions), dtype=np.bool_)
        is_inside[body.indices(region.where)] = True
        spring_mask: NDArray[np.bool_] = np.all(is_inside[springs.ends], axis=1)
        bend_mask: NDArray[np.bool_] = np.all(is_inside[bends.points], axis=1)
        springs.region[spring_mask] = index
        bends.region[bend_mask] = index
        own = Elasticity(
            stretch_stiffness=region.stretch_stiffness,
            shear_stiffness=region.shear_stiffness,
            bending_stiffness=region.bending_stiffness,
            damping=region.damping,
        )
        apply_elasticity(own, springs, bends, spring_mask, bend_mask)
    return parts


def _bare_parts(body: Body, scene: Scene) -> BodyParts:
    """Return the parts of a body, its material still to be applied."""
    positions = body.start_points()
    if isinstance(body, Cloth):
        return _cloth_parts(body, positions, scene)
    if isinstance(body, Chain):
        elasticity = Elasticity(
            stretch_stiffness=body.stretch_stiffness,
            bending_stiffness=body.bending_stiffness,
            damping=body.damping,
            stretch_limit=_limit(body.stretch_limit),
        )
        springs, bends = chain_springs(positions), chain_bends(positions)
        return BodyParts(positions, chain_shares(positions), body.linear_density, springs, bends, elasticity)
    if isinstance(body, Lattice):
        count = body.counts
        elasticity = Elasticity(stretch_stiffness=body.stiffness, damping=body.damping)
        springs, volumes = lattice_springs(positions, count), lattice_volumes(positions, count)
        return BodyParts(positions, volumes, body.density, springs, no_bends(), elasticity)
    if isinstance(body, Network):
        ends = np.asarray(body.springs, dtype=np.uint32)
        springs = plain_springs(ends, body.lengths_at_rest(), np.ones(len(ends)), STRETCH)
        elasticity = Elasticity(damping=body.damping, stretch_limit=_limit(body.stretch_limit))
        return BodyParts(positions, np.ones(len(positions)), body.mass, springs, no_bends(), elasticity)
    if isinstance(body, Puppet):
        ones = np.ones(body.point_count)
        return BodyParts(positions, ones, WEIGHTLESS, no_springs(), no_bends(), Elasticity())
    if isinstance(body, SoftBody):
        return _soft_parts(body, positions)
    raise TypeError(f"no builder for {type(body).__name__}")


def _cloth_parts(body: Cloth, positions: NDArray[np.float64], scene: Scene) -> BodyParts:
    material, shape = scene.material_of(body), body.shape
    elasticity = Elasticity(
        stretch_stiffness=material.stretch_stiffness,
        shear_stiffness=material.shear_stiffness,
        bending_stiffness=material.bending_stiffness,
        damping=material.damping,
        stretch_limit=_limit(material.stretch_limit),
    )
    # A rectangle may start on a course, and a panel bent: then its rest shape is flat.
    is_laid = isinstance(shape, Panel) or (isinstance(shape, Rectangle) and shape.course is not None)
    flat = placed(body.rest_points(), body.at, body.rotation) if is_laid else None
    rest = body.rest_points() if is_laid or isinstance(shape, Cushion) else positions
    if isinstance(shape, Rectangle | Bezier):
        springs = grid_springs(rest, shape.columns, shape.rows)
        bends = grid_bends(rest, shape.columns, shape.rows)
        shares = grid_areas(rest, shape.columns, shape.rows)
    else:
        triangles = body.surface_triangles()
        springs, bends = mesh_springs(rest, triangles), mesh_bends(rest, triangles)
        shares = vertex_areas(rest, triangles)
    if isinstance(shape, Cushion):
        bends = bends.chosen(bends.rest_lengths == 0.0)  # the seam folds freely
    return BodyParts(positions, shares, material.area_density, springs, bends, elasticity, flat)


def _soft_parts(body: SoftBody, positions: NDArray[np.float64]) -> BodyParts:
    material = body.stuff
    # In the order of their first corners: elements that follow each other share what the cache holds.
    corners = body.tetrahedra()
    corners = corners[np.argsort(corners.min(axis=1), kind="stable")]
    elements = plain_tetrahedra(positions, corners)
    elements.is_corotated[:] = body.elasticity != "linear"
    elements.is_neo_hookean[:] = body.elasticity == "neo-hookean"
    elements.is_averaged[:] = body.elasticity == "averaged"
    elements.set_material(
        slice(0, elements.count),
        young=material.young,
        poisson=material.poisson,
        damping=material.damping,
        volume_damping=material.volume_damping,
    )
    shares = corner_volumes(elements.volumes, corners, len(positions))
    if body.levels > 1:  # see `Levels`
        elements = no_tetrahedra()
    return BodyParts(
        positions, shares, material.density, no_springs(), no_bends(), Elasticity(), tetrahedra=elements
    )


def _limit(stretch_limit: float | None) -> float:
    return math.inf if stretch_limit is None else stretch_limit
