"""What contact does to some particles, the others follow: less strain, no trembling, momentum kept."""

import numpy as np
import pytest

import supple
from supple.collide.filter_contact.firm_relay import MOST_PRODUCTS, follow_firmly, write_loads
from supple.collide.filter_contact.relay import (
    CLUSTER_WEIGHTS,
    SURPRISES,
    SWEEP_WEIGHTS,
    Relay,
    add_to_sums,
    expect_moves,
    follow,
    keep_to_guess,
    relay_contacts,
    relay_moves,
    trace_moves,
)

STEP = 0.002


def sheet(points=9, **kwargs):
    return supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=points, rows=points, plane="xz", name="cloth", **kwargs
    )


def lifted_middle(points=9):
    """Return a world, its relay, who follows, and moves of 1 mm upwards of the particles in the middle."""
    world = supple.Simulation(
        supple.Scene(sheet(points, material="cotton")), integrator="filter"
    ).engine.world
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


def fresh(moves):
    """Return what a relay finds where nothing has followed yet."""
    return np.zeros((len(moves), 4))


def settle(relay, follows, moves):
    """Repeat the same moves until all follow as they will, and return what the relay remembers of it."""
    last = fresh(moves)
    for _ in range(60):
        moves[follows] = 0.0
        relay.pass_on(follows, moves, last, np.zeros_like(moves))
    return last


def exact_moves(relay, follows, moves):
    """Return the solution that sweeps come to, (follower_count, 3) [m], and the shares as a full matrix."""
    dense = np.zeros((len(follows), len(follows)))
    rows = np.repeat(np.arange(len(follows)), np.diff(relay.row_starts))
    dense[rows, relay.columns] = relay.shares
    rest = np.eye(int(follows.sum())) - dense[np.ix_(follows, follows)]
    return np.linalg.solve(rest, dense[np.ix_(follows, ~follows)] @ moves[~follows]), dense


def test_followers_take_the_strain_out():
    world, relay, follows, moves = lifted_middle()
    alone = work(world, moves)
    relay.pass_on(follows, moves, fresh(moves), np.zeros_like(moves))
    assert work(world, moves) < 0.75 * alone  # 0.66 for the exact solution
    assert (moves[~follows, 1] == 1e-3).all()
    assert (0.0 < moves[follows, 1]).all()
    assert (moves[follows, 1] < 1e-3).all()


def test_substep_by_substep_moves_come_to_the_solution_of_the_matrix():
    world, relay, follows, moves = lifted_middle()
    exact, dense = exact_moves(relay, follows, moves)
    last, errors = fresh(moves), []
    for _ in range(60):
        moves[follows] = 0.0
        relay.pass_on(follows, moves, last, np.zeros_like(moves))
        errors.append(np.abs(moves[follows] - exact).max())
    assert errors[0] < 0.1 * np.abs(exact).max()  # a first contact takes three cycles
    assert errors[3] < 0.1 * errors[0]
    assert errors[-1] < 1e-12
    # Leaving weak couplings out has not changed what a row passes on of a move that all neighbours share.
    kept = world.inertia(STEP) / (1.0 - dense.sum(axis=1))
    np.testing.assert_allclose(kept, world.step_matrix(STEP)[0], rtol=1e-3)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0, -0.5, 4.0])
def test_what_is_expected_grows_and_fades_with_the_contacts(share):
    _, relay, follows, moves = lifted_middle()
    last = settle(relay, follows, moves)
    settled = moves[follows].copy()
    moves *= share
    moves[follows] = 0.0
    relay.pass_on(follows, moves, last, np.zeros_like(moves))
    if 0.0 <= share <= 1.0:  # a push that fades is right at once, nothing is thrown back
        np.testing.assert_allclose(moves[follows], share * settled, atol=1e-9)
    else:  # of a turn, or of a blow, nothing but what the sweeps make of it now
        cold, guess = np.zeros_like(moves), 1.0 if share > 1.0 else 0.0
        cold[~follows] = (share - guess) * 1e-3 * np.array([0.0, 1.0, 0.0])
        relay.pass_on(follows, cold, fresh(moves), np.zeros_like(moves))
        np.testing.assert_allclose(moves[follows], guess * settled + cold[follows], atol=1e-9)


def test_bodies_expect_their_own_moves_only():
    sheets = [
        supple.Cloth.rectangle(
            width=1.0, height=1.0, columns=5, rows=5, plane="xz", at=(0, y, 0), name=f"{y}", material="cotton"
        )
        for y in (0.0, 1.0)
    ]
    relay = Relay(supple.Simulation(supple.Scene(*sheets), integrator="filter").engine.world, STEP)
    follows = np.arange(50) % 25 != 12
    last = np.zeros((50, 4))
    for lift in (*(1e-3,) * 60, 0.0):  # the last time only the lower sheet is still pushed
        moves = np.zeros((50, 3))
        moves[12], moves[37] = (0.0, 1e-3, 0.0), (0.0, lift, 0.0)
        relay.pass_on(follows, moves, last, np.zeros_like(moves))
    exact, _ = exact_moves(relay, follows, moves)
    np.testing.assert_allclose(moves[follows], exact, atol=1e-8)
    np.testing.assert_array_equal(moves[25:], 0.0)


@pytest.mark.parametrize("weights, smoothest", [(SWEEP_WEIGHTS, 0.3), (CLUSTER_WEIGHTS, 0.01)])
def test_no_sweep_lets_an_error_grow(weights, smoothest):
    eigenvalues = np.linspace(0.0, 2.0, 2001)
    left = np.cumprod([1.0 - weight * eigenvalues for weight in weights], axis=0)
    assert np.abs(left[-1]).max() <= 1.0 + 1e-12
    assert np.abs(left[-1, eigenvalues >= smoothest]).max() < 0.6
    assert np.abs(left).max() < 200.0  # nor much in between: rounding stays rounding


def test_the_end_of_a_long_strip_follows_its_top_at_once():
    strip = supple.Cloth.rectangle(width=0.04, height=1.0, columns=4, rows=101, material="silk", name="cloth")
    world = supple.Simulation(supple.Scene(strip), integrator="filter").engine.world
    relay = Relay(world, STEP)
    follows = np.arange(404) >= 12
    moves = np.zeros((404, 3))
    moves[~follows, 0] = 1e-3
    exact, _ = exact_moves(relay, follows, moves)
    relay.pass_on(follows, moves, fresh(moves), np.zeros_like(moves))
    momentum, whole = (float(world.particles.masses[follows] @ d[:, 0]) for d in (moves[follows], exact))
    assert momentum == pytest.approx(whole, rel=0.3)  # three sweeps over particles alone pass on a tenth
    assert moves[200, 0] > 0.0


def test_cloth_that_lies_symmetrically_follows_nearly_symmetrically():
    _, relay, follows, moves = lifted_middle()
    settle(relay, follows, moves)
    heights = moves[:, 1].reshape(9, 9)
    # Clusters are not symmetrical, but what they lead to is.
    for mirrored in (heights[::-1], heights[:, ::-1], heights.T):
        np.testing.assert_allclose(mirrored, heights, atol=1e-15)


def test_what_follows_firmly_comes_to_the_end_at_once():
    _, relay, follows, moves = lifted_middle()
    positions = np.ones_like(moves)
    exact, _ = exact_moves(relay, follows, moves)
    relay.pass_on_firmly(follows, moves, positions)
    assert np.abs(moves[follows] - exact).max() < 0.01 * np.abs(exact).max()
    np.testing.assert_array_equal(positions[~follows], 1.0)
    np.testing.assert_allclose(positions[follows] - 1.0, moves[follows], atol=1e-15)


def test_what_moves_a_free_sheet_is_all_of_its_momentum():
    world, relay, follows, moves = lifted_middle()
    relay.pass_on_firmly(follows, moves, np.zeros_like(moves))
    given, rest = (relay.loads(which, moves)[which].sum(axis=0).copy() for which in (~follows, follows))
    np.testing.assert_allclose(given + rest, world.inertia(STEP) @ moves, rtol=1e-12, atol=1e-18)
    assert np.abs(rest).max() < 0.05 * np.abs(given).max()


def test_what_follows_firmly_does_so_compiled_as_interpreted():
    _, relay, follows, given = lifted_middle()
    rows = relay.row_starts, relay.columns, relay.shares, relay._diagonal
    found = []
    for search, write in ((follow_firmly, write_loads), (follow_firmly.py_func, write_loads.py_func)):
        moves, positions, loads = given.copy(), np.zeros_like(given), np.zeros_like(given)
        taken = search(*rows, follows, *(np.zeros_like(given) for _ in range(3)), moves, positions)
        write(*rows, ~follows, moves, loads)
        found.append((moves, positions, loads, np.array(taken)))
    for compiled, interpreted in zip(*found, strict=True):
        np.testing.assert_allclose(compiled, interpreted, rtol=1e-12, atol=1e-18)
    assert 3 < int(found[0][3]) < MOST_PRODUCTS


def test_firmly_all_sides_follow_alike():
    _, relay, follows, moves = lifted_middle()
    relay.pass_on_firmly(follows, moves, np.zeros_like(moves))
    heights = moves[:, 1].reshape(9, 9)
    for mirrored in (heights[::-1], heights[:, ::-1], heights.T):
        np.testing.assert_allclose(mirrored, heights, atol=1e-16)


def test_positions_move_by_the_moves_of_those_that_follow():
    _, relay, follows, moves = lifted_middle()
    positions = np.ones_like(moves)
    relay.pass_on(follows, moves, fresh(moves), positions)
    np.testing.assert_array_equal(positions[~follows], 1.0)
    np.testing.assert_allclose(positions[follows] - 1.0, moves[follows], atol=1e-15)


def test_every_move_has_a_source():
    _, relay, follows, moves = lifted_middle()
    sources = np.where(follows, -1, 0)
    sources[np.flatnonzero(~follows)[:5]] = 3
    relay.pass_on(follows, moves, fresh(moves), np.zeros_like(moves))
    relay.trace(follows, moves, sources)
    assert (sources >= 0).all()
    assert (sources == 3).any()


def test_plain_python_passes_on_the_same():
    _, relay, follows, moves = lifted_middle(5)
    results = []
    for is_plain in (False, True):
        expects, relays, follow_up, traces, adds, keeps = (
            kernel.py_func if is_plain else kernel
            for kernel in (expect_moves, relay_moves, follow, trace_moves, add_to_sums, keep_to_guess)
        )
        rows, count = (relay.row_starts, relay.columns, relay.shares), len(follows)
        order, ring_of = np.zeros(count, dtype=np.uint32), np.empty(count, dtype=np.int64)
        passed, places, work_array = moves.copy(), np.zeros_like(moves), np.zeros((count, 4))
        last = np.column_stack([0.5 * moves, np.where(follows, 0.0, 1.0)])
        last[follows, 1] = 2e-4
        leaders, sums, counts = np.zeros(count, dtype=np.int64), np.zeros((count, 6)), np.zeros(4, np.int64)
        expects(follows, leaders, passed, False, last, work_array, sums, order, counts)
        found = counts.sum()
        relays(*rows, order, 1, found, 0.8, work_array, last)
        follow_up(order, found, work_array, last, passed, places)
        sources = np.where(follows, -1, 0)
        traces(*rows, follows, ring_of, order.copy(), passed, sources)
        adds(sums, 2, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        sums[0, :2] = 0.7, 0.0
        keeps(follows, leaders, sums, last, passed, places)
        results.append((counts, sums, order[:found], work_array, last, passed, places, ring_of, sources))
    for compiled, plain in zip(*results, strict=True):
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-15)


def test_the_relay_as_a_whole_is_the_same_in_plain_python(monkeypatch):
    results = []
    for is_plain in (False, True):
        if is_plain:
            monkeypatch.setattr("supple.collide.filter_contact.relay.relay_contacts", relay_contacts.py_func)
        _, relay, follows, moves = lifted_middle(5)
        last = fresh(moves)
        relay.pass_on(follows, moves, last, np.zeros_like(moves))
        results.append((moves, last))
    for compiled, plain in zip(*results, strict=True):
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-15)


def test_parts_that_are_surprised_come_last_and_are_counted():
    # Three parts of two particles: the first of each is in contact. One goes on as before, one is hit a little harder,
    # one for the first time.
    leaders, follows = np.array([0, 0, 2, 2, 4, 4]), np.array([False, True] * 3)
    last, moves = np.zeros((6, 4)), np.zeros((6, 3))
    last[[0, 2]] = (0.0, 1.0, 0.0, 1.0)
    last[[1, 3], 1] = 0.5
    moves[[0, 2, 4], 1] = 1.0, 1.5, 1.0
    assert SURPRISES[1] < (0.5 / 1.5) ** 2 < SURPRISES[2] < 1.0
    for is_due in (True, False):
        order, counts = np.zeros(6, dtype=np.uint32), np.zeros(4, dtype=np.int64)
        sums, work_array, before = np.zeros((6, 6)), np.zeros((6, 4)), last.copy()
        expect_moves(follows, leaders, moves, is_due, before, work_array, sums, order, counts)
        np.testing.assert_array_equal(order[: 2 + is_due], [1, 3, 5] if is_due else [3, 5])
        np.testing.assert_array_equal(counts, [0, 1, 1, 1] if is_due else [1, 0, 1, 1])
        np.testing.assert_array_equal(work_array[[3, 5], 1], [0.5, 0.0])
        np.testing.assert_array_equal(before[:2], last[:2])


def test_what_goes_on_as_expected_is_swept_again_once_its_changes_have_added_up():
    _, relay, follows, moves = lifted_middle()
    last = settle(relay, follows, moves)
    settled, known = moves.copy(), last.copy()
    for n in range(1, 4):  # each time the contacts move a little farther aside
        moves[~follows, 0] = n * 1e-2 * moves[~follows, 1]
        moves[follows] = 0.0
        relay.pass_on(follows, moves, last, np.zeros_like(moves), is_due=False)
        if n * 1e-2 < np.sqrt(SURPRISES[0]):
            np.testing.assert_array_equal(last, known)
            np.testing.assert_allclose(moves[follows], settled[follows])
        else:
            exact, _ = exact_moves(relay, follows, moves)
            assert (
                np.abs(moves[follows] - exact).max() < 6e-3 * np.abs(exact).max()
            )  # 0.03 if it went on as before
            break
    assert n == 3


def test_a_contact_that_has_gone_is_a_surprise():
    _, relay, follows, moves = lifted_middle()
    last = settle(relay, follows, moves)
    gone = np.flatnonzero(~follows)[0]
    follows[gone] = True
    moves[follows] = 0.0
    relay.pass_on(follows, moves, last, np.zeros_like(moves), is_due=False)
    assert moves[gone, 1] < 0.9e-3  # nothing pushes it any more: it follows its neighbours


def test_draped_silk_comes_to_rest_without_any_drag():
    scene = supple.Scene(
        sheet(24, material="silk", at=(0.0, 0.36, 0.0)), supple.Sphere(radius=0.3, friction=0.4), drag=0.0
    )
    simulation = supple.Simulation(scene, substeps=10, integrator="filter")
    for _ in simulation.run(5.0):
        pass
    speeds = []
    for _ in simulation.run(1.0):
        speeds.append(np.sqrt(np.mean(np.sum(simulation.velocities("cloth") ** 2, axis=1))))
    assert simulation.engine.obstacles.contact_count > 200
    assert max(speeds) < 0.015  # 0.07 to 0.2 m/s where only particles in contact are moved
    energy = simulation.step().potential_energy
    assert energy < 0.075  # 0.105 J where cloth clings; 0.068 J for the exact solution of (O14)


def test_a_smaller_step_has_rows_of_its_own():
    simulation = supple.Simulation(supple.Scene(sheet(5)), integrator="filter")
    integrator = simulation.engine.integrator
    coarse, fine = integrator.relay(0.004), integrator.relay(0.001)
    assert integrator.relay(0.004) is coarse
    assert fine.shares.max() < coarse.shares.max()
    simulation.set("cloth", stretch_stiffness=10.0)
    assert integrator.relay(0.004) is not coarse
