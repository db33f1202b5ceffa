"""What contact does to some particles, the others follow: less strain, no trembling, momentum kept."""

import numpy as np

import supple
from supple.integrate.relay import RINGS, Relay, find_rings, relay_moves, trace_moves

STEP = 0.002


def sheet(points=9, **kwargs):
    return supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=points, rows=points, plane="xz", name="cloth", **kwargs
    )


def lifted_middle(points=9):
    """Return a world, its relay, who follows, and moves of 1 mm upwards of the particles in the middle."""
    world = supple.Simulation(supple.Scene(sheet(points, material="cotton")))._world
    places = world.particles.positions
    follows = np.hypot(places[:, 0], places[:, 2]) > 0.3
    moves = np.zeros_like(places)
    moves[~follows, 1] = 1e-3
    return world, Relay(world, STEP), follows, moves


def work(world, moves):
    """Return dᵀ A d / 2 [kg·m²], what the moves cost the substep."""
    diagonal, values = world.step_matrix(STEP)
    pairs = world.couplings.pairs
    return 0.5 * float(
        np.sum(diagonal[:, None] * moves**2)
        + 2.0 * np.sum(values[:, None] * moves[pairs[:, 0]] * moves[pairs[:, 1]])
    )


def test_followers_take_the_strain_out():
    world, relay, follows, moves = lifted_middle()
    alone = work(world, moves)
    relay.pass_on(follows, moves, np.zeros_like(moves))
    assert work(world, moves) < 0.75 * alone  # 0.66 for the exact solution
    assert (moves[~follows, 1] == 1e-3).all()
    assert (0.0 < moves[follows, 1]).all()
    assert (moves[follows, 1] < 1e-3).all()


def test_more_sweeps_come_to_the_solution_of_the_matrix():
    world, relay, follows, moves = lifted_middle()
    dense = np.zeros((len(follows), len(follows)))
    rows = np.repeat(np.arange(len(follows)), np.diff(relay.row_starts))
    dense[rows, relay.columns] = relay.shares
    rest = np.eye(int(follows.sum())) - dense[np.ix_(follows, follows)]
    exact = np.linalg.solve(rest, dense[np.ix_(follows, ~follows)] @ moves[~follows])
    for _ in range(500):
        relay.pass_on(follows, moves, np.zeros_like(moves))
    np.testing.assert_allclose(moves[follows], exact, atol=1e-12)
    # Leaving weak couplings out has not changed what a row passes on of a move that all neighbours share.
    kept = world.inertia(STEP) / (1.0 - dense.sum(axis=1))
    np.testing.assert_allclose(kept, world.step_matrix(STEP)[0], rtol=1e-3)


def test_cloth_that_lies_symmetrically_follows_symmetrically():
    _, relay, follows, moves = lifted_middle()
    relay.pass_on(follows, moves, np.zeros_like(moves))
    heights = moves[:, 1].reshape(9, 9)
    for mirrored in (heights[::-1], heights[:, ::-1], heights.T):
        np.testing.assert_allclose(mirrored, heights, atol=1e-18)


def test_particles_far_from_every_contact_stay():
    world = supple.Simulation(supple.Scene(sheet(17, material="cotton")))._world
    follows = np.arange(17 * 17) != 0
    moves = np.where(follows[:, None], 0.0, 1e-3) * np.ones(3)
    Relay(world, STEP).pass_on(follows, moves, np.zeros_like(moves))
    columns, rows = np.meshgrid(np.arange(17), np.arange(17))
    is_near = np.maximum(columns, rows).ravel() <= RINGS
    assert (moves[is_near] > 0.0).all()
    assert (moves[~is_near] == 0.0).all()


def test_positions_move_by_the_moves_of_those_that_follow():
    _, relay, follows, moves = lifted_middle()
    positions = np.ones_like(moves)
    relay.pass_on(follows, moves, positions)
    np.testing.assert_array_equal(positions[~follows], 1.0)
    np.testing.assert_allclose(positions[follows] - 1.0, moves[follows], atol=1e-15)


def test_every_move_has_a_source():
    _, relay, follows, moves = lifted_middle()
    sources = np.where(follows, -1, 0)
    sources[:20] = np.where(follows[:20], -1, 3)
    relay.pass_on(follows, moves, np.zeros_like(moves))
    relay.trace(moves, sources)
    has_moved = np.abs(moves).max(axis=1) > 0.0
    assert (sources[has_moved] >= 0).all()


def test_plain_python_passes_on_the_same():
    _, relay, follows, moves = lifted_middle(5)
    results = []
    for is_plain in (False, True):
        rings, relays, traces = (
            kernel.py_func if is_plain else kernel for kernel in (find_rings, relay_moves, trace_moves)
        )
        rows, count = (relay.row_starts, relay.columns), len(follows)
        ring_of, order = np.empty(count, dtype=np.int64), np.zeros(count, dtype=np.uint32)
        ends, passed, places = np.zeros(RINGS, dtype=np.int64), moves.copy(), np.zeros_like(moves)
        sources = np.where(follows, -1, 0)
        rings(*rows, follows, ring_of, order, ends)
        relays(*rows, relay.shares, order, ends, np.empty_like(moves), passed, places)
        traces(*rows, relay.shares, ring_of, order, ends, passed, sources)
        results.append((ring_of, order, ends, passed, places, sources))
    for compiled, plain in zip(*results, strict=True):
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-15)


def test_draped_silk_comes_to_rest_without_any_drag():
    scene = supple.Scene(
        sheet(24, material="silk", at=(0.0, 0.36, 0.0)), supple.Sphere(radius=0.3, friction=0.4), drag=0.0
    )
    simulation = supple.Simulation(scene, substeps=10)
    for _ in simulation.run(5.0):
        pass
    speeds = []
    for _ in simulation.run(1.0):
        speeds.append(np.sqrt(np.mean(np.sum(simulation.velocities("cloth") ** 2, axis=1))))
    assert simulation._obstacles.contact_count > 200
    assert max(speeds) < 0.015  # 0.07 to 0.2 m/s where only particles in contact are moved


def test_a_smaller_step_has_rows_of_its_own():
    simulation = supple.Simulation(supple.Scene(sheet(5)))
    integrator = simulation._integrator
    coarse, fine = integrator.relay(0.004), integrator.relay(0.001)
    assert integrator.relay(0.004) is coarse
    assert fine.shares.max() < coarse.shares.max()
    simulation.set("cloth", stretch_stiffness=10.0)
    assert integrator.relay(0.004) is not coarse
