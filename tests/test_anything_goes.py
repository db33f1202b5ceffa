"""Anything goes: random scenes in random hands stay finite, keep out of obstacles, and go on the same from a file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import supple
from supple import Simulation, SuppleError

FRAMES = 16
FARTHEST = 200.0  # m; hands pull by 5 m at most, and nothing falls or flies that long
DEEPEST = 1.0e-4  # m

Random = np.random.Generator


def triple(rng: Random, most: float) -> tuple[float, float, float]:
    x, y, z = rng.uniform(-most, most, 3).tolist()
    return x, y, z


def random_body(rng: Random, name: str, height: float):
    at = (float(rng.uniform(-0.2, 0.2)), height, float(rng.uniform(-0.2, 0.2)))
    kind = rng.choice(["cloth", "cloth", "cloth", "chain", "soft", "lattice", "cushion"])
    if kind == "chain":
        return supple.Chain(length=0.8, points=int(rng.integers(2, 12)), at=at, name=name)
    if kind == "soft":
        material = str(rng.choice(["jelly", "rubber", "foam"]))
        return supple.SoftBody.box(size=(0.3, 0.2, 0.2), cell=0.12, material=material, at=at, name=name)
    if kind == "lattice":
        return supple.Lattice(size=(0.3, 0.3, 0.3), cells=(2, 2, 2), at=at, name=name)
    touch = str(rng.choice(["off", "exact", "points"]))
    if kind == "cushion":
        gas = supple.Pressure(overpressure=float(10.0 ** rng.uniform(0.0, 3.0)))
        size = {"width": 0.4, "height": 0.4, "columns": 5, "rows": 5}
        return supple.Cloth.cushion(**size, plane="xz", pressure=gas, self_contact=touch, at=at, name=name)
    cloth = supple.Cloth.rectangle(
        width=float(rng.uniform(0.2, 0.8)),
        height=float(rng.uniform(0.2, 0.8)),
        columns=int(rng.integers(2, 9)),
        rows=int(rng.integers(2, 9)),
        plane=str(rng.choice(["xy", "xz"])),
        rotation=triple(rng, 0.3),
        material=str(rng.choice(["silk", "cotton", "denim"])),
        self_contact=touch,
        at=at,
        name=name,
    )
    return cloth.pinned("top-left", "top-right") if rng.random() < 0.5 else cloth


def random_scene(rng: Random) -> supple.Scene:
    """Return one to three bodies above a floor and a solid that stands on it, perhaps in the wind or in water."""
    parts = [random_body(rng, f"b{n}", 0.9 + 0.7 * n) for n in range(int(rng.integers(1, 4)))]
    touch = {"friction": float(rng.uniform(0.0, 1.0)), "restitution": float(rng.choice([0.0, 0.5]))}
    solids = [
        supple.Sphere(radius=0.25, at=(0.1, 0.25, 0.0), **touch),
        supple.Box(size=(0.4, 0.3, 0.3), at=(0.0, 0.15, 0.1), **touch),
        supple.Capsule(start=(-0.3, 0.3, 0.0), end=(0.3, 0.3, 0.1), radius=0.02, **touch),
        supple.Torus(radius=0.3, tube=0.06, at=(0.0, 0.3, 0.0), **touch),
    ]
    flows = [
        supple.Wind(velocity=triple(rng, 8.0), gusts=0.5),
        supple.Water(level=0.3, current=triple(rng, 1.0)),
    ]
    chosen = [flow for flow in flows if rng.random() < 0.25]
    return supple.Scene(*parts, solids[int(rng.integers(len(solids)))], supple.Plane(), *chosen)


def random_setting(rng: Random, simulation: Simulation, body: str) -> None:
    own = {
        "stretch_stiffness": 10.0 ** rng.uniform(0.0, 6.0),
        "bending_stiffness": 10.0 ** rng.uniform(-9.0, -2.0),
        "damping": 10.0 ** rng.uniform(-4.0, 1.0),
        "density": 10.0 ** rng.uniform(-2.0, 3.0),
        "young": 10.0 ** rng.uniform(2.0, 6.0),
        "pressure": 10.0 ** rng.uniform(0.0, 3.0),
    }
    everywhere = {"gravity": triple(rng, 15.0), "substeps": int(rng.integers(1, 16)), "drag": 2.0}
    name = str(rng.choice([*own, *everywhere]))
    if name in own:
        simulation.set(body, **{name: float(own[name])})
    else:
        simulation.set(**{name: everywhere[name]})


def random_seam(rng: Random, simulation: Simulation, body: str) -> None:
    other = str(rng.choice(simulation.body_names))
    counts = [len(simulation.positions(name)) for name in (body, other)]
    length = min(4, *counts)
    firsts = [int(rng.integers(count - length + 1)) for count in counts]
    chains = [list(range(first, first + length)) for first in firsts]
    simulation.seam((body, chains[0]), (other, chains[1]), seconds=float(rng.choice([0.0, 0.2])))


def act(rng: Random, simulation: Simulation) -> str:
    """Do something to a random body, and return what; what makes no sense raises a SuppleError."""
    body = str(rng.choice(simulation.body_names))
    points = np.array(simulation.positions(body))
    vertex, middle = int(rng.integers(len(points))), points.mean(axis=0)
    some = rng.choice(len(points), min(len(points), 8), replace=False).tolist()
    path = points[rng.integers(0, len(points), 3)]
    far = tuple(middle + float(rng.choice([0.2, 1.0, 5.0])) * np.array(triple(rng, 1.0)) + (0.0, 1.0, 0.0))
    normal, ratio, strain = triple(rng, 1.0), float(rng.uniform(0.2, 2.0)), float(rng.uniform(0.05, 0.5))
    triangles = simulation.triangles(body)
    ways: dict[str, Callable[[], object]] = {
        "grab": lambda: simulation.grab(body, vertex, far),
        "release": simulation.release_all,
        "pin": lambda: simulation.pin(body, vertex),
        "unpin": lambda: simulation.unpin(body, vertex),
        "cut along a path": lambda: simulation.cut(body, path=path),
        "cut by a plane": lambda: simulation.cut(body, plane=(tuple(middle), normal)),
        "tear": lambda: simulation.tear(body, strain),
        "shrink": lambda: simulation.shrink(body, some, ratio, 0.1),
        "seam": lambda: random_seam(rng, simulation, body),
        "erase": lambda: simulation.erase(body, [int(rng.integers(max(1, len(triangles))))]),
        "set": lambda: random_setting(rng, simulation, body),
        "undo": simulation.undo,
        "redo": simulation.redo,
    }
    chosen = str(rng.choice(list(ways)))
    ways[chosen]()
    return chosen


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("integrator", "seed"),
    [
        *(("filter", seed) for seed in range(4)),
        *(("implicit", seed) for seed in range(3)),
        *(("jacobi", seed) for seed in range(3)),
        *(("explicit", seed) for seed in range(1, 4)),
    ],
)
def test_whatever_is_done_everything_stays_finite_outside_and_the_same_from_a_file(
    integrator, seed, tmp_path
):
    rng = np.random.default_rng(100 * seed + len(integrator))
    scene = random_scene(rng)
    simulation = Simulation(scene, integrator=integrator, substeps=8, on_intersection="untangle")
    twin: Simulation | None = None
    for frame in range(FRAMES):
        if frame == FRAMES // 2:
            simulation.save(tmp_path / "half.npz")
            twin = Simulation.load(tmp_path / "half.npz")
        if rng.random() < 0.6:
            choice = int(rng.integers(1 << 30))
            for each in (simulation, twin):
                if each is not None:
                    try:
                        act(np.random.default_rng(choice), each)
                    except SuppleError:
                        pass  # refused, in words, and nothing was done
        assert simulation.step().is_finite
        assert simulation.depth() < DEEPEST
        places = {name: np.array(simulation.positions(name)) for name in simulation.body_names}
        assert max(np.abs(points).max() for points in places.values()) < FARTHEST
        if twin is not None:
            twin.step()
            assert twin.body_names == simulation.body_names
            for name, points in places.items():
                np.testing.assert_array_equal(twin.positions(name), points)
