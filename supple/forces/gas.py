"""Gas inside closed cloth: pressure that follows from the volume.

Theory: docs/theory/pressure.md. Integrators add the force of the pressure that a substep starts with to those of
springs, which balance it. A sealed gas is stiff: what its pressure changes within the substep is added at its end, for
the volume that comes of it, in closed form. So no step is too long for it, and where everything rests the pressure is
exact at any step.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.kernel import add_scaled, cross, difference, dot, kernel
from supple.model.gas_volumes import joined_gas_volumes
from supple.model.world import World
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.pressure import Pressure
from supple.scene.scene import Scene
from supple.scene.soft_shapes.closed_surface import enclosed_volume, open_edge

FARTHEST_PUSH = 2.0
"""Edges of a triangle that gas may move free cloth by in a substep [-]. Beyond, the direction in which it pushes is
out of date before the substep ends."""


BURST_STRETCH = 3.0
"""Length over length at rest at which any cloth gives way [-]."""


@kernel
def volume_and_slopes(positions, triangles, slopes):
    """Return the volume inside a closed surface [m³] and add how it grows with every corner.

    Theory: docs/theory/pressure.md, eq. (G2).

        V = Σ a · (b × c) / 6,    ∂V/∂a = Σ (b - a) × (c - a) / 6

    Corners are taken relative to the first one, so that no digits are lost far from the origin. The slopes
    of a closed surface sum to zero: gas inside moves nothing as a whole.

    Args:
        positions: (particle_count, 3) [m]
        triangles: (triangle_count, 3) particle indices, counter-clockwise seen from outside
        slopes: (particle_count, 3) [m²], added to
    """
    origin = triangles[0, 0]
    volume = 0.0
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        normal = cross(difference(positions, j, i), difference(positions, k, i))
        volume += dot(difference(positions, i, origin), normal)
        add_scaled(slopes, i, normal, 1.0 / 6.0)
        add_scaled(slopes, j, normal, 1.0 / 6.0)
        add_scaled(slopes, k, normal, 1.0 / 6.0)
    return volume / 6.0


@kernel(is_entry=True)
def add_gas_forces(positions, gas, factor, forces):
    """Add the push of every gas volume to the corners of its triangles.

    Theory: docs/theory/pressure.md, eq. (G2). The pressure times how the volume grows with a corner.

    Args:
        positions: (particle_count, 3) [m]
        gas: `GasArrays`
        factor: scale of what is added; 1 for forces
        forces: (particle_count, 3) [N], added to in place
    """
    for n in range(gas.pressures.shape[0]):
        sixth = factor * gas.pressures[n] / 6.0
        for t in range(gas.starts[n], gas.starts[n + 1]):
            i, j, k = gas.triangles[t, 0], gas.triangles[t, 1], gas.triangles[t, 2]
            normal = cross(difference(positions, j, i), difference(positions, k, i))
            add_scaled(forces, i, normal, sixth)
            add_scaled(forces, j, normal, sixth)
            add_scaled(forces, k, normal, sixth)


@kernel
def gas_work(positions, gas):
    """Return Σ p V of all gas volumes [J], the work that gas of constant pressure has done; arguments as above."""
    work = 0.0
    for n in range(gas.pressures.shape[0]):
        origin = gas.triangles[gas.starts[n], 0]
        for t in range(gas.starts[n], gas.starts[n + 1]):
            i, j, k = gas.triangles[t, 0], gas.triangles[t, 1], gas.triangles[t, 2]
            normal = cross(difference(positions, j, i), difference(positions, k, i))
            work += gas.pressures[n] / 6.0 * dot(difference(positions, i, origin), normal)
    return work


@dataclass
class ClosedCloth:
    """One closed cloth with gas inside."""

    name: str
    triangles: NDArray[np.uint32]
    """(triangle_count, 3) particle indices, counter-clockwise seen from outside."""

    pressure: Pressure
    full_volume: float
    """Volume at which a sealed gas has its overpressure [m³]."""

    first_volume: float
    """Volume at the start of the scene [m³]."""

    burst_volume: float
    """Volume beyond which no cloth holds [m³]: its gas finds a way out."""

    span: slice
    """Its particles."""

    area: float
    """At rest [m²]."""

    edge: float
    """Mean side of its triangles at rest [m]."""

    overpressure: float
    """[Pa], as declared or as set since."""

    acting: float = 0.0
    """Overpressure that acted in the last substep [Pa]."""

    is_capped: bool = False
    """Whether somebody was told that the pressure is more than a substep can hold."""

    @property
    def is_sealed(self) -> bool:
        """Whether the amount of gas stays, rather than its pressure."""
        return self.pressure.gas == "sealed"

    def amount(self, time: float) -> float:
        """Return p V of a sealed gas [J]; it is let in until `seconds` have passed."""
        outside, share = self.pressure.outside, self._share(time)
        full = (outside + self.overpressure) * self.full_volume
        return share * full + (1.0 - share) * outside * self.first_volume

    def pressure_at(self, volume: float, time: float) -> float:
        """Return the overpressure at a volume [m³], eq. (G1) [Pa]."""
        if volume > self.burst_volume:
            return 0.0
        if not self.is_sealed:
            return self._share(time) * self.overpressure
        return self.amount(time) / volume - self.pressure.outside if volume > 0.0 else math.inf

    def energy(self, volume: float, time: float) -> float:
        """Return the potential energy at a volume [m³], of which the pressure is minus the slope [J]."""
        if not self.is_sealed:
            return -self.pressure_at(volume, time) * volume
        least = max(volume, 1e-12)
        return self.pressure.outside * least - self.amount(time) * math.log(least / self.full_volume)

    def _share(self, time: float) -> float:
        seconds = self.pressure.seconds
        return min(1.0, time / seconds) if seconds > 0.0 else float(time > 0.0)


class Responder(Protocol):
    """An integrator, as gas sees it."""

    projects: bool
    """Whether forces are constraints, met one after the other at the end of a substep."""

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Replace pushes, force times squared step (particle_count, 3) [kg·m], by how far particles yield to them [m]."""


class Gas:
    """The gas in all closed cloths of a scene."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Let gas into every cloth that declares a pressure."""
        self.world = world
        self._declared = {
            body.name: body for body in scene.bodies if isinstance(body, Cloth) and body.pressure is not None
        }
        self._overpressures: dict[str, float] = {}
        self.time = 0.0
        """Until when gas has been let in [s]."""
        self.cloths: list[ClosedCloth] = []
        """Those that are closed and hold gas."""
        self._slopes = self._moves = np.zeros((0, 3))
        if self._declared:
            self._fill()

    def reshape(self) -> list[str]:
        """Follow an edit: only cloth that is still closed holds gas. Return the names of those that are not."""
        if not self._declared:
            return []
        before = {cloth.name for cloth in self.cloths}
        self._fill()
        return sorted(before - {cloth.name for cloth in self.cloths})

    def _fill(self) -> None:
        self._slopes = np.zeros_like(self.world.particles.positions)
        self._moves = np.zeros_like(self._slopes)
        self.cloths = []
        for name, body in self._declared.items():
            assert name is not None and body.pressure is not None
            span = self.world.bodies[name]
            if len(span.triangles) == 0 or open_edge(span.triangles) is not None:
                continue
            first = enclosed_volume(body.start_points(), body.surface_triangles())
            triangles = span.triangles if first >= 0.0 else span.triangles[:, ::-1]
            declared, area = body.pressure, float(span.shares.sum())
            self.cloths.append(
                ClosedCloth(
                    name=name,
                    triangles=np.ascontiguousarray(triangles + span.particles.start, dtype=np.uint32),
                    pressure=declared,
                    full_volume=abs(first) if declared.volume is None else declared.volume,
                    first_volume=abs(first),
                    burst_volume=(BURST_STRETCH**2 * area / math.pi) ** 1.5 * math.pi / 6.0,
                    span=span.particles,
                    area=area,
                    edge=math.sqrt(2.0 * area / len(triangles)),
                    overpressure=self._overpressures.get(name, declared.overpressure),
                )
            )
        self.world.gas_volumes = joined_gas_volumes([cloth.triangles for cloth in self.cloths])

    def begin(self, time: float, step: float, integrator: Responder) -> None:
        """Take the pressure that a substep of `step` seconds starts with at `time` [s]."""
        self.time = time
        for n, cloth in enumerate(self.cloths):
            if cloth.is_sealed and integrator.projects:
                self.world.gas_volumes.pressures[n] = (
                    0.0  # all of it comes at the end, as a constraint like others
                )
            else:
                volume = volume_and_slopes(self.world.particles.positions, cloth.triangles, self._slopes)
                wanted, most = cloth.pressure_at(volume, time), self._most(cloth, step)
                self.world.gas_volumes.pressures[n] = cloth.acting = min(wanted, most)
                if wanted > most and not cloth.is_sealed and not cloth.is_capped:
                    cloth.is_capped = True
                    warnings.warn(
                        f"the pressure in {cloth.name!r} is held at {most:.3g} Pa, not {cloth.overpressure:.3g}: more would "
                        "throw its light cloth too far in a substep. Take more substeps.",
                        RuntimeWarning,
                        stacklevel=3,
                    )

    def _most(self, cloth: ClosedCloth, step: float) -> float:
        """Return the overpressure that moves free cloth by FARTHEST_PUSH edges in a substep [Pa]."""
        mass = float(self.world.particles.masses[cloth.span].sum())
        return FARTHEST_PUSH * cloth.edge * mass / (cloth.area * step * step)

    def settle(self, step: float, integrator: Responder) -> None:
        """Let sealed gas follow the change of its volume at the end of a substep, eq. (G3)."""
        self.time += step
        positions = self.world.particles.positions
        for n, cloth in enumerate(self.cloths):
            if not cloth.is_sealed:
                continue
            self._slopes[:] = 0.0
            volume = volume_and_slopes(positions, cloth.triangles, self._slopes)
            np.multiply(self._slopes, step * step, out=self._moves)
            integrator.respond(step, self._moves)
            give = float(np.vdot(self._slopes, self._moves))
            if not (give > 0.0 and math.isfinite(volume)):
                continue
            middle = volume - give * (cloth.pressure.outside + float(self.world.gas_volumes.pressures[n]))
            settled = 0.5 * (middle + math.hypot(middle, 2.0 * math.sqrt(give * cloth.amount(self.time))))
            cloth.acting = cloth.amount(self.time) / settled - cloth.pressure.outside
            self._moves *= (settled - volume) / give
            positions += self._moves

    def set(self, name: str, overpressure: float) -> bool:
        """Change the overpressure of a cloth [Pa]; return whether it has gas inside."""
        if name not in self._declared:
            return False
        self._overpressures[name] = overpressure
        for cloth in self.cloths:
            if cloth.name == name:
                cloth.overpressure = overpressure
        return True

    def pressure(self, name: str) -> float:
        """Return the overpressure that acted in a cloth in the last substep [Pa]; 0 if it holds no gas."""
        return next((cloth.acting for cloth in self.cloths if cloth.name == name), 0.0)

    def energy(self) -> float:
        """Return the potential energy of all gas [J]; that of a pumped one is the work against its pump."""
        total = 0.0
        for cloth in self.cloths:
            volume = volume_and_slopes(self.world.particles.positions, cloth.triangles, self._slopes)
            total += cloth.energy(volume, self.time)
        return total

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Return what `restore` needs to go on bit for bit: overpressures that were set, NaN where none was."""
        values = [self._overpressures.get(name or "", math.nan) for name in self._declared]
        return {"overpressures": np.array(values)}

    def restore(self, saved: Mapping[str, NDArray[np.float64]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        values = saved["overpressures"]
        if values.shape != (len(self._declared),) or np.isinf(values).any():
            raise ValueError("overpressures")
        self._overpressures.clear()
        for cloth in self.cloths:
            cloth.overpressure = cloth.pressure.overpressure
        for name, value in zip(self._declared, values.tolist(), strict=True):
            if not math.isnan(value):
                self.set(name or "", value)


def warn_of_leaks(names: list[str]) -> None:
    """Warn that cloths have lost their gas."""
    for name in names:
        warnings.warn(
            f"{name!r} is no longer closed: its gas has leaked out, and it has no pressure any more.",
            RuntimeWarning,
            stacklevel=5,
        )
