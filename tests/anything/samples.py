"""Small files of every format that is read, to be mutated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import supple
from supple import Simulation
from supple.record.formats.table import read_table
from supple.record.pictures.picture import render
from supple.record.pictures.plot import columns_of

GALLERY = Path(supple.__file__).parent / "gallery"


class Target(NamedTuple):
    """A format that is read."""

    file: str
    """The file among the samples that is mutated."""

    read: Callable[[Path], object]
    """What reads it, as users would."""


def look_at(path: Path) -> None:
    """Open a recording, read and draw some of its frames and what it reports."""
    with supple.open(path) as recording:
        for number in {0, len(recording) // 2, len(recording) - 1} if len(recording) else ():
            frame = recording[number]
            render(frame, (48, 32))
        if len(recording) < 100:
            columns_of(path)


def go_on(path: Path) -> None:
    """Load a state and compute two frames."""
    simulation = Simulation.load(path)
    for _ in range(2):
        simulation.step()
    if simulation.script.edits:
        try:
            simulation.undo()
        except supple.SuppleError:
            return
        simulation.step()


def stand_by(path: Path) -> None:
    """Read a character, and let it stand in a scene."""
    supple.Scene(
        supple.Chain(length=0.1, points=2, at=(0.0, 9.0, 0.0)), *supple.read_character(path, name="it")
    )


def declare_tetrahedra(path: Path) -> None:
    """Declare a soft body of a mesh file."""
    supple.SoftBody.from_tetrahedra(path, material="jelly")


def declare_mesh(path: Path) -> None:
    """Declare an obstacle of a mesh file."""
    supple.Mesh(file=str(path))


def build(path: Path) -> None:
    """Read a scene; no world is built of it, which may be as large as it says."""
    supple.read_scene(path)


TARGETS = {
    "recording.npz": Target("drape.npz", look_at),
    "recording.npy": Target("drape.npy/cloth/positions.npy", lambda path: look_at(path.parents[1])),
    "recording.about": Target("drape.npy/about.json", lambda path: look_at(path.parent)),
    "recording.obj": Target("drape-0001.obj", lambda path: look_at(path.with_name("drape.obj"))),
    "recording.ply": Target("drape-0001.ply", lambda path: look_at(path.with_name("drape.ply"))),
    "recording.pc2": Target("sheet.pc2", look_at),
    "recording.vtu": Target("drape-0001.vtu", lambda path: look_at(path.with_name("drape.vtu"))),
    "recording.glb": Target("drape.glb", look_at),
    "recording.usda": Target("drape.usda", look_at),
    "table.csv": Target("drape.csv", read_table),
    "table.parquet": Target("drape.parquet", read_table),
    "state": Target("state.npz", go_on),
    "state.edited": Target("edited.npz", go_on),
    "state.soft": Target("soft.npz", go_on),
    "character.glb": Target("walk.glb", stand_by),
    "character.usda": Target("walk.usda", stand_by),
    "character.pc2": Target("sheet.pc2", stand_by),
    **{
        f"mesh.{ending}": Target(f"ball.{ending}", declare_mesh)
        for ending in ("obj", "ply", "stl", "glb", "off")
    },
    "tetrahedra.vtk": Target("cube.vtk", declare_tetrahedra),
    "tetrahedra.msh": Target("cube.msh", declare_tetrahedra),
    "tetrahedra.npz": Target("cube.npz", declare_tetrahedra),
    "pattern.json": Target("tunic.json", lambda path: supple.Pattern(file=str(path), size=0.1)),
    "scene.toml": Target("scene.toml", build),
    "script.toml": Target("script.toml", supple.read_script),
    "script.json": Target("script.json", supple.read_script),
}
"""What is read, by a name for messages. Binary USD is left out: the library that reads it believes the sizes it finds."""


def write_samples(folder: Path) -> None:
    """Write a small file of every format."""
    import trimesh

    from tests.scene import walker

    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=4, rows=4, plane="xz", self_contact="exact")
    chain = supple.Chain(length=0.3, points=4, at=(0.5, 0.3, 0.0), name="rope")
    ball = supple.Sphere(radius=0.1, at=(0.0, -0.12, 0.0), mass=0.2)
    scene = supple.Scene(sheet.pinned("top-left"), chain, ball, supple.Plane(offset=-0.5))
    endings = ("npz", "npy", "obj", "ply", "vtu", "glb", "usda", "csv", "parquet")
    supple.record(Simulation(scene), *(folder / f"drape.{ending}" for ending in endings), seconds=0.06)
    supple.record(Simulation(supple.Scene(sheet)), folder / "sheet.pc2", seconds=0.06)
    simulation = Simulation(scene)
    simulation.step()
    simulation.save(folder / "state.npz")
    simulation.cut("cloth", plane=((0.01, 0.0, 0.0), (1.0, 0.0, 0.1)))
    simulation.shrink("cloth", ratio=0.9, seconds=0.1)
    simulation.step()
    simulation.save(folder / "edited.npz")
    simulation.script.save(folder / "script.toml")
    simulation.script.save(folder / "script.json")
    jelly = supple.SoftBody.ball(0.1, 0.08, material="jelly", levels=2, name="jelly")
    simulation = Simulation(supple.Scene(jelly, supple.Plane(offset=-0.1)))
    simulation.step()
    simulation.save(folder / "soft.npz")
    walker.write_glb(folder / "walk.glb", is_skinned=True)
    walker.write_usd(folder / "walk.usda", is_skinned=True)
    mesh = trimesh.creation.icosphere(subdivisions=1)
    for ending in ("obj", "ply", "stl", "glb", "off"):
        mesh.export(folder / f"ball.{ending}")
    (folder / "cube.vtk").write_bytes((GALLERY / "cube-27.vtk").read_bytes())
    (folder / "cube.msh").write_text(GMSH)
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    np.savez(folder / "cube.npz", vertices=points, tetrahedra=np.array([[0, 1, 2, 3]]))
    (folder / "tunic.json").write_bytes((GALLERY / "tunic.json").read_bytes())
    (folder / "scene.toml").write_bytes((GALLERY / "scarf.toml").read_bytes())


GMSH = """$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
"""
