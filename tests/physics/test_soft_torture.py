"""Random pokes, pinches, pins, cuts and undos: finite at any moment, and at rest with nothing inside out in the end."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

import supple

TABLE_HEIGHT = 0.035


class Torturer:
    """Does random things to a soft block on a table."""

    def __init__(self, seed: int, levels: int) -> None:
        # Fine meshes take shorter steps the stronger they are damped.
        material = supple.SoftMaterial.like("jelly", damping=20.0 if levels == 1 else 3.0)
        block = supple.SoftBody.box(
            size=(0.16, 0.1, 0.12),
            cell=0.05 if levels == 1 else 0.03,
            material=material,
            at=(0.0, 0.05, 0.0),
            name="body",
            levels=levels,
        )
        tool = supple.Sphere(radius=0.03, at=(0.0, 0.4, 0.0), name="tool")
        scene = supple.Scene(block, supple.Plane(friction=0.5), tool, drag=1.0)
        self.simulation = supple.Simulation(scene, substeps="auto")
        self.generator = np.random.default_rng(seed)
        self.place = np.array([0.0, 0.4, 0.0])
        self.frames = 0

    def step(self):
        report = self.simulation.step()
        assert report.is_finite and report.status != "diverged"
        self.frames += 1

    def poke(self, body, points, frames):
        target = points[self.generator.integers(len(points))] + self.generator.normal(0.0, 0.01, 3)
        target[1] = max(target[1], TABLE_HEIGHT)
        for end in (target, np.array([0.0, 0.35, 0.0])):
            start = self.place
            for share in np.linspace(0.0, 1.0, frames // 2):
                self.place = start + share * (end - start)
                self.simulation.move_obstacle("tool", self.place)
                self.step()

    def pinch(self, body, points, frames):
        held = self.generator.choice(len(points), size=2, replace=False)
        starts = points[held].copy()
        for share in np.linspace(0.0, 0.8, frames):
            for vertex, start in zip(held.tolist(), starts, strict=True):
                self.simulation.grab(body, vertex, start + share * (starts.mean(axis=0) - start))
            self.step()
        self.simulation.release_all()

    def pull(self, body, points, frames):
        vertex = int(self.generator.integers(len(points)))
        start, way = points[vertex].copy(), self.generator.uniform((-0.05, 0.0, -0.05), (0.05, 0.08, 0.05))
        for share in np.linspace(0.0, 1.0, frames):
            self.simulation.grab(body, vertex, start + share * way)
            self.step()
        self.simulation.release_all()

    def pin(self, body, points, frames):
        held = self.generator.choice(len(points), size=3, replace=False).tolist()
        for vertex in held:
            self.simulation.pin(body, vertex)
        for _ in range(frames):
            self.step()
        for vertex in held:
            self.simulation.unpin(body, vertex)

    def cut(self, body, points, frames):
        if len(self.simulation.body_names) < 6:
            middle = points.mean(axis=0) + self.generator.normal(0.0, 0.01, 3)
            with suppress(supple.SuppleError):  # nothing to cut there
                self.simulation.cut(body, plane=(middle, self.generator.standard_normal(3)))
        for _ in range(frames):
            self.step()

    def slit(self, body, points, frames):
        middle, reach = points.mean(axis=0), np.ptp(points, axis=0).max()
        start = np.array([middle[0], points[:, 1].max(), middle[2]])
        way = self.generator.standard_normal(3) * (1.0, 0.0, 1.0)
        end = start + self.generator.uniform(0.1, 0.6) * reach * way / np.linalg.norm(way)
        with suppress(supple.SuppleError):
            self.simulation.cut(body, path=[start, end])
        for _ in range(frames):
            self.step()

    def undo(self, body, points, frames):
        with suppress(supple.SuppleError):  # nothing left to undo
            for _ in range(3):
                self.simulation.undo()
        for _ in range(frames):
            self.step()

    def go_on(self, frames: int) -> None:
        while self.frames < frames:
            deeds = (self.poke, self.pinch, self.pull, self.pin, self.cut, self.slit, self.undo)
            names = self.simulation.body_names
            body = names[self.generator.integers(len(names))]
            deed = deeds[self.generator.integers(len(deeds))]
            deed(body, self.simulation.positions(body), int(self.generator.integers(8, 30)))
        self.simulation.move_obstacle("tool", (0.0, 3.0, 0.0))


def smallest_volume(simulation) -> float:
    """Return the least share of its volume that is left to any element in use [-]."""
    world = simulation.engine.world
    left = [simulation.engine.soft_measures.smallest_volume()] if world.tetrahedra.count else []
    for levels in world.levels.values():
        for level in range(levels.count):
            begin, end = levels.block_range(level)
            corners = levels.positions[levels.blocks.corners[begin:end].astype(np.int64)]
            volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6.0
            left.append(float((volumes / levels.blocks.volumes[begin:end]).min(initial=1.0)))
    return min(left)


@pytest.mark.parametrize("seed, levels, frames", [(1, 1, 350), (2, 1, 350), (3, 3, 160)])
def test_whatever_is_done_to_a_body_it_stays_finite_and_comes_to_rest_with_nothing_inside_out(
    seed, levels, frames
):
    torturer = Torturer(seed, levels)
    torturer.go_on(frames)
    *_, report = torturer.simulation.run(4.0)
    assert smallest_volume(torturer.simulation) > 0.1  # 0 is flat
    assert report.kinetic_energy < 1e-4
    assert torturer.simulation.depth() < 1e-6
