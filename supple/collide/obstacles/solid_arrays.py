"""Solids in arrays: every obstacle as the numbers that kernels take."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.distance_map.disk_cache import distance_map, map_key
from supple.collide.distance_map.distance_map import DistanceMap, PackedMaps, pack_maps
from supple.collide.distance_map.mesh_repair import checked_mesh, repaired
from supple.collide.obstacles import shapes
from supple.errors import SuppleError
from supple.scene.obstacles.mesh_obstacle import Mesh, Union
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.obstacles.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus

Progress = Callable[[str, float], None]
"""Takes the name of an obstacle and the share of its distance map that is built, 0 to 1."""

DOUBTFUL = 250.0
"""A mesh this many times larger or smaller than the cloth is probably in other units [-]."""


class Solids(NamedTuple):
    """The shapes of all solids, each in its own axes; a union is one solid per part."""

    kinds: NDArray[np.int64]
    """(solid_count,) which shape, or MAP."""

    parameters: NDArray[np.float64]
    """(solid_count, 8) of the shape, see `shapes.PARAMETER_COUNT`; of a mesh the number of its distance map."""

    maps: PackedMaps
    """Distance maps of all meshes."""

    @staticmethod
    def of(
        declared: Sequence[Obstacle], progress: Progress | None = None, cloth_size: float | None = None
    ) -> Solids:
        """Return the solids of all obstacles; the maps of meshes are built, or loaded if they were built before.

        What is wrong with a mesh that is used all the same is told as a warning. So is a size that
        has little to do with `cloth_size` [m], the extent of what is to collide with it.
        """
        solids = [(n, part) for n, obstacle in enumerate(declared) for part in parts_of(obstacle)]
        kinds = np.zeros(len(solids), dtype=np.int64)
        parameters = np.zeros((len(solids), shapes.PARAMETER_COUNT))
        maps: dict[str, DistanceMap] = {}
        for n, (owner, part) in enumerate(solids):
            if isinstance(part, Mesh):
                name = declared[owner].name or part.kind
                kinds[n], parameters[n, 0] = shapes.MAP, _map_number(part, name, maps, progress)
                for line in _doubted_units(part, name, cloth_size):
                    warnings.warn(line, stacklevel=4)
            else:
                kinds[n], values = shape_of(part)
                parameters[n, : len(values)] = values
        return Solids(kinds, parameters, pack_maps(list(maps.values())))

    def chosen(self, is_chosen: NDArray[np.bool_]) -> Solids:
        """Return some of the solids, given by a mask (solid_count,)."""
        return Solids(self.kinds[is_chosen], self.parameters[is_chosen], self.maps)


class SolidProperties(NamedTuple):
    """What contact needs to know of every solid beside its shape; nothing of it changes."""

    frictions: NDArray[np.float64]
    """(solid_count,) Coulomb coefficients [-]."""

    restitutions: NDArray[np.float64]
    """(solid_count,) share of the normal speed given back [-]; 0 for solids that repel."""

    shells: NDArray[np.float64]
    """(solid_count,) distance that particles keep [m]."""

    widest_shell: float
    """The largest of them [m]."""

    repulsion_energies: NDArray[np.float64]
    """(solid_count,) strength of the repulsive potential, c [J]; 0 for solids that do not repel."""

    repulsion_ranges: NDArray[np.float64]
    """(solid_count,) range of the potential, ξ, in the unit of the inside-outside function."""

    is_projecting: NDArray[np.bool_]
    """(solid_count,) whether particles are kept outside by projection, not by a potential."""

    is_kinematic: NDArray[np.bool_]
    """(solid_count,) whether a solid projects and has no mass: it stands, or moves as it is told."""

    wants_reaction: NDArray[np.bool_]
    """(solid_count,) whether the reaction of contact on the solid is summed up."""

    @staticmethod
    def of(declared: Sequence[Obstacle]) -> SolidProperties:
        """Read the properties of all solids; reactions are wanted of all of them."""
        of_solid = [declared[owner] for owner in owners_of(declared)]
        is_projecting = np.array([each.response != "repel" for each in of_solid], dtype=np.bool_)
        has_mass = np.array([each.mass is not None for each in of_solid], dtype=np.bool_)
        shells = np.array([each.shell for each in of_solid], dtype=np.float64)
        return SolidProperties(
            frictions=np.array([each.friction for each in of_solid], dtype=np.float64),
            restitutions=np.where(is_projecting, [each.restitution for each in of_solid], 0.0),
            shells=shells,
            widest_shell=float(shells.max(initial=0.0)),
            repulsion_energies=np.where(is_projecting, 0.0, [each.repulsion for each in of_solid]),
            repulsion_ranges=np.array([each.repulsion_range for each in of_solid], dtype=np.float64),
            is_projecting=is_projecting,
            is_kinematic=is_projecting & ~has_mass,
            wants_reaction=np.ones(len(of_solid), dtype=np.bool_),
        )


def owners_of(declared: Sequence[Obstacle]) -> NDArray[np.int64]:
    """Return the obstacle that each solid belongs to, (solid_count,)."""
    owners = [n for n, obstacle in enumerate(declared) for _ in parts_of(obstacle)]
    return np.array(owners, dtype=np.int64)


def parts_of(obstacle: Obstacle) -> tuple[Obstacle, ...]:
    """Return the solids an obstacle consists of."""
    return obstacle.parts if isinstance(obstacle, Union) else (obstacle,)


def shape_of(obstacle: Obstacle) -> tuple[int, tuple[float, ...]]:
    """Return the kind and the parameters of a solid given by a formula."""
    match obstacle:
        case Plane():
            return shapes.PLANE, (*obstacle.normal, obstacle.offset)
        case Sphere():
            return shapes.SPHERE, (obstacle.radius,)
        case Ellipsoid():
            return shapes.ELLIPSOID, obstacle.radii
        case Box():
            x, y, z = obstacle.size
            return shapes.BOX, (0.5 * x, 0.5 * y, 0.5 * z, obstacle.rounding)
        case Capsule():
            return shapes.CAPSULE, (*obstacle.start, *obstacle.end, obstacle.radius)
        case Cylinder():
            return shapes.CYLINDER, (*obstacle.start, *obstacle.end, obstacle.radius)
        case Torus():
            return shapes.TORUS, (obstacle.radius, obstacle.tube)
    raise TypeError(f"no shape for {type(obstacle).__name__}")


def doubts_about(declared: Sequence[Obstacle], cloth_size: float | None = None) -> list[str]:
    """Return what a simulation would warn of, without building a map; a mesh of no use raises SuppleError."""
    lines = []
    for obstacle in declared:
        for part in parts_of(obstacle):
            if isinstance(part, Mesh):
                name = obstacle.name or part.kind
                with _named(name):
                    *_, report = repaired(*checked_mesh(*part.surface()))
                lines += [f"`obstacle.{name}`: {line}" for line in report.warnings()]
                lines += _doubted_units(part, name, cloth_size)
    return lines


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Say which obstacle an error is about."""
    try:
        yield
    except SuppleError as error:
        raise SuppleError(f"`obstacle.{name}`: {error}") from None


def _map_number(mesh: Mesh, name: str, maps: dict[str, DistanceMap], progress: Progress | None) -> int:
    vertices, triangles = mesh.surface()
    key = map_key(vertices, triangles, mesh.accuracy)
    if key not in maps:
        tell = None if progress is None else (lambda share: progress(name, share))
        with _named(name):
            maps[key] = distance_map(vertices, triangles, mesh.accuracy, tell)
        for line in maps[key].report.warnings():
            warnings.warn(f"`obstacle.{name}`: {line}", stacklevel=5)
    return list(maps).index(key)


def _doubted_units(mesh: Mesh, name: str, cloth_size: float | None) -> list[str]:
    size = float(np.ptp(mesh.vertices[mesh.triangles].reshape(-1, 3), axis=0).max())
    if not cloth_size or 1.0 / DOUBTFUL <= size / cloth_size <= DOUBTFUL:
        return []
    unit = "millimetres" if size > cloth_size else "kilometres"
    return [
        f"`obstacle.{name}` is {size:.3g} m long and the bodies {cloth_size:.3g} m. Lengths are in metres; "
        f"those of the mesh may be in {unit}."
    ]
