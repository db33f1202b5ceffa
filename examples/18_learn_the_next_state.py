"""Make a data set with a sweep, and learn to predict the next frame from it.

A swinging chain is run from several angles; each run keeps positions and velocities. A linear map from the state of one
frame to that of the next is fitted to all but one run, and tried on the one that was left out. It has to beat the guess
that every point flies freely.
"""

import tempfile
from pathlib import Path

import numpy as np

import supple

STEP = 0.02


def make_scene(angle: float) -> supple.Scene:
    """Return a chain that is held at its start, turned by `angle` [rad]."""
    chain = supple.Chain(
        length=0.6, points=6, stretch_stiffness=500.0, damping=0.2, rotation=(0.0, 0.0, angle)
    )
    return supple.Scene(chain.pinned("start"), drag=0.2)


def states(run: dict[str, np.ndarray]) -> np.ndarray:
    """Return positions and velocities of every frame as one row, with a 1 for the constant part."""
    rows = [run[f"{name}_chain"].reshape(len(run["time"]), -1) for name in ("positions", "velocities")]
    return np.concatenate([*rows, np.ones((len(run["time"]), 1))], axis=1).astype(np.float64)


def main(folder: Path) -> float:
    """Return the error of the learned prediction over that of free flight, on a run that was not seen."""
    sweep = supple.sweep(
        make_scene,
        {"angle": np.linspace(0.1, 0.7, 13).tolist()},
        measure="kinetic_energy",
        seconds=1.0,
        out=folder / "swings",
        keep={"velocities": True},
        cluster="serial",
    )
    runs = [states(sweep.frames(number)) for number in range(len(sweep))]
    unseen = runs.pop(6)
    before, after = (np.concatenate([run[part] for run in runs]) for part in (slice(0, -1), slice(1, None)))
    gram = before.T @ before + 1e-8 * np.eye(before.shape[1])
    learned = np.linalg.solve(gram, before.T @ after)

    count = (unseen.shape[1] - 1) // 2
    true = unseen[1:, :count]
    predicted = (unseen[:-1] @ learned)[:, :count]
    free = unseen[:-1, :count] + STEP * unseen[:-1, count : 2 * count]
    free[:, 4::3] -= 9.81 * STEP**2  # all but the held point fall
    error, flight = (float(np.abs(guess - true).mean()) for guess in (predicted, free))
    print(f"mean error {1e3 * error:.3f} mm, free flight {1e3 * flight:.3f} mm")
    return error / flight


if __name__ == "__main__":
    main(Path(tempfile.mkdtemp(prefix="supple-")))
