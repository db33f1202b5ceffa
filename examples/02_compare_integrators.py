"""Run one sheet under all six integrators.

The same scene, the same 50 frames per second; each integrator gets as many substeps as suits
it. `explicit` is told 1 and takes what it needs to stay stable.
"""

import supple

SUBSTEPS = {"descent": 10, "explicit": 1, "jacobi": 20, "filter": 10, "implicit": 2, "xpbd": 20}


def main() -> dict[str, float]:
    """Return the lowest point after half a second by integrator [m]."""
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=16, rows=16, plane="xz")
    scene = supple.Scene(sheet.pinned("top-left", "top-right"))

    lowest = {}
    print("integrator  substeps  lowest [m]  stretch  ms/frame")
    for name, substeps in SUBSTEPS.items():
        simulation = supple.Simulation(scene, integrator=name, substeps=substeps)
        reports = list(simulation.run(seconds=0.5))
        lowest[name] = float(simulation.positions("cloth")[:, 1].min())
        cost = sorted(report.milliseconds for report in reports)[len(reports) // 2]
        last = reports[-1]
        print(f"{name:10s}  {last.substeps:8d}  {lowest[name]:10.3f}  {last.max_stretch:7.3f}  {cost:8.2f}")
    return lowest


if __name__ == "__main__":
    main()
