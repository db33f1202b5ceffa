"""The environments by the names that `gymnasium.make` knows."""

from __future__ import annotations

import gymnasium

from supple.learn.tasks import TASKS


def register() -> None:
    """Make `supple/Smooth-v0` and the others known to Gymnasium; doing it twice changes nothing."""
    for name, task in TASKS.items():
        known = f"supple/{name}-v0"
        if known not in gymnasium.registry:
            gymnasium.register(
                id=known,
                entry_point="supple.learn.environment:DeformableEnvironment",
                vector_entry_point="supple.learn.thread_vector:ThreadVectorEnvironment",
                kwargs={"task": name},
                max_episode_steps=task.steps,
            )
