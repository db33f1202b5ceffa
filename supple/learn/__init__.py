"""Learning: Gymnasium environments with cloth, garments and rope, vectors of them over threads, and scripted policies.

import gymnasium, supple.learn

environment = gymnasium.make("supple/Smooth-v0")
observation, info = environment.reset(seed=1)
"""

import importlib.util

from supple.errors import SuppleError

if importlib.util.find_spec("gymnasium") is None:
    raise SuppleError(
        'environments need gymnasium, which is not installed. Install it with\n  pip install "supple[learn]"'
    )

from supple.learn.environment import DeformableEnvironment
from supple.learn.policies import scripted_policy
from supple.learn.register import register
from supple.learn.tasks import TASKS, Task
from supple.learn.thread_vector import ThreadVectorEnvironment

__all__ = [
    "TASKS",
    "DeformableEnvironment",
    "Task",
    "ThreadVectorEnvironment",
    "register",
    "scripted_policy",
]

register()
