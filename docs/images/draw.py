"""Draw every picture of the documentation anew: `python docs/images/draw.py [name ...]`.

All of them come from supple's own renderer. Keep each below 200 kB.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

import supple
from supple.record.pictures.picture import contact_sheet, figures_of, render
from supple.record.pictures.stage import Figure

FOLDER = Path(__file__).parent
TWO_CORNERS = supple.Material(
    area_density=0.15, stretch_stiffness=1000.0, shear_stiffness=1000.0, bending_stiffness=2.3e-5
)
"""The sheet of the tables in docs/theory/integrators.md."""


def played(scene: supple.Scene, seconds: float, **settings: object) -> supple.Simulation:
    """Return a simulation after some time [s]."""
    simulation = supple.Simulation(scene, **settings)
    for _ in simulation.run(seconds):
        pass
    return simulation


def gallery() -> np.ndarray:
    """Show a moment of every scene."""
    moments = {
        "hanging-sheet": 2.2, "chain": 1.3, "postures": 5.5, "chainmail": 4.8,
        "corners": 5.0, "centre": 5.0, "bezier": 5.0, "organ": 2.0,
    }  # fmt: skip
    pictures = [
        render(played(supple.find_scene(name), seconds), (300, 210)) for name, seconds in moments.items()
    ]
    return contact_sheet(pictures, columns=4, gap=6, captions=list(moments))


def hanging_sheet() -> np.ndarray:
    """Show the default scene as it swings."""
    scene = supple.find_scene("hanging-sheet")
    simulation = supple.Simulation(scene)
    pictures, captions = [], []
    for seconds in (0.3, 0.5, 0.9, 3.0):
        for _ in simulation.run(seconds):
            pass
        pictures.append(render(simulation, (360, 300)))
        captions.append(f"{simulation.time:.1f} s")
    return contact_sheet(pictures, columns=4, gap=6, captions=captions)


def predictors() -> np.ndarray:
    """Show the sheet on two corners after 0.5 s under three predictors and converged in time."""
    sheet = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=20, rows=20, plane="xz", material=TWO_CORNERS
    )
    scene = supple.Scene(sheet.pinned("top-left", "top-right"))
    ways = {
        "current, 2 ms": {"predictor": "current"},
        "inertial, 2 ms": {"predictor": "inertial"},
        "accelerated, 2 ms": {"predictor": "accelerated"},
        "explicit, 0.05 ms": {"integrator": "explicit", "substeps": 400},
    }
    frames = [figures_of(played(scene, 0.5, **way)) for way in ways.values()]
    return contact_sheet(_alike(frames, (330, 300)), columns=4, gap=6, captions=list(ways))


def materials() -> np.ndarray:
    """Show a napkin of every fabric, held at its centre."""
    names = ("silk", "cotton", "wool", "denim", "rubber")
    frames = []
    for name in names:
        napkin = supple.Cloth.rectangle(width=0.5, height=0.5, columns=31, rows=31, plane="xz", material=name)
        held = napkin.pinned(box=((-0.03, -1.0, -0.03), (0.03, 1.0, 0.03)))
        scene = supple.Scene(held, drag=2.0)
        frames.append(figures_of(played(scene, 4.0, substeps=20, predictor="inertial")))
    return contact_sheet(_alike(frames, (260, 260)), columns=5, gap=6, captions=names)


def fabrics() -> np.ndarray:
    """Show every ready fabric as the drape test of the laboratory leaves it, with its drape coefficient."""
    from supple.scene.bodies.materials import fabrics as known

    frames, captions = [], []
    for name in known():
        if name == "chain mail":  # has no stiffness, and is no fabric to drape
            continue
        found = supple.lab.drape(name, points=900)
        angles = 2.0 * np.pi * np.arange(48) / 48
        disc = np.stack([0.088 * np.sin(angles), np.full(48, 0.001), 0.088 * np.cos(angles)], axis=1)
        fan = np.array([[48, a, (a + 1) % 48] for a in range(48)])
        plate = Figure(np.concatenate([disc, [[0.0, 0.001, 0.0]]]), fan, colour="#c9c5bd")
        frames.append([Figure(found.positions, found.triangles), plate])
        captions.append(f"{name}, {found.coefficient:.0f} %")
    return contact_sheet(_alike(frames, (210, 170)), columns=5, gap=6, captions=captions)


def panels() -> np.ndarray:
    """Show the triangles of a panel, flat and bent, and the tunic laid out around the mannequin and sewn."""
    from supple.record.pictures.camera import Camera
    from supple.record.pictures.stage import all_points

    outline = [
        [-0.2, 0.0],
        [0.2, 0.0],
        {"at": [0.15, 0.5], "curve": [[0.08, 0.3], [-0.08, 0.3]]},
        [-0.15, 0.5],
    ]
    pictures, size = [], (230, 300)
    for wrap in (None, {"radius": 0.13}):
        bib = supple.Cloth.panel(outline=outline, size=0.03, wrap=wrap)
        # Triangles drawn a little smaller, each by itself, so that one sees them.
        corners = bib.start_points()[bib.surface_triangles()]
        middles = corners.mean(axis=1, keepdims=True)
        points = (middles + 0.9 * (corners - middles)).reshape(-1, 3)
        figure = Figure(points, np.arange(len(points)).reshape(-1, 3))
        pictures.append(render([figure], size))
    example = runpy.run_path(str(FOLDER.parents[1] / "examples/10_panels_and_patterns.py"))
    hem, waist = example["circle"](0.45), example["circle"](0.12)
    skirt = supple.Cloth.panel(
        outline=hem, holes=[waist], size=0.02, rotation_deg=(-90.0, 0.0, 0.0), material="wool"
    )
    pictures.append(render(played(supple.Scene(skirt.pinned("hole-0"), drag=2.0), 2.5), size))
    for seconds in (0.0, 3.0):
        figures = figures_of(played(supple.find_scene("tunic"), seconds))
        camera = Camera.framing(all_points(figures), size, azimuth=0.6)
        pictures.append(render(figures, size, camera=camera))
    captions = ["flat", "bent at the start", "a disc with a hole", "a pattern", "sewn"]
    return contact_sheet(pictures, columns=5, gap=6, captions=captions)


def _alike(frames: list[list[Figure]], size: tuple[int, int]) -> list[np.ndarray]:
    """Return pictures of several frames, all from one camera."""
    from supple.record.pictures.camera import Camera
    from supple.record.pictures.stage import all_points, default_floor

    points = np.concatenate([all_points(figures) for figures in frames])
    camera, floor = Camera.framing(points, size), default_floor(points)
    return [render(figures, size, camera=camera, floor=floor) for figures in frames]


def environments() -> np.ndarray:
    """Show the start and the end of an episode of every environment, solved by its script."""
    from supple.learn import TASKS, DeformableEnvironment, scripted_policy

    starts, ends = [], []
    for name in TASKS:
        environment = DeformableEnvironment(name)
        environment.reset(seed=0)
        starts.append(environment.simulation.image(environment.task.camera, (220, 180)).rgb)
        for action in scripted_policy(environment):
            if environment.step(action)[2]:
                break
        ends.append(environment.simulation.image(environment.task.camera, (220, 180)).rgb)
    captions = [f"{name}-v0" for name in TASKS] + [""] * len(TASKS)
    return contact_sheet(starts + ends, columns=5, gap=6, captions=captions)


def image_arrays() -> np.ndarray:
    """Show colours, depth and identity of one image."""
    scene = supple.Scene(
        supple.Cloth.rectangle(width=1.0, height=1.0, columns=30, rows=30, plane="xz", at=(0.0, 0.7, 0.0)),
        supple.Sphere(radius=0.3, at=(0.0, 0.3, 0.0)),
        supple.Box(size=(0.2, 0.3, 0.2), at=(0.65, 0.15, 0.2), colour="wood"),
        supple.Plane(),
    )
    image = played(scene, 1.2).image(supple.Camera(at=(0.3, 1.2, 2.0), look_at=(0.1, 0.25, 0.0)), (300, 220))
    depth = np.clip((image.depth - 1.2) / 3.0, 0.0, 1.0)
    grey = (255 * (1.0 - depth)).astype(np.uint8)[:, :, None].repeat(3, axis=2)
    colours = np.array(
        [(238, 237, 232), (200, 69, 47), (47, 127, 134), (217, 154, 43), (201, 208, 217)], dtype=np.uint8
    )
    return contact_sheet(
        [image.rgb, grey, colours[image.ids]], columns=3, gap=6, captions=["rgb", "depth", "ids"]
    )


PICTURES: dict[str, Callable[[], np.ndarray]] = {
    "gallery": gallery,
    "hanging-sheet": hanging_sheet,
    "predictors": predictors,
    "materials": materials,
    "fabrics": fabrics,
    "panels": panels,
    "environments": environments,
    "image-arrays": image_arrays,
}


def main() -> None:
    """Draw the pictures named on the command line, or all."""
    for name in sys.argv[1:] or PICTURES:
        Image.fromarray(PICTURES[name]()).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
