"""Tasks: what there is, how it starts, and how well it is done, from 0 to 1."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from supple.learn.gripper import Gripper
from supple.render.image import depths_of
from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.camera import Camera
from supple.scene.obstacles.solids import Capsule, Plane
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.simulation import Simulation
from supple.sweeps.distributions import Distribution, log_uniform, uniform

Floats = NDArray[np.float64]

SIZE = 0.5
"""Width of the cloth on the floor [m]."""

RESOLUTION = 64
"""Cells along each side of the area in which coverage is counted."""

ABOVE = Camera(at=(0.0, 4.0, 0.0), look_at=(0.0, 0.0, 0.0), fov_deg=2.0 * np.degrees(np.arctan(0.125)))
"""From where coverage is counted: 1 m of floor to each side."""

ON_THE_FLOOR = Settings(substeps=1)
"""Cloth that is pushed about on a floor: with `descent` one substep a frame is as near to `explicit` as ten."""


class Task(ABC):
    """One thing to be learned."""

    name: ClassVar[str]
    """As in `supple/NAME-v0`."""

    body: ClassVar[str] = "cloth"
    """What is handled."""

    threshold: ClassVar[float]
    """Score from which the task is solved."""

    low: ClassVar[tuple[float, float, float]] = (-0.5, 0.0, -0.5)
    """Lower corner of where the gripper may go [m]."""

    high: ClassVar[tuple[float, float, float]] = (0.5, 0.5, 0.5)
    """Upper corner [m]."""

    carry_height: ClassVar[float] = 0.25
    """Height at which pick-and-place carries [m]."""

    width: ClassVar[float] = 0.0
    """Width of the gripper: vertices so near to the one picked are taken along [m]."""

    settling: ClassVar[int] = 20
    """Frames after pick-and-place has let go, before the score is taken."""

    steps: ClassVar[int] = 10
    """Steps of an episode with pick-and-place."""

    camera: ClassVar[Camera] = Camera(at=(0.0, 1.1, 1.0), look_at=(0.0, 0.05, 0.0), fov_deg=45.0)
    """Where images are taken from."""

    randomised: ClassVar[dict[str, Distribution]] = {
        "cloth.material.stretch_stiffness": log_uniform(300.0, 3000.0),
        "cloth.material.bending_stiffness": log_uniform(1e-5, 1e-4),
        "cloth.material.area_density": uniform(0.1, 0.3),
        "plane.friction": uniform(0.4, 0.8),
    }
    """Fields that domain randomisation changes."""

    def __init__(self, points: int) -> None:
        """Take the number of points along a side of the cloth, or of the rope."""
        self.points = points

    @abstractmethod
    def scene(self) -> Scene:
        """Return what there is."""

    def begin(self, simulation: Simulation, random: np.random.Generator) -> Floats:
        """Bring the scene into a random start, and return where the gripper begins (3,) [m]."""
        return np.array((0.0, self.carry_height, 0.0))

    def held(self) -> NDArray[np.integer]:
        """Return vertices that the gripper holds from the start to the end; none if it grasps by itself."""
        return np.zeros(0, dtype=np.int64)

    @abstractmethod
    def key_points(self) -> NDArray[np.integer]:
        """Return the vertices that say most about the shape."""

    @abstractmethod
    def score(self, simulation: Simulation) -> float:
        """Return how well it is done, 0 to 1."""


def flat_cloth(points: int, name: str = "cloth") -> Cloth:
    """Return a square of cloth just above the floor."""
    return Cloth.rectangle(
        width=SIZE, height=SIZE, columns=points, rows=points, plane="xz", at=(0.0, 0.004, 0.0), name=name,
        material="cotton", colour="#c8452f",
    )  # fmt: skip


def grid_key_points(points: int) -> NDArray[np.int64]:
    """Return the corners, the middles of the sides and the centre of a square of points, row by row."""
    ticks = [0, points // 2, points - 1]
    return np.array([row * points + column for row in ticks for column in ticks])


def disturb(simulation: Simulation, vertex: int, target: Floats) -> None:
    """Lift a vertex, carry it elsewhere and let it go, as somebody would who makes a mess."""
    gripper = Gripper(simulation, "cloth", simulation.positions("cloth")[vertex])
    gripper.hold(np.array([vertex]))
    for place in ([*gripper.position[:1], 0.12, *gripper.position[2:]], [target[0], 0.12, target[2]], target):
        gripper.carry(np.array(place), 0.7)
    gripper.open()
    for _ in range(12):
        simulation.step()


class Smooth(Task):
    """A crumpled cloth is to be spread out: the score is the share of its area that is seen from above."""

    name = "Smooth"
    threshold = 0.85
    carry_height = 0.08

    def scene(self) -> Scene:
        """Return a cloth on a floor."""
        return Scene(
            flat_cloth(self.points), Plane(friction=0.7), self.camera, drag=1.0, settings=ON_THE_FLOOR
        )

    def begin(self, simulation: Simulation, random: np.random.Generator) -> Floats:
        """Crumple the cloth: two corners are carried to its middle."""
        last = self.points - 1
        corners = np.array([0, last, last * self.points, self.points * self.points - 1])
        for vertex in random.permutation(corners)[:2].tolist():
            target = np.array([*random.uniform(-0.12, 0.12, 2), 0.0])[[0, 2, 1]]
            disturb(simulation, vertex, target)
        return super().begin(simulation, random)

    def key_points(self) -> NDArray[np.integer]:
        """Return nine points of the grid."""
        return grid_key_points(self.points)

    def score(self, simulation: Simulation) -> float:
        """Return the covered share."""
        return min(coverage(simulation) / SIZE**2, 1.0)


def coverage(simulation: Simulation) -> float:
    """Return the area that a cloth covers on the floor [m²], counted in cells seen from above."""
    size = RESOLUTION, RESOLUTION
    seen = depths_of(simulation.positions("cloth"), simulation.triangles("cloth"), ABOVE, size)
    # A cell shows less floor the nearer the cloth is to the camera.
    depth = np.where(np.isfinite(seen), seen, 0.0).astype(np.float64)
    return float(((depth / ABOVE.focal(RESOLUTION)) ** 2).sum())


class Fold(Task):
    """A flat cloth is to be folded in half.

    The score is how near the points of one half are to their partners, times the share of the folded area that is seen from
    above: a ball of cloth is not folded.
    """

    name = "Fold"
    threshold = 0.75
    carry_height = 0.1

    def scene(self) -> Scene:
        """Return a cloth on a floor."""
        return Scene(
            flat_cloth(self.points), Plane(friction=0.7), self.camera, drag=1.0, settings=ON_THE_FLOOR
        )

    def begin(self, simulation: Simulation, random: np.random.Generator) -> Floats:
        """Turn the cloth a little and move it a little."""
        angle, shift = random.uniform(-0.2, 0.2), random.uniform(-0.05, 0.05, 2)
        points = simulation.positions("cloth").copy()
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        points[:, [0, 2]] = points[:, [0, 2]] @ turn.T + shift
        simulation.set("cloth", positions=points)
        for _ in range(5):
            simulation.step()
        return super().begin(simulation, random)

    def key_points(self) -> NDArray[np.integer]:
        """Return nine points of the grid."""
        return grid_key_points(self.points)

    def score(self, simulation: Simulation) -> float:
        """Return 1 where partners lie on each other, 0 where they are as far as in the flat cloth."""
        grid = simulation.positions("cloth").reshape(self.points, self.points, 3)
        half = self.points // 2
        left, right = grid[:, :half], grid[:, ::-1][:, :half]
        flat = SIZE * (1.0 - 2.0 * np.arange(half) / (self.points - 1))
        apart = np.linalg.norm(left - right, axis=2).mean() / flat.mean()
        flatness = min(coverage(simulation) / (0.5 * SIZE**2), 1.0)
        return float(np.clip(1.0 - apart, 0.0, 1.0)) * flatness


class Hang(Task):
    """A cloth on the floor is to be hung over a rod: the score is how high its points are on average."""

    name = "Hang"
    threshold = 0.75
    low, high = (-0.7, 0.0, -0.7), (0.7, 0.9, 0.7)
    carry_height = 0.8
    settling = 60
    width = 0.1
    steps = 2
    rod_height: ClassVar[float] = 0.55
    rod_z: ClassVar[float] = -0.35
    camera = Camera(at=(0.9, 0.9, 1.3), look_at=(0.0, 0.3, -0.1), fov_deg=45.0)

    def scene(self) -> Scene:
        """Return a cloth on a floor, and a rod behind it."""
        end = (0.4, self.rod_height, self.rod_z)
        rod = Capsule(
            start=(-end[0], end[1], end[2]), end=end, radius=0.05, friction=1.0, name="rod", colour="steel"
        )
        cloth = flat_cloth(self.points).changed(at=(0.0, 0.004, 0.15))
        return Scene(cloth, Plane(friction=0.6), rod, self.camera, settings=Settings(substeps=6))

    def begin(self, simulation: Simulation, random: np.random.Generator) -> Floats:
        """Move the cloth a little."""
        points = simulation.positions("cloth").copy()
        points[:, [0, 2]] += random.uniform(-0.04, 0.04, 2)
        simulation.set("cloth", positions=points)
        return np.array((0.0, self.carry_height, 0.15))

    def key_points(self) -> NDArray[np.integer]:
        """Return nine points of the grid."""
        return grid_key_points(self.points)

    def score(self, simulation: Simulation) -> float:
        """Return the mean height, in that of the rod."""
        return float(np.clip(simulation.positions("cloth")[:, 1].mean() / self.rod_height, 0.0, 1.0))


class Dress(Task):
    """A sleeve is to be drawn over an arm: the score is the share of the arm that is inside it.

    The gripper holds the rim of the sleeve all the time.
    """

    name = "Dress"
    threshold = 0.7
    low, high = (-0.6, -0.3, -0.4), (0.6, 0.3, 0.4)
    arm_length: ClassVar[float] = 0.4
    radius: ClassVar[float] = 0.09
    steps = 8
    camera = Camera(at=(0.3, 0.5, 1.3), look_at=(0.0, 0.0, 0.0), fov_deg=45.0)
    randomised: ClassVar[dict[str, Distribution]] = {
        key: value for key, value in Task.randomised.items() if not key.startswith("plane")
    }

    def scene(self) -> Scene:
        """Return a tube of cloth beside an arm that points at it."""
        around, along = 2 * self.points, self.points
        angles = 2.0 * np.pi * np.arange(around) / around
        places = np.linspace(0.0, 0.25, along)
        ring = np.stack([np.zeros(around), np.cos(angles), np.sin(angles)], axis=1) * self.radius
        vertices = np.concatenate([ring + np.array((0.12 + x, 0.0, 0.0)) for x in places])
        faces = []
        for row in range(along - 1):
            for n in range(around):
                a, b = row * around + n, row * around + (n + 1) % around
                faces += [(a, a + around, b), (b, a + around, b + around)]
        sleeve = Cloth.from_mesh(vertices, np.array(faces), material="cotton", name="cloth", colour="#2f7f86")
        start, end = (-0.1 - self.arm_length, 0.0, 0.0), (0.1 - 0.03, 0.0, 0.0)
        arm = Capsule(start=start, end=end, radius=0.035, friction=0.2, name="arm", colour="skin")
        return Scene(sleeve, arm, self.camera, settings=Settings(substeps=6))

    def begin(self, simulation: Simulation, random: np.random.Generator) -> Floats:
        """Move the sleeve a little aside."""
        shift = np.array([0.0, *random.uniform(-0.02, 0.02, 2)])
        simulation.set("cloth", positions=simulation.positions("cloth") + shift)
        at: Floats = np.array((0.12, 0.0, 0.0)) + shift
        return at

    def held(self) -> NDArray[np.integer]:
        """Return the rim that is nearest to the arm."""
        return np.arange(2 * self.points)

    def key_points(self) -> NDArray[np.integer]:
        """Return four points of each rim."""
        around = 2 * self.points
        quarter = np.arange(4) * around // 4
        return np.concatenate([quarter, (self.points - 1) * around + quarter])

    def score(self, simulation: Simulation) -> float:
        """Return the share of the arm that is inside, 0 unless its tip is in the opening."""
        around = 2 * self.points
        rows = simulation.positions("cloth").reshape(self.points, around, 3)
        middles = rows.mean(axis=1)
        near = np.hypot(middles[:, 1], middles[:, 2]) < self.radius - 0.02
        tip = 0.1
        inside = near & (middles[:, 0] < tip)
        if not inside.any():
            return 0.0
        return float(np.clip((tip - middles[inside, 0].min()) / self.arm_length, 0.0, 1.0))


class Rope(Task):
    """A rope on the floor is to lie straight on a line: the score is how near its points are to theirs."""

    name = "Rope"
    body = "chain"
    threshold = 0.8
    steps = 8
    carry_height = 0.05
    length: ClassVar[float] = 0.7
    randomised: ClassVar[dict[str, Distribution]] = {
        "chain.linear_density": uniform(0.05, 0.2),
        "plane.friction": uniform(0.4, 0.8),
    }

    def scene(self) -> Scene:
        """Return a rope on a floor."""
        rope = Chain(
            length=self.length, points=self.points, at=(-0.5 * self.length, 0.008, 0.0), rotation=(0.0, 0.0, 0.5 * np.pi),
            linear_density=0.1, stretch_stiffness=2000.0, bending_stiffness=5e-4, damping=0.05, diameter=0.012, name="chain",
            colour="yellow",
        )  # fmt: skip
        return Scene(rope, Plane(friction=0.7), self.camera, drag=2.0, settings=Settings(substeps=6))

    def begin(self, simulation: Simulation, random: np.random.Generator) -> Floats:
        """Carry both ends elsewhere."""
        for vertex, side in ((0, -1.0), (self.points - 1, 1.0)):
            angle = random.uniform(0.9, 2.0) * side
            target = np.array((0.2 * side * np.cos(angle), 0.008, 0.3 * np.sin(angle)))
            gripper = Gripper(simulation, "chain", simulation.positions("chain")[vertex])
            gripper.hold(np.array([vertex]))
            gripper.carry(target + np.array((0.0, 0.04, 0.0)), 0.5)
            gripper.carry(target, 0.5)
            gripper.open()
        for _ in range(10):
            simulation.step()
        return super().begin(simulation, random)

    def goal(self) -> Floats:
        """Return where the points should be, (points, 3) [m]."""
        places = np.linspace(-0.5 * self.length, 0.5 * self.length, self.points)
        return np.stack([places, np.zeros(self.points), np.zeros(self.points)], axis=1)

    def key_points(self) -> NDArray[np.integer]:
        """Return nine points along the rope."""
        return np.unique(np.linspace(0, self.points - 1, 9).round().astype(np.int64))

    def score(self, simulation: Simulation) -> float:
        """Return 1 on the line, 0 at a mean distance of 0.3 m."""
        points, goal = simulation.positions("chain"), self.goal()
        apart = min(np.hypot(*(points - way)[:, [0, 2]].T).mean() for way in (goal, goal[::-1]))
        return float(np.clip(1.0 - apart / 0.3, 0.0, 1.0))


TASKS: dict[str, type[Task]] = {task.name: task for task in (Smooth, Fold, Hang, Dress, Rope)}
"""Tasks by name."""
