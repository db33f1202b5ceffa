"""Environments side by side, each step on threads: kernels hold no lock, so all cores work."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from supple.learn.environment import DeformableEnvironment

Step = tuple[NDArray[Any], float, bool, bool, dict[str, Any]]


class ThreadVectorEnvironment(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Several environments of one task. An episode that has ended begins anew with the next step."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int | None = None,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        """Build the environments.

        Args:
            num_envs: how many
            threads: on how many threads; None is one for each core. The answer is the same to the bit
            max_episode_steps: steps after which an episode is cut off; None is the task's own number
            options: of `DeformableEnvironment`
        """
        self.envs = [DeformableEnvironment(**options) for _ in range(num_envs)]
        first = self.envs[0]
        self.num_envs, self.render_mode = num_envs, first.render_mode
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {**first.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._longest = max_episode_steps or first.task.steps
        self._pool = ThreadPoolExecutor(threads or os.cpu_count())
        self._ages, self._has_ended = np.zeros(num_envs, dtype=np.int64), np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode in every environment; a single seed counts up from one to the next."""
        if seed is None or isinstance(seed, int):
            seeds: Sequence[int | None] = [None if seed is None else seed + n for n in range(self.num_envs)]
        else:
            seeds = seed
        self._ages[:], self._has_ended[:] = 0, False
        begun = list(self._pool.map(lambda n: self.envs[n].reset(seed=seeds[n]), range(self.num_envs)))
        return np.stack([observation for observation, _ in begun]), self._infos([info for _, info in begun])

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Carry out an action in every environment."""
        steps = list(self._pool.map(self._step, range(self.num_envs), actions))
        observations, rewards, ended, cut_off, infos = zip(*steps, strict=True)
        self._has_ended = np.array(ended) | np.array(cut_off)
        return (
            np.stack(observations),
            np.array(rewards),
            np.array(ended),
            np.array(cut_off),
            self._infos(infos),
        )

    def _step(self, number: int, action: NDArray[Any]) -> Step:
        environment = self.envs[number]
        if self._has_ended[number]:
            self._ages[number] = 0
            observation, info = environment.reset()
            return observation, 0.0, False, False, info
        self._ages[number] += 1
        observation, reward, ended, cut_off, info = environment.step(action)
        return observation, reward, ended, cut_off or bool(self._ages[number] >= self._longest), info

    def _infos(self, infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
        return {name: np.array([info[name] for info in infos]) for name in infos[0]}

    def render(self) -> tuple[Any, ...] | None:
        """Return an image of every environment."""
        return tuple(environment.render() for environment in self.envs) if self.render_mode else None

    def close_extras(self, **options: Any) -> None:
        """End the threads."""
        self._pool.shutdown()
