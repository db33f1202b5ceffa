"""Whoever asks for too much waits alone."""

from __future__ import annotations

from collections import Counter

from supple.studio.connection import protocol
from supple.studio.connection.command_queue import (
    FRAME_SECONDS,
    MOST_OWED,
    MOVES_KEPT,
    QUEUE_LENGTH,
    SHARE,
    CommandQueue,
    Joined,
    Left,
)

PIN = protocol.TogglePin(body="cloth", vertices=(0,))


def moved(time, hand=0):
    return protocol.Move(hand=hand, target=(0.0, 0.0, 0.0), time=time)


def taken(queue):
    """Return everything that waits, as if it cost nothing."""
    found = []
    queue.begin_frame(0.0)
    while (command := queue.take()) is not None:
        queue.spent(command[0], 0.0)
        found.append(command)
    return found


def test_commands_come_in_their_order_and_clients_in_turn():
    queue = CommandQueue()
    for number in (1, 2):
        queue.put(number, Joined())
        queue.put(number, protocol.Undo())
        queue.put(number, PIN)
    queue.put(3, protocol.Redo())
    assert taken(queue) == [
        (1, Joined()), (2, Joined()), (3, protocol.Redo()),
        (1, protocol.Undo()), (2, protocol.Undo()), (1, PIN), (2, PIN),
    ]  # fmt: skip
    assert queue.take() is None


def test_what_a_later_command_makes_void_is_dropped():
    queue = CommandQueue()
    for n in range(QUEUE_LENGTH + 5):
        assert queue.put(1, protocol.Set(name="drag", value=n))
        assert queue.put(1, protocol.Act(name="count_intersections"))
        assert queue.put(1, protocol.Reset())
    assert [command.type for _, command in taken(queue)] == ["set", "act", "reset"]
    for n in range(100):
        assert queue.put(1, moved(n)) and queue.put(1, moved(n, hand=1))
    moves = [(command.hand, command.time) for _, command in taken(queue)]
    assert Counter(hand for hand, _ in moves) == {0: MOVES_KEPT, 1: MOVES_KEPT}
    assert max(moves) == (1, 99.0)


def test_nothing_is_drawn_together_over_a_command_that_must_stay_where_it_is():
    queue = CommandQueue()
    words = [
        protocol.Set(name="drag", value=1.0),
        protocol.Undo(),
        protocol.Set(name="drag", value=2.0),
        protocol.Release(hand=0, time=1.0),
        moved(2.0),
    ]
    for word in words:
        queue.put(1, word)
    assert [command for _, command in taken(queue)] == words


def test_a_client_that_fills_its_queue_is_refused_and_the_others_are_not():
    queue = CommandQueue()
    assert all(queue.put(1, PIN) for _ in range(QUEUE_LENGTH))
    assert not queue.put(1, PIN)
    assert queue.put(2, PIN)
    assert queue.put(1, Left())


def test_hands_of_a_client_that_is_gone_let_go_at_once_and_the_rest_is_done():
    queue = CommandQueue()
    queue.put(1, moved(0.0))
    queue.put(1, PIN)
    queue.put(1, protocol.Undo())
    queue.put(1, Left())
    assert taken(queue) == [(1, Left()), (1, PIN), (1, protocol.Undo())]
    queue.put(2, PIN)
    assert taken(queue) == [(2, PIN)]


def test_a_flood_of_heavy_commands_takes_its_share_of_time_and_no_more():
    """Frames take 20 ms, and every command of a client that never stops another 30 ms."""
    queue, cost, now = CommandQueue(), 0.03, 0.0
    done = Counter()
    flooding, frames = 0.0, 0
    while now < 20.0:
        while queue.put(1, PIN):
            pass
        queue.put(2, protocol.Set(name="drag", value=now))
        queue.begin_frame(now)
        spent = 0.0
        while (command := queue.take()) is not None:
            client, seconds = command[0], cost if command[0] == 1 else 0.001
            queue.spent(client, seconds)
            done[client] += 1
            spent += seconds
            flooding += seconds if client == 1 else 0.0
        assert spent <= FRAME_SECONDS + cost + 0.001
        now += spent + 0.02
        frames += 1
    assert flooding < SHARE * now + 0.2
    assert done[2] > 0.95 * frames, "who asks for little gets it in every frame"


def test_hands_work_although_a_scene_that_took_long_was_just_loaded():
    queue = CommandQueue()
    queue.put(1, protocol.Load(scene="pile"))
    queue.begin_frame(0.0)
    assert queue.take() == (1, protocol.Load(scene="pile"))
    queue.spent(1, 60.0)
    queue.put(1, moved(1.0))
    queue.put(1, PIN)
    queue.begin_frame(0.02)
    assert queue.take() == (1, moved(1.0))
    queue.spent(1, 0.0)
    assert queue.take() is None
    queue.begin_frame(0.03 + MOST_OWED / SHARE)
    assert queue.take() == (1, PIN)
