"""A Gymnasium environment around a task: actions, observations, rewards, images."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.learn.gripper import Gripper
from supple.learn.tasks import TASKS, Task
from supple.scene.error_messages import listed, suggestion
from supple.simulation import Simulation
from supple.sweeps.distributions import Distribution
from supple.sweeps.samples import randomised

Floats = NDArray[np.float64]

CONTROLS = ("pick_and_place", "velocity")
OBSERVATIONS = ("key_points", "positions", "image")

FARTHEST = 100.0
"""Largest coordinate of an observation [m]."""

FASTEST = 1.0
"""Speed of the gripper at an action of 1, along each axis [m/s]."""

FRAMES = 2
"""Frames of a step with velocity control."""

SPEED = 0.7
"""Speed of the gripper with pick-and-place [m/s]."""

LONGEST_STROKE = 0.12
"""How far the gripper goes in a step where it holds something all the time [m]."""

REACH = 0.04
"""How near a vertex must be to be grasped with velocity control [m]."""


class DeformableEnvironment(gymnasium.Env[NDArray[Any], NDArray[np.float32]]):
    """A deformable body, a gripper, and a task with a score between 0 and 1.

    Actions, all between -1 and 1 over the box in which the gripper may go:

    - `control="pick_and_place"`: six numbers, where to pick and where to place. The vertex nearest to the first place is
      lifted, carried and let go at the second.
    - `control="velocity"`: four numbers, the velocity of the gripper, in metres a second, and whether it is closed (above
      0). A step takes 0.04 s.

    Observations:

    - `observation="key_points"`: places of some vertices [m], then place of the gripper and whether it holds something
    - `observation="positions"`: the same of all vertices
    - `observation="image"`: sRGB of the task's camera

    The reward of a step is the change of the score, so that the sum of rewards is the final score less the first one. An
    episode ends when the score reaches the task's threshold. `info` has `score` and `is_success`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 25}

    def __init__(
        self,
        task: str | Task = "Smooth",
        *,
        control: str = "pick_and_place",
        observation: str = "key_points",
        points: int = 12,
        image_size: tuple[int, int] = (64, 64),
        randomise: bool | dict[str, Distribution] = False,
        render_mode: str | None = None,
    ) -> None:
        """Build the scene.

        Args:
            task: its name, or a task of your own
            control: "pick_and_place" or "velocity"
            observation: "key_points", "positions" or "image"
            points: along a side of the cloth, or of the rope
            image_size: width and height of images [pixels]
            randomise: whether every episode has another material and friction; or distributions of fields of the scene
                by path, as in `supple.vary.randomised`
            render_mode: "rgb_array", or None
        """
        _check("control", control, CONTROLS)
        _check("observation", observation, OBSERVATIONS)
        if isinstance(task, str):
            _check("task", task, tuple(TASKS))
            task = TASKS[task](points)
        if render_mode not in (None, "rgb_array"):
            raise SuppleError(f'`render_mode` is {render_mode!r}, but it must be "rgb_array" or None.')
        self.task, self.control, self.observation = task, control, observation
        self.render_mode = render_mode
        self._image_size = image_size
        self._randomised = task.randomised if randomise is True else randomise or {}
        self._scene = task.scene()
        self.simulation = Simulation(
            self._scene, threads=1
        )  # vectors of environments share the machine already
        """The scene in motion."""

        self._start = self.simulation.snapshot()
        self.gripper = Gripper(self.simulation, task.body, np.zeros(3))
        """What moves it."""

        self._low, self._high = np.array(task.low), np.array(task.high)
        count = 6 if control == "pick_and_place" else 4
        self.action_space = spaces.Box(-1.0, 1.0, (count,), np.float32)
        if observation == "image":
            width, height = image_size
            self.observation_space = spaces.Box(0, 255, (height, width, 3), np.uint8)
        else:
            number = 3 * len(self._observed()) + 4
            self.observation_space = spaces.Box(-FARTHEST, FARTHEST, (number,), np.float32)
        self.score = 0.0
        """How well the task is done now, 0 to 1."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode; see `gymnasium.Env.reset`."""
        super().reset(seed=seed)
        if self._randomised:
            other = int(self.np_random.integers(2**31))
            scene = randomised(self._scene, self._randomised, seed=other)
            self.simulation = Simulation(scene, threads=1)
        else:
            self.simulation.restore(self._start)
        at = self.task.begin(self.simulation, self.np_random)
        self.gripper = Gripper(self.simulation, self.task.body, at)
        if len(held := self.task.held()):
            self.gripper.hold(held)
        self.score = self.task.score(self.simulation)
        return self._observation(), self._info()

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Carry out an action; see `gymnasium.Env.step`."""
        wanted = np.asarray(action, dtype=np.float64)
        if wanted.shape != self.action_space.shape or not np.isfinite(wanted).all():
            raise SuppleError(
                f"the action is {action!r}, but it must be {self.action_space.shape[0]} finite numbers."
            )
        wanted = np.clip(wanted, -1.0, 1.0)
        is_finite = self._pick_and_place(wanted) if self.control == "pick_and_place" else self._drive(wanted)
        before, self.score = self.score, self.task.score(self.simulation) if is_finite else 0.0
        info = self._info()
        return self._observation(), self.score - before, info["is_success"], not is_finite, info

    def render(self) -> NDArray[np.uint8] | None:
        """Return an image of 256 x 256 pixels if `render_mode` is "rgb_array"."""
        if self.render_mode is None:
            return None
        return self.simulation.image(self.task.camera, (256, 256)).rgb

    def action_for(self, pick: Floats, place: Floats) -> NDArray[np.float32]:
        """Return the action that picks and places at points in the world, (3,) [m] each."""
        places = np.concatenate([pick, place]).reshape(2, 3)
        scaled = 2.0 * (places - self._low) / (self._high - self._low) - 1.0
        action: NDArray[np.float32] = np.clip(scaled, -1.0, 1.0).ravel().astype(np.float32)
        return action

    def _place(self, scaled: Floats) -> Floats:
        place: Floats = self._low + 0.5 * (scaled + 1.0) * (self._high - self._low)
        return place

    def _pick_and_place(self, action: Floats) -> bool:
        pick, place = self._place(action[:3]), self._place(action[3:])
        gripper, top = self.gripper, self.task.carry_height
        if len(self.task.held()):
            way = place - gripper.position
            share = min(1.0, LONGEST_STROKE / max(float(np.linalg.norm(way)), 1e-9))
            return gripper.carry(gripper.position + share * way, SPEED)
        points = self.simulation.positions(self.task.body)
        gripper.position = points[np.argmin(np.linalg.norm(points - pick, axis=1))].copy()
        gripper.close(REACH, self.task.width)
        is_finite = gripper.carry(np.array((gripper.position[0], top, gripper.position[2])), SPEED)
        is_finite &= gripper.carry(np.array((place[0], top, place[2])), SPEED)
        is_finite &= gripper.carry(place, SPEED)
        gripper.open()
        return is_finite & gripper.move(np.array((place[0], top, place[2])), self.task.settling)

    def _drive(self, action: Floats) -> bool:
        gripper = self.gripper
        if not len(self.task.held()):
            if action[3] > 0.0 and not gripper.is_closed:
                gripper.close(REACH, self.task.width)
            elif action[3] <= 0.0:
                gripper.open()
        seconds = FRAMES * self.simulation.frame_seconds
        target = np.clip(gripper.position + FASTEST * seconds * action[:3], self._low, self._high)
        return gripper.move(target, FRAMES)

    def _observed(self) -> NDArray[Any]:
        points = self.simulation.positions(self.task.body)
        seen: NDArray[Any] = points if self.observation == "positions" else points[self.task.key_points()]
        return seen

    def _observation(self) -> NDArray[Any]:
        if self.observation == "image":
            return self.simulation.image(self.task.camera, self._image_size).rgb
        hand = [*self.gripper.position, float(self.gripper.is_closed)]
        numbers = np.concatenate([self._observed().ravel(), hand])
        seen: NDArray[np.float32] = np.clip(numbers, -FARTHEST, FARTHEST).astype(np.float32)
        return seen

    def _info(self) -> dict[str, Any]:
        return {"score": self.score, "is_success": bool(self.score >= self.task.threshold)}


def _check(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise SuppleError(f"`{name}` is {value!r}. It may be: {listed(known)}.{suggestion(value, known)}")
