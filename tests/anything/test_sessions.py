"""A random user does anything to any scene, and nothing breaks; `make soak` does it for an hour."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.anything.session import Plan, script_of, shortened, trouble_of

FRAMES = 16
SEEDS = (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_that_a_random_user_does_breaks_anything(seed):
    assert trouble_of(Plan.random(seed, FRAMES)) == ""


def test_a_session_that_fails_is_shortened_to_what_makes_it_fail():
    plan = Plan.random(1, 80)
    wanted = sorted(plan.actions)[7]
    short = shortened(plan, lambda other: wanted in other.actions and other.frames > wanted)
    assert list(short.actions) == [wanted] and wanted < short.frames <= 80 and short.saved_at < 0


def test_a_shortened_session_is_a_program_that_runs():
    program = script_of(Plan(seed=1, frames=1), "nothing")
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
