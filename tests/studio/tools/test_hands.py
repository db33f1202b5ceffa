import numpy as np
import pytest

import supple
from supple.scene.placement import rotation_matrix
from supple.studio.connection.protocol import Grab, Move, Release
from supple.studio.connection.rigid_meshes import solids_of
from supple.studio.tools.hands import FASTEST_THROW, Hands
from tests.studio.connection.test_packing import Ball
from tests.studio.pages import sheet_scene


@pytest.fixture
def simulation():
    return supple.Simulation(sheet_scene())


@pytest.fixture
def hands(simulation):
    return Hands(simulation, [], np.zeros(3), 50.0)


def grab(
    vertices=(60, 61, 52), weights=(0.5, 0.3, 0.2), target=(0.0, -0.5, 0.3), hand=0, time=0.0, body="cloth"
):
    return Grab(hand=hand, body=body, vertices=vertices, weights=weights, target=target, time=time)


def frame(simulation, hands):
    hands.before_frame()
    simulation.step()
    hands.after_frame()


def test_the_point_under_the_hand_is_at_the_hand_after_one_frame(simulation, hands):
    hands.grab(1, grab())
    frame(simulation, hands)
    held = simulation.positions("cloth")[[60, 61, 52]]
    assert np.allclose(np.array([0.5, 0.3, 0.2]) @ held, (0.0, -0.5, 0.3), atol=1e-12)
    hands.move(1, Move(hand=0, target=(0.2, -0.4, 0.4), time=0.1))
    frame(simulation, hands)
    held = simulation.positions("cloth")[[60, 61, 52]]
    assert np.allclose(np.array([0.5, 0.3, 0.2]) @ held, (0.2, -0.4, 0.4), atol=1e-12)


def test_a_hand_that_turns_turns_the_patch(simulation, hands):
    start = simulation.positions("cloth")[[60, 61, 52]].copy()
    hands.grab(1, grab())
    half = np.sqrt(0.5)
    hands.move(1, Move(hand=0, target=(0.0, 0.0, 0.0), turn=(0.0, half, 0.0, half), time=0.1))
    frame(simulation, hands)
    held = simulation.positions("cloth")[[60, 61, 52]]
    before, after = start[1] - start[0], held[1] - held[0]
    assert np.allclose(after, (before[2], before[1], -before[0]), atol=1e-12)


def test_what_is_thrown_flies_at_the_speed_of_the_hand(simulation, hands):
    simulation.set(gravity=(0.0, 0.0, 0.0))
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.5, -0.5, 0.0)))
    for n in range(1, 6):
        hands.move(1, Move(hand=0, target=(0.5, -0.5, 0.04 * n), time=0.02 * n))
        frame(simulation, hands)
    frame(simulation, hands)  # the hand says nothing for a frame, as mice do
    hands.release(1, Release(hand=0, time=0.12))
    frame(simulation, hands)
    assert hands.count == 0
    assert simulation.velocities("cloth")[63] == pytest.approx((0.0, 0.0, 2.0), abs=1e-9)
    assert 63 not in simulation.pinned("cloth")


def test_a_throw_does_not_make_up_for_what_the_hand_moved_since_the_last_frame(simulation, hands):
    simulation.set(gravity=(0.0, 0.0, 0.0))
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.5, -0.5, 0.0)))
    for n in range(1, 6):
        hands.move(1, Move(hand=0, target=(0.5, -0.5, 0.04 * n), time=0.02 * n))
        frame(simulation, hands)
    hands.move(1, Move(hand=0, target=(0.5, -0.5, 0.236), time=0.118))
    hands.release(1, Release(hand=0, time=0.118))
    frame(simulation, hands)
    assert simulation.velocities("cloth")[63] == pytest.approx((0.0, 0.0, 2.0), abs=1e-9)


def test_a_hand_at_rest_throws_nothing(simulation, hands):
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.5, -0.5, 0.0)))
    hands.move(1, Move(hand=0, target=(0.5, -0.5, 1.0), time=0.1))
    hands.release(1, Release(hand=0, time=2.0))
    assert hands.count == 0
    assert 63 not in simulation.pinned("cloth")


def test_a_page_that_draws_slowly_can_throw_too(simulation, hands):
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.5, -0.5, 0.0)))
    for n in (1, 2):
        hands.move(1, Move(hand=0, target=(0.5, -0.5, 0.3 * n), time=0.3 * n))
        frame(simulation, hands)
    hands.release(1, Release(hand=0, time=0.61))
    frame(simulation, hands)
    hands.release_all()
    assert hands.count == 0
    assert simulation.positions("cloth")[63][2] == pytest.approx(0.6 + 0.02)


def test_throws_have_a_fastest_speed(simulation, hands):
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.0, 0.0, 0.0)))
    frame(simulation, hands)
    hands.move(1, Move(hand=0, target=(40.0, 0.0, 0.0), time=0.01))
    hands.release(1, Release(hand=0, time=0.01))
    frame(simulation, hands)
    assert np.linalg.norm(simulation.velocities("cloth")[63]) == pytest.approx(FASTEST_THROW, rel=1e-9)


@pytest.mark.parametrize("reach", [0.0, 0.4], ids=["at the cloth", "beside it"])
def test_what_is_taken_and_thrown_within_one_frame_flies_no_faster(simulation, hands, reach):
    """Pages speak whenever a hand moves: a slow frame may see all of a flick at once."""
    simulation.set(gravity=(0.0, 0.0, 0.0))
    x, y, z = simulation.positions("cloth")[63].tolist()
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(x, y, z + reach)))
    for n in range(1, 4):
        hands.move(1, Move(hand=0, target=(x, y, z + reach + n), time=0.01 * n))
    hands.release(1, Release(hand=0, time=0.03))
    frame(simulation, hands)
    assert simulation.velocities("cloth")[63] == pytest.approx((0.0, 0.0, FASTEST_THROW), rel=1e-9)


@pytest.mark.parametrize("pause", [0.3, 1.5], ids=["after a pause", "after a long one"])
def test_a_flick_after_the_hand_stood_still_is_a_throw(simulation, hands, pause):
    """A hand that stands still says nothing, so all but its last message may be long ago."""
    simulation.set(gravity=(0.0, 0.0, 0.0))
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.5, -0.5, 0.0)))
    for n in range(1, 8):
        hands.move(1, Move(hand=0, target=(0.5, -0.5, 0.001 * n), time=0.01 * n))
        frame(simulation, hands)
    hands.move(1, Move(hand=0, target=(0.5, -0.5, 0.307), time=0.07 + pause))
    hands.release(1, Release(hand=0, time=0.08 + pause))
    frame(simulation, hands)
    assert simulation.velocities("cloth")[63] == pytest.approx((0.0, 0.0, 3.0), rel=1e-6), "0.3 m in 0.1 s"


def test_two_hands_cannot_hold_the_same_place(hands):
    hands.grab(1, grab())
    with pytest.raises(supple.SuppleError, match="another hand"):
        hands.grab(2, grab(vertices=(52,), weights=(1.0,)))


def test_a_client_that_goes_lets_go(simulation, hands):
    hands.grab(1, grab())
    hands.grab(2, grab(vertices=(10,), weights=(1.0,)))
    hands.before_frame()
    hands.release_client(1)
    assert hands.count == 1
    assert set(simulation.pinned("cloth").tolist()) == {0, 7, 10}


@pytest.mark.parametrize(
    "wrong",
    [
        {"vertices": (64,), "weights": (1.0,)}, {"vertices": (), "weights": ()}, {"weights": (1.0,)},
        {"weights": (0.5, 0.5, 0.5)}, {"vertices": (1, 1, 2)}, {"target": (1e5, 0.0, 0.0)}, {"body": "curtain"},
    ],
)  # fmt: skip
def test_grabs_that_make_no_sense_are_refused_and_leave_the_world_alone(simulation, hands, wrong):
    with pytest.raises(supple.SuppleError):
        hands.grab(1, grab(**wrong))
    frame(simulation, hands)
    assert hands.count == 0
    assert simulation.pinned("cloth").tolist() == [0, 7]


def test_moves_without_a_grab_out_of_reach_or_out_of_order_are_refused(hands):
    with pytest.raises(supple.SuppleError, match="holds nothing"):
        hands.move(1, Move(hand=0, target=(0.0, 0.0, 0.0), time=0.0))
    with pytest.raises(supple.SuppleError, match="holds nothing"):
        hands.release(1, Release(hand=0, time=0.0))
    hands.grab(1, grab(time=5.0))
    with pytest.raises(supple.SuppleError, match="older"):
        hands.move(1, Move(hand=0, target=(0.0, 0.0, 0.0), time=4.0))
    with pytest.raises(supple.SuppleError, match="away from the scene"):
        hands.move(1, Move(hand=0, target=(0.0, 99.0, 0.0), time=6.0))


def test_solids_follow_the_hand_from_where_they_were_taken(simulation):
    ball = Ball()
    hands = Hands(simulation, [ball], np.zeros(3), 50.0)
    hands.grab(1, grab(body="ball", vertices=(), weights=(), target=(0.0, 2.5, 0.0)))
    hands.move(1, Move(hand=0, target=(1.0, 2.5, 0.0), time=0.1))
    frame(simulation, hands)
    assert ball.place == pytest.approx((1.0, 2.0, 0.0))
    hands.release(1, Release(hand=0, time=0.2))
    assert hands.count == 0


def test_what_cannot_be_moved_cannot_be_taken(simulation):
    ball = Ball()
    ball.is_movable = False
    hands = Hands(simulation, [ball], np.zeros(3), 50.0)
    with pytest.raises(supple.SuppleError, match="cannot be moved"):
        hands.grab(1, grab(body="ball", vertices=(), weights=()))


def rigid_world(**options):
    """A simulation without gravity, with a box that has a mass unless `options` say otherwise, and its hands."""
    options = {"mass": 2.0, **options}
    box = supple.Box(size=(0.2, 0.4, 0.2), at=(0.0, 2.0, 0.0), rotation=(0.0, 0.0, 0.4), **options)
    scene = supple.Scene(*sheet_scene().bodies, box, gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(scene)
    return simulation, Hands(simulation, solids_of(simulation), np.zeros(3), 50.0)


def take_box(hands, target=(0.0, 2.0, 0.0)):
    hands.grab(1, grab(body="box", vertices=(), weights=(), target=target))


def quaternion_about_y(angle):
    return (0.0, float(np.sin(0.5 * angle)), 0.0, float(np.cos(0.5 * angle)))


def test_a_solid_led_without_turning_keeps_its_rotation():
    simulation, hands = rigid_world()
    _, start = simulation.obstacle_pose("box")
    take_box(hands)
    for n in range(1, 4):
        hands.move(1, Move(hand=0, target=(0.1 * n, 2.0, 0.0), time=0.02 * n))
        frame(simulation, hands)
        place, turn = simulation.obstacle_pose("box")
        assert np.allclose(turn, start, atol=1e-12)
        assert np.allclose(place, (0.1 * n, 2.0, 0.0), atol=1e-12)


def test_a_solid_turns_with_the_hand_and_about_it():
    simulation, hands = rigid_world()
    _, start = simulation.obstacle_pose("box")
    take_box(hands, target=(0.5, 2.0, 0.0))
    # More than a whole turn, so that angles pass their ends; in between nothing may whirl round.
    for n in range(1, 41):
        angle = 0.2 * n
        turn = quaternion_about_y((angle + np.pi) % (2.0 * np.pi) - np.pi)
        hands.move(1, Move(hand=0, target=(0.5, 2.0, 0.0), turn=turn, time=0.02 * n))
        frame(simulation, hands)
        place, turned = simulation.obstacle_pose("box")
        about_y = rotation_matrix((0.0, angle, 0.0))
        assert np.allclose(turned, about_y @ start, atol=1e-9)
        assert np.allclose(place, about_y @ (-0.5, 0.0, 0.0) + (0.5, 2.0, 0.0), atol=1e-9)
        _, spin = simulation.obstacle_velocity("box")
        assert spin == pytest.approx((0.0, 10.0, 0.0), rel=0.02, abs=1e-6)


def test_a_solid_with_a_mass_is_thrown_with_its_spin():
    simulation, hands = rigid_world()
    take_box(hands)
    for n in range(1, 8):
        turn = quaternion_about_y(0.1 * n)
        hands.move(1, Move(hand=0, target=(0.04 * n, 2.0, 0.0), turn=turn, time=0.02 * n))
        frame(simulation, hands)
    frame(simulation, hands)  # the hand says nothing for a frame
    hands.release(1, Release(hand=0, time=0.15))
    frame(simulation, hands)
    assert hands.count == 0
    velocity, spin = simulation.obstacle_velocity("box")
    assert velocity == pytest.approx((2.0, 0.0, 0.0), abs=1e-6)
    assert spin[1] == pytest.approx(5.0, rel=0.02)
    before, _ = simulation.obstacle_pose("box")
    simulation.step()
    after, _ = simulation.obstacle_pose("box")
    assert after - before == pytest.approx((0.04, 0.0, 0.0), abs=1e-6)


def test_a_solid_without_a_mass_stays_where_it_is_let_go():
    simulation, hands = rigid_world(mass=None)
    take_box(hands)
    for n in range(1, 5):
        hands.move(1, Move(hand=0, target=(0.1 * n, 2.0, 0.0), time=0.02 * n))
        frame(simulation, hands)
    hands.release(1, Release(hand=0, time=0.08))
    frame(simulation, hands)
    frame(simulation, hands)
    assert hands.count == 0
    assert simulation.obstacle_pose("box")[0] == pytest.approx((0.4, 2.0, 0.0))


def test_a_solid_falls_when_the_client_that_held_it_vanishes():
    simulation, hands = rigid_world()
    simulation.set(gravity=(0.0, -9.81, 0.0))
    take_box(hands)
    for _ in range(3):
        frame(simulation, hands)
    assert simulation.obstacle_pose("box")[0] == pytest.approx((0.0, 2.0, 0.0))
    hands.release_client(1)
    for _ in range(10):
        frame(simulation, hands)
    assert simulation.obstacle_velocity("box")[0][1] == pytest.approx(-9.81 * 0.2, rel=0.02)


def test_two_hands_cannot_hold_the_same_solid():
    _, hands = rigid_world()
    take_box(hands)
    with pytest.raises(supple.SuppleError, match="another hand holds 'box'"):
        hands.grab(2, grab(body="box", vertices=(), weights=(), target=(0.0, 2.0, 0.0)))
