"""Every kernel of the mass-spring engine gives in Python what it gives compiled.

Small scenes are run once while every call of a kernel from Python is written down; each is then
repeated on copies of its arguments, compiled and interpreted, with all kernels that it calls. Those that
these scenes do not reach have tests of their own, listed below.
"""

import importlib
import pkgutil
import sys

import numpy as np
import pytest

import supple
from supple.adapt.level_switch import switch
from supple.kernel import KERNELS, is_kernel
from tests.physics.bodies import INTEGRATORS, chain, fabric, irregular_mesh, lattice, sheet
from tests.physics.levelled import levelled_ball, levels_of, split_around

PACKAGES = ("supple.model", "supple.forces", "supple.integrate", "supple.constrain", "supple.adapt")

ELSEWHERE = {
    "meyer_impulse": "tests/forces/test_triangle_drag.py",
    "slow_particles": "tests/forces/test_point_drag.py",
    "neo_hookean_energy": "tests/forces/test_elasticity.py",
    "smallest_volume": "tests/physics/test_soft_bodies.py",
    "place_on_obstacles": "tests/constrain/test_attached_points.py",
    **dict.fromkeys(("place_on_triangles", "row_of"), "tests/constrain/test_carried_by_puppets.py"),
    "attach_to_element": "tests/model/levels/test_levels.py",
    "pass_residual_on": "tests/integrate/descent/test_newton_system.py",
    "help_newton": "tests/integrate/descent/test_threads.py",
    "was_moved_since": "tests/constrain/test_compression_limit.py",
    **dict.fromkeys(
        (
            "rebound",
            "find_half_kicks",
            "place_followers",
            "add_gradient",
            "find_volume_gradients",
        ),
        "tests/constrain/test_compression_rebound.py",
    ),
    **dict.fromkeys(
        ("add_quaternion", "quaternion_at", "mark_inverted_regions", "take_neighbour_rotations"),
        "tests/constrain/test_inverted_elements.py",
    ),
    **dict.fromkeys(
        ("share_by_length", "share_by_stride", "share_by_volume", "limit_grabs"),
        "tests/constrain/test_grab_limit.py",
    ),
}
"""Kernels that the scenes below do not reach, and the tests that compare them."""

CALLS_KEPT = 3


def kernels():
    """Return every kernel by the name of its module and its own."""
    found = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for info in pkgutil.walk_packages(module.__path__, f"{package}."):
            inner = importlib.import_module(info.name)
            for name, value in vars(inner).items():
                if is_kernel(value) and value.py_func.__module__ == inner.__name__:
                    found[f"{inner.__name__}.{name}"] = value
    return found


def copied(value):
    """Return an argument with arrays of its own, also inside bundles."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        items = [copied(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def arrays_in(values):
    """Yield all arrays among arguments, also inside bundles."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from arrays_in(value)


def is_elsewhere(name):
    return name.rpartition(".")[2] in ELSEWHERE


def replace_kernels(patches, stand_ins):
    """Let every module of the package know functions instead of kernels; `stand_ins` has pairs of both."""
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("supple."):
            for compiled, stand_in in stand_ins:
                if vars(module).get(compiled.py_func.__name__) is compiled:
                    patches.setattr(module, compiled.py_func.__name__, stand_in)


@pytest.fixture(scope="module")
def calls():
    """Run a little of everything and return the arguments of the first calls of each kernel."""
    run_everything()  # compiles; a kernel looks its helpers up when it is compiled, so not later
    known = kernels()
    seen = {name: [] for name in known}
    patches = pytest.MonkeyPatch()

    def recorder(name, compiled):
        def call(*arguments):
            if len(seen[name]) == CALLS_KEPT:
                seen[name].pop()  # the first calls, and the last one: levels of detail have mixed by then
            seen[name].append(copied(arguments))
            return compiled(*arguments)

        return call

    replace_kernels(patches, [(compiled, recorder(name, compiled)) for name, compiled in known.items()])
    try:
        run_everything()
    finally:
        patches.undo()
    return seen


@pytest.fixture(scope="module")
def by_hand(calls):
    """Repeat every call in Python; return arguments and answers by name, and the names of all kernels that ran."""
    known, ran, answers = kernels(), set(), {}
    patches = pytest.MonkeyPatch()

    def interpreted(name, compiled):
        def call(*arguments):
            ran.add(name)
            return compiled.py_func(*arguments)

        return call

    stand_ins = [
        (compiled, interpreted(f"{compiled.py_func.__module__}.{compiled.py_func.__name__}", compiled))
        for compiled in KERNELS
    ]
    replace_kernels(patches, stand_ins)
    try:
        for name, found in calls.items():
            answers[name] = []
            for arguments in found:
                own = copied(tuple(arguments))
                answers[name].append((own, interpreted(name, known[name])(*own)))
    finally:
        patches.undo()
    return answers, ran


def run_everything():
    vertices, triangles = irregular_mesh(points=4)
    vertices[:, 2] = 0.3 * vertices[:, 0] ** 2
    material = fabric(30.0, damping=0.1, stretch_limit=0.01)
    scene = supple.Scene(
        sheet(30.0, points=4, damping=0.1).pinned("top-left"),
        supple.Cloth.from_mesh(
            vertices, triangles, material=material, name="mesh", at=(2.0, 0.0, 0.0), aerodynamics="kang"
        ),
        chain(points=4, bending_stiffness=0.01).anchored("start", stiffness=20.0),
        lattice(),
        supple.Cloth.cushion(
            width=0.4, height=0.4, columns=4, rows=4, name="cushion", at=(0.0, 3.0, 0.0), pressure=5.0
        ),
        supple.Puppet(
            moments=[0, 1], samples=[np.eye(3), 2.0 * np.eye(3)], triangles=[[0, 1, 2]], at=(9.0, 0.0, 0.0)
        ),
        supple.Wind(velocity=(1.0, 0.2, 3.0), gusts=0.3),
        supple.Fan(at=(0.0, 0.0, -1.0), direction=(0.0, 0.0, 1.0), speed=2.0),
        supple.Water(level=-0.2),
        drag=0.2,
    )
    soft_scene = supple.Scene(
        *scene.bodies, supple.SoftBody.box((0.4, 0.4, 0.4), 0.4, material="jelly", name="jelly"), drag=0.2
    )
    for integrator in (*INTEGRATORS, "descent"):
        one = scene if integrator in ("xpbd", "descent") else soft_scene
        simulation = supple.Simulation(one, integrator=integrator, substeps=1)
        simulation.grab("lattice", 0, (0.0, 0.0, 0.5))
        simulation.push("chain", 1, (0.0, 0.0, 0.1))
        particles = simulation.engine.world.particles
        particles.velocities += 0.3 * np.random.default_rng(0).standard_normal(particles.velocities.shape)
        simulation.step()
        simulation.step()
        for body in simulation.body_names:
            simulation.surface(body)
        simulation.set(waters=())  # dry cloth has a kernel of its own
        simulation.step()
    bend_a_mesh_of_springs()
    stretch_a_mesh_that_rubs()
    drop_a_soft_ball()
    shake_a_neo_hookean_box_under_a_card()
    lay_a_sheet_on_a_sheet()
    drop_a_sheet_on_a_box()
    poke_a_ball_of_two_levels()
    cut_a_sheet()
    take_a_piece_off()
    mix_levels()


def drop_a_sheet_on_a_box():
    """Let a sheet large enough for two levels of groups fall freely, then onto edges."""
    falling = supple.Cloth.rectangle(
        width=0.4, height=0.4, columns=21, rows=21, plane="xz", at=(0.0, 0.18, 0.0), velocity=(0.0, -0.5, 0.0)
    )
    box = supple.Box(size=(0.15, 0.2, 0.15), friction=0.3)
    simulation = supple.Simulation(supple.Scene(falling, box), integrator="descent", substeps=1)
    for _ in range(8):
        simulation.step()


def bend_a_mesh_of_springs():
    vertices, triangles = irregular_mesh(points=4)
    vertices[:, 2] = 0.3 * vertices[:, 0] ** 2
    mesh = supple.Cloth.from_mesh(vertices, triangles, material=fabric(30.0), membrane="springs")
    supple.Simulation(supple.Scene(mesh), integrator="descent", substeps=1).step()


def stretch_a_mesh_that_rubs():
    vertices, triangles = irregular_mesh(points=4)
    laws = {"stretch_friction": 3.0, "shear_friction": 1.0, "bending_friction": 1e-3}
    material = fabric(30.0).changed(stiffening=[[0.01, 2.0], [0.05, 5.0]], **laws)
    mesh = supple.Cloth.from_mesh(vertices, triangles, material=material)
    for integrator in ("explicit", "descent"):
        simulation = supple.Simulation(supple.Scene(mesh), integrator=integrator, substeps=1)
        particles = simulation.engine.world.particles
        particles.velocities += 3.0 * np.random.default_rng(0).standard_normal(particles.velocities.shape)
        simulation.step()
        simulation.step()


def drop_a_soft_ball():
    ball = supple.SoftBody.ball(0.1, 0.1, material="jelly", at=(0.0, 0.103, 0.0))
    simulation = supple.Simulation(supple.Scene(ball, supple.Plane()), integrator="descent", substeps=1)
    for _ in range(3):  # it is fast enough by then to be watched for an impact
        simulation.step()


def shake_a_neo_hookean_box_under_a_card():
    box = supple.SoftBody.box((0.2, 0.2, 0.2), 0.2, material="jelly", elasticity="neo-hookean", name="box")
    other = box.changed(elasticity="averaged", name="other", at=(3.0, 0.0, 0.0))
    card = sheet(30.0, points=3).changed(name="card", at=(0.0, 2.0, 0.0), aerodynamics={"lead": 0.4})
    for integrator in ("explicit", "descent"):
        scene = supple.Scene(box, other, card, supple.Wind(velocity=(1.0, 0.3, 0.5)))
        simulation = supple.Simulation(scene, integrator=integrator, substeps=1)
        particles = simulation.engine.world.particles
        particles.velocities += 0.1 * np.random.default_rng(0).standard_normal(particles.velocities.shape)
        simulation.step()


def lay_a_sheet_on_a_sheet():
    lower, upper = (
        supple.Cloth.rectangle(
            width=0.2, height=0.2, columns=4, rows=4, plane="xz", name=name, at=at, velocity=velocity,
            self_contact="exact", thickness=0.004, friction=0.3,
        )
        for name, at, velocity in (
            ("lower", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            ("upper", (0.03, 0.008, 0.02), (0.1, -0.3, 0.0)),
        )
    )  # fmt: skip
    simulation = supple.Simulation(supple.Scene(lower, upper), integrator="descent", substeps=1)
    for _ in range(4):
        simulation.step()


def cut_a_sheet():
    simulation = supple.Simulation(supple.Scene(sheet(30.0, points=4)), integrator="filter")
    simulation.step()
    simulation.seam((simulation.body_names[0], [0, 1]), (simulation.body_names[0], [14, 15]), seconds=0.1)
    corner = simulation.positions(simulation.body_names[0])[0]
    middle = simulation.positions(simulation.body_names[0]).mean(axis=0)
    simulation.cut(simulation.body_names[0], path=[corner, middle])
    simulation.step()


def take_a_piece_off():
    wind = supple.Wind(velocity=(0.0, 0.0, 2.0))
    simulation = supple.Simulation(supple.Scene(sheet(30.0, points=4), wind), integrator="filter")
    simulation.step()
    places = simulation.positions(simulation.body_names[0])
    simulation.cut(simulation.body_names[0], plane=(places.mean(axis=0), (1.0, 0.3, 0.2)))
    simulation.step()


def poke_a_ball_of_two_levels():
    material = supple.SoftMaterial(young=500.0, damping=0.1)
    ball = supple.SoftBody.ball(0.1, 0.08, material=material, levels=2, name="ball")
    below = {"where": {"box": ((-1.0, -1.0, -1.0), (1.0, -0.05, 1.0))}}
    stone = supple.Sphere(radius=0.05, at=(0.0, 0.148, 0.0), mass=0.1)
    simulation = supple.Simulation(supple.Scene(ball.changed(pins=[below]), stone), integrator="filter")
    for _ in range(3):
        simulation.step()


def mix_levels():
    levels = levels_of(levelled_ball())
    switch(levels, split_around(levels, (0.05, 0.04, 0.05)))


def test_every_kernel_was_called_or_has_a_test_of_its_own(calls, by_hand):
    assert {name.rpartition(".")[2] for name in set(calls) - by_hand[1]} == set(ELSEWHERE)


@pytest.mark.parametrize("name", [name for name in sorted(kernels()) if not is_elsewhere(name)])
def test_a_kernel_gives_in_python_what_it_gives_compiled(calls, by_hand, name):
    compiled = kernels()[name]
    for arguments, (changed, expected) in zip(calls[name], by_hand[0][name], strict=True):
        own = copied(tuple(arguments))
        answer = compiled(*own)
        if expected is not None:
            # The system of descent is solved in single precision.
            np.testing.assert_allclose(
                answer, expected, rtol=1e-6 if name.endswith("solve_newton") else 1e-12
            )
        for machine, hand in zip(arrays_in(own), arrays_in(changed), strict=True):
            largest = float(np.abs(hand[np.isfinite(hand)]).max(initial=0.0))  # limits may be infinite
            scale = 1e-12 * max(1.0, largest) if hand.dtype.kind == "f" else 0
            np.testing.assert_allclose(machine, hand, rtol=1e-11, atol=scale)
