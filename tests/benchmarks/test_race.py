from __future__ import annotations

from benchmarks.cloth import FrameLog
from benchmarks.race import race


class FakeCloth:
    """Costs `costs[repeat][frame]` and writes down whose turn it was."""

    def __init__(self, name: str, costs: list[list[float]], turns: list[str]) -> None:
        self.name, self.costs, self.turns = name, costs, turns
        self.repeat, self.frame = -1, 0

    def reset(self) -> None:
        self.repeat, self.frame = self.repeat + 1, 0

    def advance(self, frames: int) -> FrameLog:
        costs = tuple(self.costs[self.repeat][self.frame : self.frame + frames])
        self.frame += frames
        self.turns.append(f"{self.name}{self.frame}")
        return FrameLog(cpu_ms=costs, wall_ms=costs, lowest=-float(self.frame), max_stretch=1.0 / self.frame)


def test_competitors_take_turns_block_by_block() -> None:
    turns: list[str] = []
    costs = [[1.0] * 5]
    race({n: FakeCloth(n, costs, turns) for n in "ab"}, frames=5, repeats=1, block=2)
    assert turns == ["a2", "b2", "a4", "b4", "a5", "b5"]


def test_cost_is_the_mean_over_frames_of_the_minimum_over_repeats() -> None:
    cloth = FakeCloth("a", [[1.0, 9.0, 3.0], [5.0, 2.0, 30.0]], [])
    result = race({"a": cloth}, frames=3, repeats=2, block=2)["a"]
    assert result.cpu_ms == result.wall_ms == 2.0
    assert result.cpu_ms_median == 4.0


def test_motion_is_that_of_the_end_and_stretch_the_largest_of_all() -> None:
    result = race({"a": FakeCloth("a", [[1.0] * 4], [])}, frames=4, repeats=1, block=2)["a"]
    assert result.lowest == -4.0
    assert result.max_stretch == 0.5
