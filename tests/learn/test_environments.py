"""Gymnasium environments: by the rules, the same for the same seed, solved by a script and not by chance."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import supple
import supple.learn
from supple.learn import TASKS, DeformableEnvironment, ThreadVectorEnvironment, scripted_policy

SMALL = {"points": 6}


def final_score(name, seed, policy):
    """Return the score at the end of an episode."""
    environment = gymnasium.make(f"supple/{name}-v0").unwrapped
    _, info = environment.reset(seed=seed)
    random = np.random.default_rng(seed)
    by_chance = (random.uniform(-1, 1, 6) for _ in range(environment.task.steps))
    actions = scripted_policy(environment) if policy == "scripted" else by_chance
    for _, action in zip(range(environment.task.steps), actions, strict=False):
        *_, info = environment.step(action)
        if info["is_success"]:
            break
    return info["score"]


@pytest.mark.parametrize("name", TASKS)
def test_a_script_solves_a_task_and_chance_does_not(name):
    threshold = TASKS[name].threshold
    scripted = [final_score(name, seed, "scripted") for seed in range(2)]
    by_chance = [final_score(name, seed, "random") for seed in range(3)]
    assert np.mean(scripted) >= threshold > np.mean(by_chance)


@pytest.mark.parametrize(
    ("name", "control", "observation"),
    [
        *((name, "pick_and_place", "key_points") for name in TASKS),
        ("Rope", "velocity", "image"),
        ("Dress", "velocity", "positions"),
    ],
)
def test_environments_keep_gymnasiums_rules(name, control, observation):
    environment = gymnasium.make(
        f"supple/{name}-v0",
        control=control,
        observation=observation,
        render_mode="rgb_array",
        image_size=(16, 12),
        **SMALL,
    )
    check_env(environment.unwrapped, skip_close_check=True)
    environment.reset(seed=3)
    assert environment.render().shape == (256, 256, 3)


@pytest.mark.parametrize("randomise", [False, True])
def test_the_same_seed_gives_the_same_episode_and_another_another(randomise):
    environment = DeformableEnvironment("Rope", observation="positions", randomise=randomise, **SMALL)
    action = np.array([0.2, -1.0, 0.3, -0.5, -0.9, 0.1], dtype=np.float32)
    episodes = []
    for seed in (1, 1, 2):
        first, _ = environment.reset(seed=seed)
        last, reward, *_ = environment.step(action)
        episodes.append((first, last, reward))
    for a, b in zip(episodes[0], episodes[1], strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(episodes[0][0], episodes[2][0])


def test_rewards_add_up_to_the_change_of_the_score():
    environment = DeformableEnvironment("Fold", **SMALL)
    _, info = environment.reset(seed=0)
    first, total = info["score"], 0.0
    for _, action in zip(range(3), scripted_policy(environment), strict=False):
        _, reward, _, _, info = environment.step(action)
        total += reward
    assert first + total == pytest.approx(info["score"])


def test_velocity_control_grasps_lifts_and_releases():
    environment = DeformableEnvironment("Hang", control="velocity", **SMALL)
    environment.reset(seed=0)
    simulation = environment.simulation
    place = simulation.positions("cloth")[10]
    environment.gripper.position = place + np.array((0.0, 0.02, 0.0))
    for _ in range(8):
        observation, *_ = environment.step(np.array([0.0, 0.8, 0.0, 1.0], dtype=np.float32))
    assert observation[-1] == 1.0 and len(simulation.pinned("cloth")) >= 1
    assert simulation.positions("cloth")[10, 1] > 0.2
    environment.step(np.array([0.0, 0.0, 0.0, -1.0], dtype=np.float32))
    assert len(simulation.pinned("cloth")) == 0


def test_a_vector_of_environments_is_the_same_on_one_thread_and_on_two_and_begins_anew():
    results = []
    for threads in (1, 2):
        vector = gymnasium.make_vec(
            "supple/Rope-v0", num_envs=3, vectorization_mode="vector_entry_point",
            threads=threads, control="velocity", **SMALL,
        )  # fmt: skip
        assert isinstance(vector.unwrapped, ThreadVectorEnvironment)
        observations, infos = vector.reset(seed=5)
        kept = [observations]
        random, ended = np.random.default_rng(0), []
        for _ in range(vector.unwrapped.envs[0].task.steps + 2):
            observations, rewards, _, cut_off, infos = vector.step(
                random.uniform(-1, 1, (3, 4)).astype(np.float32)
            )
            kept += [observations, rewards]
            ended.append(cut_off.all())
        assert ended.count(True) == 1 and infos["score"].shape == (3,)
        results.append(kept)
        vector.close()
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
    alone = DeformableEnvironment("Rope", control="velocity", **SMALL)
    np.testing.assert_array_equal(alone.reset(seed=6)[0], results[0][0][1])


def test_what_makes_no_sense_is_refused():
    for options in (
        {"task": "Smoth"},
        {"control": "fly"},
        {"observation": "smell"},
        {"render_mode": "human"},
    ):
        with pytest.raises(supple.SuppleError, match=next(iter(options))):
            DeformableEnvironment(**options)
    environment = DeformableEnvironment("Rope", **SMALL)
    environment.reset(seed=0)
    with pytest.raises(supple.SuppleError, match="6 finite numbers"):
        environment.step(np.zeros(4))
