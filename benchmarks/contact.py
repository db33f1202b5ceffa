"""Contact: what cloth against cloth adds to a frame, and detection against IPC Toolkit."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

import supple
from benchmarks.bars import Bar, Say, Section
from supple.model.mesh import triangle_edges

SIDE, LAYERS = 32, 4
"""Points along a side of each sheet, and sheets: as many points as 64 x 64 folded in four."""

SETTLING, FRAMES = 100, 40
"""Frames until the stack lies still, and frames that are timed then."""


def contact(say: Say) -> Section:
    """Time four layers at rest with each kind of contact, and one detection of their pairs."""
    times, speeds = {}, {}
    for mode in ("off", "points", "exact"):
        simulation = supple.Simulation(stack(mode))
        for frame in range(SETTLING + FRAMES):
            say(f"{mode}, frame {frame + 1} of {SETTLING + FRAMES}")
            if frame == SETTLING:
                taken = []
            start = time.thread_time()
            simulation.step()
            if frame >= SETTLING:
                taken.append(time.thread_time() - start)
        times[mode] = 1e3 * float(np.median(taken))
        velocities = np.concatenate([simulation.velocities(name) for name in simulation.body_names])
        speeds[mode] = 1e3 * float(np.sqrt((velocities**2).sum(axis=1).mean()))
    say("detection")
    ours, theirs = detection(simulation)
    return Section(
        title=f"Contact: {LAYERS} sheets of {SIDE} x {SIDE} points on each other at rest",
        columns=("self_contact", "ms a frame", "rms speed, mm/s"),
        rows=tuple((mode, times[mode], speeds[mode]) for mode in times),
        bars=(
            Bar(name="frame with exact contact", measured=times["exact"] / times["off"], rule="at most", limit=3.0),
            Bar(name="frame with contact of points", measured=times["points"] / times["off"], rule="at most", limit=1.5),
            Bar(name="rms speed of the stack, exact", measured=speeds["exact"], rule="at most", limit=2.0, unit="mm/s"),
            Bar(
                name="detection of all pairs over that of IPC Toolkit, candidates and additive CCD",
                measured=ours / theirs,
                rule="at most",
                limit=0.25,
            ),
        ),
        notes=(
            f"CPU time, medians of {FRAMES} frames.",
            f"One detection takes {1e3 * ours:.1f} ms, IPC Toolkit {1e3 * theirs:.1f} ms: pairs that come within the "
            "same reach in a step of 1 mm. Ours are kept, sorted and matched with contacts, and last for several substeps.",
        ),
    )  # fmt: skip


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
