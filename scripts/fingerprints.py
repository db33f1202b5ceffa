"""Tell whether a change of the code has changed the motion: fingerprints of positions, bit for bit.

    python scripts/fingerprints.py write BEFORE.json      on the code as it was
    python scripts/fingerprints.py compare BEFORE.json    on the code as it is now; exit 1 where a bit differs
    python scripts/fingerprints.py compare BEFORE.json scarf fold    only these scenes

Every gallery scene runs for two seconds; halfway it is saved, and the saved copy runs on to the same end. The other
cases are one small scene per integrator, with an obstacle, wind, a cut and a grab. A fingerprint is a hash of
positions and velocities of all bodies, so it depends on the machine: compare on the machine that wrote.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import supple

SECONDS = 2.0
"""How long a gallery scene runs [s]."""

INTEGRATORS = ("auto", "descent", "explicit", "jacobi", "filter", "implicit", "xpbd")


def case_names() -> list[str]:
    """Return the names of all cases: gallery scenes, and small scenes with a name of the form `integrator:NAME`."""
    return [*supple.gallery_names(), *(f"integrator:{name}" for name in INTEGRATORS)]


def fingerprint(simulation: supple.Simulation) -> str:
    """Return a hash of the positions and velocities of all bodies."""
    digest = hashlib.sha256()
    for name in simulation.body_names:
        digest.update(name.encode())
        digest.update(simulation.positions(name).tobytes())
        digest.update(simulation.velocities(name).tobytes())
    return digest.hexdigest()[:20]


def run_case(name: str) -> dict[str, str]:
    """Run one case and return its fingerprints: halfway, at the end, and at the end of the copy that was saved."""
    warnings.simplefilter("ignore")
    kind, _, integrator = name.partition(":")
    simulation = small_scene(integrator) if integrator else supple.Simulation(supple.find_scene(kind))
    for _ in simulation.run(SECONDS / 2):
        pass
    half = fingerprint(simulation)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.npz"
        simulation.save(path)
        resumed = supple.Simulation.load(path)
    for _ in simulation.run(SECONDS / 2):
        pass
    for _ in resumed.run(SECONDS / 2):
        pass
    return {"half": half, "end": fingerprint(simulation), "resumed": fingerprint(resumed)}


def small_scene(integrator: str) -> supple.Simulation:
    """Return a sheet over a ball and a soft box (a chain for `xpbd` and `descent`) on the ground, in wind, cut and held."""
    sheet = supple.Cloth.rectangle(width=0.6, height=0.6, columns=13, rows=13, at=(0.0, 0.5, 0.0), plane="xz")
    soft = supple.SoftBody.box(size=(0.2, 0.2, 0.2), cell=0.1, at=(0.6, 0.3, 0.0))
    scene = supple.Scene(
        sheet.pinned("top-left"),
        supple.Chain(length=0.5, points=12, at=(0.6, 0.6, 0.0))
        if integrator in ("xpbd", "descent")
        else soft,
        supple.Sphere(radius=0.2, at=(0.0, 0.2, 0.0), friction=0.3),
        supple.Plane(),
        supple.Wind(velocity=(1.0, 0.0, 0.5), gusts=0.3),
    )
    simulation = supple.Simulation(scene, integrator=integrator)
    simulation.cut("cloth", plane=((0.05, 0.5, 0.0), (1.0, 0.0, 0.1)))
    simulation.grab("cloth", vertex=5, target=(0.1, 0.6, 0.1))
    return simulation


def run_all(names: list[str]) -> dict[str, dict[str, str]]:
    """Run cases on all cores and print each as it is done."""
    found: dict[str, dict[str, str]] = {}
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        waiting = {pool.submit(run_case, name): name for name in names}
        for done in as_completed(waiting):
            name = waiting[done]
            found[name] = done.result()
            is_exact = found[name]["end"] == found[name]["resumed"]
            print(
                f"{name:24} {found[name]['end']}{'' if is_exact else '  (resumed run differs)'}", flush=True
            )
    return found


def main() -> int:
    """Write fingerprints, or compare with those written before."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("cases", nargs="*", help="only these (default: all)")
    chosen = parser.parse_args()
    names = chosen.cases or case_names()
    if chosen.action == "write":
        chosen.file.write_text(json.dumps(run_all(names), indent=1, sort_keys=True))
        return 0
    before = json.loads(chosen.file.read_text())
    now = run_all(names)
    different = [name for name in names if now[name] != before.get(name)]
    print(f"{len(names) - len(different)} of {len(names)} cases are bit-identical")
    for name in different:
        print(f"  differs: {name}: {before.get(name)} before, {now[name]} now")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
