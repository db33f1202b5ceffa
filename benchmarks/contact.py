"""Contact: what cloth against cloth adds to a frame at rest, folded and wrung, and detection against IPC Toolkit."""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

import supple
from benchmarks.bars import Bar, Say, Section
from benchmarks.folded import begun, divided, frame_times
from supple.model.mesh import triangle_edges

SIDE, LAYERS = 32, 4
"""Points along a side of each sheet, and sheets: as many points as 64 x 64 folded in four."""

SETTLING, FRAMES = 100, 40
"""Frames until the stack lies still, and frames that are timed then."""

FOLDED = 6.5
"""When `fold` lies still [s]."""

WRUNG = 3.0
"""When three of the five turns of `twist` are done [s]."""


def contact(say: Say) -> Section:
    """Time a stack, a fold and a wrung cloth with and without contact, and one detection of all pairs."""
    modes = ("off", "points", "exact")
    stacks = [supple.Simulation(stack(mode)) for mode in modes]
    times = dict(zip(modes, frame_times(stacks, SETTLING, FRAMES, say), strict=True))
    rows = [
        (f"{LAYERS} sheets at rest", f"{LAYERS} x {SIDE} x {SIDE}", *times.values(), rms_speed(stacks[2]))
    ]

    coarse = begun("fold", FOLDED, 0.002, say)
    costs = {}
    for cells, frames in ((3, 10), (5, 5)):
        pair = [divided("fold", coarse, cells, 0.002, mode) for mode in ("off", "exact")]
        off, exact = frame_times(pair, 25, frames, say)
        side = round(math.sqrt(len(pair[1].positions("napkin"))))
        rows.append(("fold, calm", f"{side} x {side}", off, "", exact, rms_speed(pair[1])))
        costs[side * side] = off, exact
        if cells == 3:
            say("detection")
            ours, theirs = detection(pair[1])
    (few, (fold_off, fold_exact)), (many, (_, large_exact)) = costs.items()
    growth = large_exact / fold_exact / (many * math.log(many) / (few * math.log(few)))

    coarse = begun("twist", WRUNG, 0.001, say)
    pair = [divided("twist", coarse, 3, 0.001, mode) for mode in ("off", "exact")]
    twist_off, twist_exact = frame_times(pair, 5, 10, say)
    rows.append(("twist, in motion", "73 x 73", twist_off, "", twist_exact, rms_speed(pair[1])))
    return Section(
        title="Contact: what cloth against cloth adds to a frame",
        columns=("scene", "points", "off, ms", "points, ms", "exact, ms", "rms speed, mm/s"),
        rows=tuple(rows),
        bars=(
            Bar(name="four sheets at rest, exact", measured=times["exact"] / times["off"], rule="at most", limit=3.0),
            Bar(name="four sheets at rest, points", measured=times["points"] / times["off"], rule="at most", limit=1.5),
            Bar(name="rms speed of the stack, exact", measured=rms_speed(stacks[2]), rule="at most", limit=2.0, unit="mm/s"),
            Bar(name="fold once calm, 73 x 73, exact", measured=fold_exact / fold_off, rule="at most", limit=3.0),
            Bar(name="twist, 73 x 73, exact", measured=twist_exact / twist_off, rule="at most", limit=12.0),
            Bar(name="fold, growth to 121 x 121 over points x log(points)", measured=growth, rule="at most", limit=1.0),
            Bar(
                name="fold, 73 x 73: detection of all pairs over that of IPC Toolkit, candidates and additive CCD",
                measured=ours / theirs,
                rule="at most",
                limit=0.25,
            ),
        ),
        notes=(
            "CPU time of frames taken in turn, the least mean of five. Fold and twist are simulated with 25 x 25 points, "
            "and three or five cells made of each: their surface is the same.",
            f"One detection takes {1e3 * ours:.1f} ms, IPC Toolkit {1e3 * theirs:.1f} ms: pairs that come within the "
            "same reach in a step of 1 mm. Ours are kept, sorted and matched with contacts, and last for several substeps.",
            "What holds it back: in a wrung cloth most pairs of cells are truly near, and the distances of their edges take "
            "most of the time; points that leave their expected way are listed anew in every substep.",
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
    found = simulation._contact
    ours, theirs = [], []
    for _ in range(5):
        np.copyto(found._base, places)
        np.copyto(found._expected, moved)
        start = time.thread_time()
        found._list_pairs(False)
        ours.append(time.thread_time() - start)
        start = time.process_time()
        candidates = ipctk.Candidates()
        candidates.build(mesh, places, moved, 0.5 * found._reach)
        candidates.compute_collision_free_stepsize(mesh, places, moved)
        theirs.append(time.process_time() - start)
    found.forget()
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
