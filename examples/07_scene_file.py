"""Read a scene from a file, and build the equal scene in Python.

A scene file is TOML. What it builds is the same kind of value as what Python builds, so the
two compare equal. `supple.find_scene("corners")` reads a scene of the gallery by its name.
"""

import tempfile
from pathlib import Path

import supple

TEXT = """
title = "A flag on its pole"
duration = 1.0                  # s
drag = 0.5                      # 1/s

[cloth.flag]
rectangle = { width = 0.9, height = 0.6, columns = 25, rows = 17 }
at = [0.45, 2.0, 0.0]           # m
material = "cotton"
pin = ["left"]
"""


def main() -> float:
    """Return the stretch of the flag at the end of its scene [-]."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flag.toml"
        path.write_text(TEXT, encoding="utf-8")
        from_file = supple.read_scene(path)

    flag = supple.Cloth.rectangle(
        width=0.9, height=0.6, columns=25, rows=17, at=(0.45, 2.0, 0.0), material="cotton", name="flag"
    )
    built = supple.Scene(flag.pinned("left"), title="A flag on its pole", duration=1.0, drag=0.5)
    print("equal" if built == from_file else "different")
    print("gallery:", ", ".join(supple.gallery_names()))

    simulation = supple.Simulation(from_file)
    *_, report = simulation.run(from_file.duration)
    print(f"{report.time:.1f} s  longest thread {report.max_stretch:.3f}")
    return report.max_stretch if built == from_file else float("nan")


if __name__ == "__main__":
    main()
