"""Change stiffness, mass, gravity, step and integrator while the cloth moves.

Every change acts from the next frame on. None of them makes a jolt: nothing gets faster than the
free corners in their first swing, which would reach 10.7 m/s without any change.
"""

import numpy as np

import supple

CHANGES = (
    ("ten times as stiff", "cloth", {"stretch_stiffness": 1.0e4}),
    ("twice as heavy", "cloth", {"density": 0.3}),
    ("on the moon", None, {"gravity": (0.0, -1.62, 0.0)}),
    ("by xpbd, 20 substeps", None, {"integrator": "xpbd", "substeps": 20}),
    ("back to descent, substeps by need", None, {"integrator": "auto", "substeps": "auto"}),
)


def main() -> float:
    """Return the largest speed of any point in the whole run [m/s]."""
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=20, rows=20, plane="xz")
    simulation = supple.Simulation(supple.Scene(cloth.pinned("top-left", "top-right")))

    fastest = 0.0
    for what, body, change in (("as declared", None, {}), *CHANGES):
        simulation.set(body, **change)
        for _ in range(20):
            report = simulation.step()
            fastest = max(fastest, float(np.linalg.norm(simulation.velocities("cloth"), axis=1).max()))
        print(f"{report.time:3.1f} s  {what:38s} fastest {fastest:5.2f} m/s, {report.substeps} substeps")
    return fastest


if __name__ == "__main__":
    main()
