import numpy as np
import pytest

import supple
from supple.studio.hands import FASTEST_THROW, Hands
from supple.studio.protocol import Grab, Move, Release
from tests.studio.pages import sheet_scene
from tests.studio.test_packing import Ball


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
    hands.release(1, Release(hand=0, time=0.61))
    frame(simulation, hands)
    hands.release_all()
    assert hands.count == 0
    assert simulation.positions("cloth")[63][2] == pytest.approx(0.6 + 0.02)


def test_throws_have_a_fastest_speed(simulation, hands):
    hands.grab(1, grab(vertices=(63,), weights=(1.0,), target=(0.0, 0.0, 0.0)))
    hands.move(1, Move(hand=0, target=(40.0, 0.0, 0.0), time=0.01))
    hands.release(1, Release(hand=0, time=0.01))
    frame(simulation, hands)
    assert np.linalg.norm(simulation.velocities("cloth")[63]) <= 40.0 / 0.02 + FASTEST_THROW


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
