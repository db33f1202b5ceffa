"""The preview: what a page sees before anything is compiled."""

import subprocess
import sys

import numpy as np

import supple
from supple.studio.player.preview import Preview


def test_looking_at_a_scene_does_not_load_the_compiler():
    code = "import sys, supple.studio.player.preview; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_scene_is_seen_where_its_simulation_starts():
    scene = supple.find_scene("scarf")
    preview, simulation = Preview(scene), supple.Simulation(scene)
    assert preview.body_names == simulation.body_names
    for name in preview.body_names:
        np.testing.assert_array_equal(preview.surface(name)[0], simulation.positions(name))
        np.testing.assert_array_equal(preview.surface(name)[1], simulation.triangles(name))
    for name in preview.obstacle_names:
        for seen, found in zip(preview.obstacle_pose(name), simulation.obstacle_pose(name), strict=True):
            np.testing.assert_allclose(seen, found, atol=1e-12)
