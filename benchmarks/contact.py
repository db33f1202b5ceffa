"""Contact: what cloth against cloth adds to a frame at rest, folded and wrung, and detection against IPC Toolkit."""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

import supple
from benchmarks.bars import Bar, Say, Section
from benchmarks.folded import Sheet, begun, frame_times, taken_over
from supple.model.builders.mesh import triangle_edges

SIDE, LAYERS = 32, 4
"""Points along a side of each sheet, and sheets: as many points as 64 x 64 folded in four."""

SETTLING, FRAMES = 100, 40
"""Frames until the stack lies still, and frames that are timed then."""

FOLD, FOLDED = Sheet("fold", 65, 65, 0.002), 6.5
"""The folded cloth, odd so that it folds along a row of points, and when it lies still [s]."""

SETTLED = 100
"""Frames in which the fold that was taken over and the one that was divided both come to rest."""

TWIST, WRUNG = Sheet("twist", 151, 31, 0.001), 3.0
"""The wrung cloth, as many points as 64 x 64 in cells as long as wide, and when three of its five turns are done [s]."""


def contact(say: Say) -> Section:
    """Time a stack, a fold and a wrung cloth with and without contact, and one detection of all pairs."""
    modes = ("off", "points", "exact")
    stacks = [supple.Simulation(stack(mode)) for mode in modes]
    times = dict(zip(modes, frame_times(stacks, SETTLING, FRAMES, say), strict=True))
    rows: list[tuple[str | float, ...]] = [
        (f"{LAYERS} sheets at rest", f"{LAYERS} x {SIDE} x {SIDE}", *times.values(), rms_speed(stacks[2]))
    ]

    folded = begun(FOLD, FOLDED, say)
    fold_off, fold_exact = frame_times([taken_over(FOLD, folded, 1, "off"), folded], 5, 20, say)
    rows.append(("fold, calm", str(FOLD), fold_off, "", fold_exact, rms_speed(folded)))
    say("detection")
    ours, theirs = detection(folded)
    large_off = frame_times([taken_over(FOLD, folded, 2, "off")], 5, 5, say)[0]
    # Like with like: both forget their contacts and settle for as long.
    pair = [taken_over(FOLD, folded, times, "exact") for times in (1, 2)]
    small_exact, large_exact = frame_times(pair, SETTLED, 20, say)
    rows.append(("fold, taken over", str(FOLD), fold_off, "", small_exact, rms_speed(pair[0])))
    rows.append(("fold, divided", str(FOLD.divided(2)), large_off, "", large_exact, rms_speed(pair[1])))
    few, many = FOLD.columns**2, FOLD.divided(2).columns ** 2
    expected = many * math.log(many) / (few * math.log(few))

    wrung = begun(TWIST, WRUNG, say)
    twist_off, twist_exact = frame_times([taken_over(TWIST, wrung, 1, "off"), wrung], 5, 10, say)
    rows.append(("twist, in motion", str(TWIST), twist_off, "", twist_exact, rms_speed(wrung)))
    return Section(
        title="Contact: what cloth against cloth adds to a frame",
        columns=("scene", "points", "off, ms", "points, ms", "exact, ms", "rms speed, mm/s"),
        rows=tuple(rows),
        bars=(
            Bar(name="four sheets at rest, exact", measured=times["exact"] / times["off"], rule="at most", limit=3.0),
            Bar(name="four sheets at rest, points", measured=times["points"] / times["off"], rule="at most", limit=1.5),
            Bar(name="rms speed of the stack, exact", measured=rms_speed(stacks[2]), rule="at most", limit=2.0, unit="mm/s"),
            Bar(name=f"fold once calm, {FOLD}, exact", measured=fold_exact / fold_off, rule="at most", limit=3.0),
            Bar(name=f"twist, {TWIST}, exact", measured=twist_exact / twist_off, rule="at most", limit=12.0),
            Bar(
                name=f"fold, growth to {FOLD.divided(2)} over points x log(points)",
                measured=large_exact / small_exact / expected,
                rule="at most",
                limit=1.0,
            ),
            Bar(
                name=f"fold, {FOLD}: detection of all pairs over that of IPC Toolkit, candidates and additive CCD",
                measured=ours / theirs,
                rule="at most",
                limit=0.25,
            ),
        ),
        notes=(
            "CPU time of frames taken in turn, the least mean of five. `fold` and `twist` are simulated from their start; "
            f"two cells for one make {FOLD.divided(2)} of it. For the growth, these and the fold as it was both begin "
            f"without contacts and settle for {SETTLED / 50:g} s: cells that were flat bend, and folds creep at some mm/s "
            f"for seconds. Over the calm fold, which never stopped, it is {large_exact / fold_exact / expected:.2f}.",
            f"One detection takes {1e3 * ours:.1f} ms, IPC Toolkit {1e3 * theirs:.1f} ms: pairs that come within the "
            "same reach in a step of 1 mm. Ours are kept and sorted, and last for several substeps.",
            "What holds it back: in a wrung cloth nearly every pair that is listed "
            "is in touch, and layers slide on each other with velocities that change in every substep, so that "
            "lists do not last: a third of a frame goes into what contacts carry, five or six solutions with the "
            "matrix in a substep, a fifth into lists, a tenth into finding contacts. A fold of finer cells has more pairs "
            "within the same reach, seven times as many in four times the points, since no star of cells as small "
            "as the reach is flat.",
        ),
    )  # fmt: skip


def rms_speed(simulation: supple.Simulation) -> float:
    """Return the rms speed of all points [mm/s]."""
    velocities = np.concatenate([simulation.velocities(name) for name in simulation.body_names])
    return 1e3 * float(np.sqrt((velocities**2).sum(axis=1).mean()))


def stack(mode: str) -> supple.Scene:
    """Return sheets that fall a little way onto the ground and each other, each turned against the one below."""
    sheets = [
        supple.Cloth.rectangle(
            width=0.3,
            height=0.3,
            columns=SIDE,
            rows=SIDE,
            plane="xz",
            name=f"sheet-{k + 1}",
            at=(0.003 * k, 0.003 + 0.002 * k, 0.002 * k),
            rotation_deg=(0.0, 7.0 * k, 0.0),
        ).changed(self_contact=mode)
        for k in range(LAYERS)
    ]
    return supple.Scene(*sheets, supple.Plane(normal=(0.0, 1.0, 0.0), offset=0.0, friction=0.5))


def detection(simulation: supple.Simulation) -> tuple[float, float]:
    """Return the CPU time of one detection of all pairs, ours and IPC Toolkit's [s]: the least of five."""
    import ipctk  # only here: it is needed for tests and this section

    places, triangles = surface(simulation)
    edges, _ = triangle_edges(triangles)
    mesh = ipctk.CollisionMesh(places, edges.astype(np.int32), triangles.astype(np.int32))
    moved = places + 1e-3 * np.sin(40.0 * places[:, [2, 0, 1]])
    near = simulation.engine.contact.neighbours
    ours, theirs = [], []
    for _ in range(5):
        start = time.thread_time()
        near.list_all(places, moved, near.reach, near.reach)
        ours.append(time.thread_time() - start)
        start = time.process_time()
        candidates = ipctk.Candidates()
        candidates.build(mesh, places, moved, 0.5 * near.reach)
        candidates.compute_collision_free_stepsize(mesh, places, moved)
        theirs.append(time.process_time() - start)
    simulation.engine.contact.forget()
    return min(ours), min(theirs)


def surface(simulation: supple.Simulation) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the points (n, 3) [m] and triangles (t, 3) of all bodies as one mesh."""
    triangles, first = [], 0
    for name in simulation.body_names:
        triangles.append(simulation.triangles(name) + first)
        first += len(simulation.positions(name))
    return np.concatenate([simulation.positions(name) for name in simulation.body_names]), np.concatenate(
        triangles
    )
