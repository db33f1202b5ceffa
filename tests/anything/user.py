"""A random user: any scene, and anything that can be done to it.

Everything follows from numbers: the scene from a seed, and every action from a number of its own, so a session can be
repeated, and shortened by leaving actions out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import supple
from supple import Simulation
from tests.physics.bodies import irregular_mesh

Random = np.random.Generator
Act = Callable[[], object]

INTEGRATORS = ("descent", "descent", "filter", "implicit", "jacobi", "explicit", "xpbd")
TOUCHES = ("off", "exact", "exact", "points")


def triple(random: Random, most: float) -> tuple[float, float, float]:
    x, y, z = random.uniform(-most, most, 3).tolist()
    return x, y, z


# ---------------------------------------------------------------- scenes


def rectangle(random: Random, touch: str) -> supple.Cloth:
    cloth = supple.Cloth.rectangle(
        width=float(random.uniform(0.2, 0.8)),
        height=float(random.uniform(0.2, 0.8)),
        columns=int(random.integers(2, 9)),
        rows=int(random.integers(2, 9)),
        plane=str(random.choice(["xy", "xz"])),
        rotation=triple(random, 0.3),
        material=str(random.choice(["silk", "cotton", "denim"])),
        self_contact=touch,
    )
    return cloth.pinned("top-left", "top-right") if random.random() < 0.5 else cloth


def mesh_cloth(random: Random, touch: str) -> supple.Cloth:
    vertices, triangles = irregular_mesh(points=int(random.integers(4, 7)))
    return supple.Cloth.from_mesh(0.5 * vertices, triangles, self_contact=touch)


def cushion(random: Random, touch: str) -> supple.Cloth:
    gas = supple.Pressure(overpressure=float(10.0 ** random.uniform(0.0, 3.0)))
    size = {"width": 0.4, "height": 0.4, "columns": 5, "rows": 5}
    return supple.Cloth.cushion(**size, plane="xz", pressure=gas, self_contact=touch)


def bezier(random: Random, touch: str) -> supple.Cloth:
    net = np.stack(np.meshgrid(np.linspace(-0.3, 0.3, 3), np.linspace(-0.3, 0.3, 3), [0.0]), axis=-1)[:, :, 0]
    net[:, :, 2] = random.uniform(-0.05, 0.05, (3, 3))
    return supple.Cloth.bezier(net, columns=6, rows=6, self_contact=touch)


def network(random: Random, touch: str) -> supple.Network:
    points = random.uniform(-0.2, 0.2, (8, 3))
    springs = [[a, b] for a in range(8) for b in range(a) if random.random() < 0.4] or [[0, 1]]
    return supple.Network(
        points=points, springs=springs, stiffness=float(10.0 ** random.uniform(0.0, 4.0)), mass=0.01
    )


def lattice(random: Random, touch: str) -> supple.Lattice:
    x, y, z = random.integers(1, 4, 3).tolist()
    return supple.Lattice(size=(0.3, 0.3, 0.3), cells=(x, y, z))


def soft(random: Random, touch: str) -> supple.SoftBody:
    options = {
        "material": str(random.choice(["jelly", "rubber", "foam"])),
        "self_contact": "exact" if touch == "exact" else "off",
    }
    if random.random() < 0.5:
        return supple.SoftBody.box(size=(0.3, 0.2, 0.2), cell=0.12, **options)
    if random.random() < 0.5:
        return supple.SoftBody.ball(0.15, 0.1, material=options["material"], levels=2)
    return supple.SoftBody.ball(0.15, 0.1, **options)


BODIES: tuple[Callable[[Random, str], supple.Body], ...] = (
    rectangle,
    rectangle,
    mesh_cloth,
    cushion,
    bezier,
    network,
    lattice,
    soft,
    lambda random, touch: supple.Chain(length=0.8, points=int(random.integers(2, 12))),
)


def random_solid(random: Random) -> supple.Obstacle:
    options = {"friction": float(random.uniform(0.0, 1.0)), "restitution": float(random.choice([0.0, 0.5]))}
    if random.random() < 0.2:
        options["mass"] = float(10.0 ** random.uniform(-1.0, 1.0))
    elif random.random() < 0.3:
        path = [
            supple.Keyframe(time=0.0),
            supple.Keyframe(time=0.5, offset=triple(random, 0.5), rotation=triple(random, 1.0)),
        ]
        options["motion"] = supple.Path(keyframes=path)
    at = (float(random.uniform(-0.2, 0.2)), 0.3, float(random.uniform(-0.2, 0.2)))
    x, y, z = random.uniform(0.05, 0.3, 3).tolist()
    tetrahedron = {
        "vertices": 0.3 * np.array([[0.0, 1.0, 0.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0], [0.0, -1.0, -1.0]]),
        "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    }
    solids: list[Callable[[], supple.Obstacle]] = [
        lambda: supple.Sphere(radius=x, at=at, **options),
        lambda: supple.Box(size=(2.0 * x, 2.0 * y, 2.0 * z), at=at, **options),
        lambda: supple.Capsule(start=(-x, 0.3, 0.0), end=(x, 0.3, 0.1), radius=0.1 * y, **options),
        lambda: supple.Cylinder(start=(-x, 0.3, 0.0), end=(x, 0.3, 0.1), radius=y, **options),
        lambda: supple.Torus(radius=0.2 + x, tube=0.3 * y, at=at, **options),
        lambda: supple.Ellipsoid(radii=(x, y, z), at=at, **options),
        lambda: supple.Mesh(**tetrahedron, at=at, **options),
    ]
    return solids[int(random.integers(len(solids)))]()


def random_scene(random: Random) -> supple.Scene:
    """Return one to three bodies above a floor, a solid or two, perhaps in the wind or in water."""
    bodies = []
    for n in range(int(random.integers(1, 4))):
        make = BODIES[int(random.integers(len(BODIES)))]
        at = (float(random.uniform(-0.2, 0.2)), 1.0 + 0.7 * n, float(random.uniform(-0.2, 0.2)))
        bodies.append(make(random, str(random.choice(TOUCHES))).changed(name=f"b{n}", at=at))
    solids = [random_solid(random).changed(name=f"o{n}") for n in range(int(random.integers(0, 3)))]
    flows = [
        supple.Wind(velocity=triple(random, 8.0), gusts=0.5),
        supple.Fan(at=triple(random, 1.0), direction=(1.0, 0.1, 0.2), speed=5.0),
        supple.Water(level=0.3, current=triple(random, 1.0)),
    ]
    floor = supple.Plane(normal=(*triple(random, 0.2)[:1], 1.0, 0.0), offset=-0.2, name="floor")
    return supple.Scene(*bodies, *solids, floor, *(flow for flow in flows if random.random() < 0.25))


def random_simulation(seed: int) -> Simulation:
    """Return the simulation that a session of this seed begins with; a SuppleError tells that there is none."""
    random = np.random.default_rng(seed)
    scene = random_scene(random)
    return Simulation(
        scene,
        integrator=str(random.choice(INTEGRATORS)),
        substeps=int(random.integers(1, 12)),
        on_intersection="untangle",
    )


# ---------------------------------------------------------------- what is done


def random_setting(random: Random, simulation: Simulation, body: str) -> None:
    own = {
        "stretch_stiffness": float(10.0 ** random.uniform(0.0, 6.0)),
        "bending_stiffness": float(10.0 ** random.uniform(-9.0, -2.0)),
        "damping": float(10.0 ** random.uniform(-4.0, 1.0)),
        "density": float(10.0 ** random.uniform(-2.0, 3.0)),
        "young": float(10.0 ** random.uniform(2.0, 6.0)),
        "pressure": float(10.0 ** random.uniform(0.0, 3.0)),
        "self_contact": str(random.choice(["off", "points", "exact"])),
    }
    everywhere = {"gravity": triple(random, 15.0), "substeps": int(random.integers(1, 16)), "drag": 2.0}
    name = str(random.choice([*own, *everywhere]))
    if name in own:
        simulation.set(body, **{name: own[name]})
    else:
        simulation.set(**{name: everywhere[name]})


def lead(random: Random, simulation: Simulation, obstacle: str) -> None:
    """Lead an obstacle a little way, as fast as a hand; floors stay, whose far ends would move much faster."""
    if isinstance(simulation.scene.obstacle(obstacle), supple.Plane):
        return
    place = simulation.obstacle_pose(obstacle)[0] + np.array(triple(random, 0.05))
    simulation.move_obstacle(obstacle, tuple(place), triple(random, 0.1))


def act(number: int, simulation: Simulation) -> str:
    """Do what a number says, and return what that was; what makes no sense raises a SuppleError."""
    random = np.random.default_rng(number)
    body, other = (str(random.choice(simulation.body_names)) for _ in range(2))
    points = np.array(simulation.positions(body))
    vertex, middle = int(random.integers(len(points))), points.mean(axis=0)
    counts = [len(points), len(simulation.positions(other))]
    length = min(4, *counts)
    chains = [
        list(range(first, first + length)) for first in (int(random.integers(n - length + 1)) for n in counts)
    ]
    some = random.choice(len(points), min(len(points), 8), replace=False).tolist()
    path = points[random.integers(0, len(points), 3)] + random.normal(scale=0.02, size=(3, 3))
    far = tuple(
        middle + float(random.choice([0.2, 1.0, 5.0])) * np.array(triple(random, 1.0)) + (0.0, 1.0, 0.0)
    )
    normal, ratio, strain = (
        triple(random, 1.0),
        float(random.uniform(0.2, 2.0)),
        float(random.uniform(0.05, 0.5)),
    )
    edges, rows = simulation.edges(body), max(1, len(simulation.triangles(body)))
    edge = edges[int(random.integers(len(edges)))].tolist() if len(edges) else [0, 1]
    obstacle = str(random.choice(simulation.obstacle_names))
    seam = int(random.choice([*simulation.seams, 0]))
    ways: dict[str, Act] = {
        "grab": lambda: simulation.grab(body, vertex, far),
        "release": simulation.release_all,
        "pin": lambda: simulation.pin(body, vertex),
        "move pin": lambda: simulation.pin(body, vertex, far),
        "unpin": lambda: simulation.unpin(body, vertex),
        "cut along a path": lambda: simulation.cut(body, path=path),
        "cut by a plane": lambda: simulation.cut(body, plane=(tuple(middle), normal)),
        "cut along edges": lambda: simulation.cut(body, edges=edge),
        "tear": lambda: simulation.tear(body, strain),
        "shrink": lambda: simulation.shrink(body, some, ratio, 0.1),
        "seam": lambda: simulation.seam((body, chains[0]), (other, chains[1]), seconds=0.2),
        "seam at once": lambda: simulation.seam((body, chains[0]), (other, chains[1]), seconds=0.0),
        "unseam": lambda: simulation.unseam(seam),
        "erase": lambda: simulation.erase(body, random.integers(rows, size=2)),
        "set": lambda: random_setting(random, simulation, body),
        "move obstacle": lambda: lead(random, simulation, obstacle),
        "release obstacle": lambda: simulation.release_obstacle(obstacle),
        "undo": simulation.undo,
        "redo": simulation.redo,
    }
    chosen = str(random.choice(list(ways)))
    ways[chosen]()
    return f"{chosen} of {body}"
