"""Blender imports what we write. Opt-in: set SUPPLE_BLENDER to a Python that has the package `bpy`, with arguments.

SUPPLE_BLENDER="python3.11" pytest tests/record/test_blender.py
"""

from __future__ import annotations

import os
import shlex
import subprocess

import numpy as np
import pytest

from tests.record.conftest import STEPS

pytestmark = pytest.mark.skipif("SUPPLE_BLENDER" not in os.environ, reason="SUPPLE_BLENDER is not set")

IMPORT_USD = """
import sys
import bpy, numpy as np
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.usd_import(filepath=sys.argv[1])
"""

IMPORT_CACHE = """
import sys
import bpy, numpy as np
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.obj_import(filepath=sys.argv[1], forward_axis="Y", up_axis="Z")
cache = bpy.context.selected_objects[0].modifiers.new("cache", "MESH_CACHE")
cache.cache_format, cache.filepath = "PC2", sys.argv[2]
cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
"""

LAST_FRAME = """
scene = bpy.context.scene
scene.frame_set({frame})
cloth = next(o for o in scene.objects if o.type == "MESH" and "cloth" in o.name)
shown = cloth.evaluated_get(bpy.context.evaluated_depsgraph_get())
mesh = shown.to_mesh()
points = np.array([shown.matrix_world @ v.co for v in mesh.vertices])
np.save(sys.argv[-1], points)
"""


def blender(program, *arguments):
    words = [*shlex.split(os.environ["SUPPLE_BLENDER"]), "-c", program, *map(str, arguments)]
    answer = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr
    return np.load(arguments[-1])


def test_blender_agrees_on_the_last_frame_of_a_usd(recorded, tmp_path):
    program = IMPORT_USD + LAST_FRAME.format(frame=STEPS)
    points = blender(program, recorded.path(".usd"), tmp_path / "points.npy")
    x, y, z = recorded.positions["cloth"][-1].astype(np.float64).T
    np.testing.assert_allclose(points, np.stack([x, -z, y], axis=1), atol=1e-6)


def test_blender_agrees_on_the_last_frame_of_a_point_cache(recorded, tmp_path):
    cache = recorded.path(".pc2").with_name("über run-cloth.pc2")
    rest = cache.with_name("über run-cloth.rest.obj")
    program = IMPORT_CACHE + LAST_FRAME.format(frame=STEPS)
    points = blender(program, rest, cache, tmp_path / "points.npy")
    np.testing.assert_allclose(points, recorded.positions["cloth"][-1], atol=1e-6)
