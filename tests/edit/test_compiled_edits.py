"""Every kernel of the edits gives in Python what it gives compiled.

A few edits are made while every call of a kernel from Python is written down; each is then repeated on copies
of its arguments, compiled and interpreted. What a kernel returns and what it leaves in its arrays must agree.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from copy import deepcopy

import numpy as np
import pytest

import supple
import supple.edit
from supple.kernel import is_kernel
from tests.edit.judge import sheet

INNER = {
    "corner_of", "opposite_corner", "next_in_one_ring", "one_ring_start", "is_on_boundary", "facing_triangles",
    "are_still_adjacent", "heron_area", "rest_length", "source_length", "source_area", "read_triangle",
    "triangle_quality", "cevian_length", "cevian_kind", "set_spring_shapes", "link_halves", "split_edge_values",
    "split_lumped_masses", "bisect_triangle", "duplicate_vertex", "separate_sectors", "split_or_snap",
    "exit_triangle", "advance_cut", "bound_vertices", "nearest_vertex", "closest_point_on_triangle",
    "closest_triangle", "start_vertex", "is_beyond_plane", "is_bend_near", "measure_row", "list_row_pieces",
    "weigh_row_pieces", "classify_four_point_bend", "renumber_four_points", "weigh_hinge", "template_spring",
    "template_bend", "add_source", "gather_ancestors", "one_ring_normal", "is_disturbed", "find_joints",
    "principal_axes", "centre_of_mass", "missing_rotation",
}  # fmt: skip
"""Kernels that only other kernels call: interpreted with those, because `py_func` stands in for them too."""


def kernels():
    found = {}
    for info in pkgutil.walk_packages(supple.edit.__path__, "supple.edit."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if is_kernel(value) and value.py_func.__module__ == module.__name__:
                found[name] = value
    return found


def arrays_of(value):
    """Return all arrays of an argument: itself, or those of a bundle, and of the bundles in it."""
    if isinstance(value, np.ndarray):
        return [value]
    return [array for part in value for array in arrays_of(part)] if isinstance(value, tuple) else []


def make_edits():
    simulation = supple.Simulation(supple.Scene(sheet(6), gravity=(0.0, 0.0, 0.0)), substeps=2)
    simulation.cut("cloth", path=[(-0.4, 0.13, 0.0), (0.2, 0.05, 0.0)])
    simulation.undo()
    simulation.cut("cloth", plane=((0.05, 0.0, 0.0), (1.0, 0.3, 0.0)))
    simulation.undo()
    simulation.cut("cloth", path=[(0.1, -0.5, 0.0), (0.1, 0.1, 0.0)])
    triangles, positions = simulation.triangles("cloth"), simulation.positions("cloth")
    line = [v for v in range(len(positions)) if abs(positions[v, 0] - 0.1) < 1e-9 and positions[v, 1] < 0.0]

    def beside(vertex):
        return positions[triangles[(triangles == vertex).any(axis=1)]].mean(axis=(0, 1))[0]

    line.sort(key=lambda v: (positions[v, 1], beside(v)))
    number = simulation.seam(("cloth", line[::2]), ("cloth", line[1::2]), seconds=0.0)
    simulation.seam(("cloth", [0, 6, 12]), ("cloth", [5, 11, 17, 23]), seconds=0.0)
    simulation.step()
    simulation.unseam(number)
    simulation.engine.world.particles.positions[:] *= 1.2
    simulation.tear("cloth", 0.1)
    simulation.step()


@pytest.fixture(scope="module")
def calls():
    make_edits()
    known = kernels()
    seen = {name: [] for name in known}
    patches = pytest.MonkeyPatch()

    def recorder(name, compiled):
        def call(*arguments):
            if len(seen[name]) < 2:
                seen[name].append(deepcopy(arguments))
            return compiled(*arguments)

        return call

    for name in sorted(set(known) - INNER):
        stand_in = recorder(name, known[name])
        for module_name, module in list(sys.modules.items()):
            if module_name.startswith("supple.edit") and vars(module).get(name) is known[name]:
                patches.setattr(module, name, stand_in)
    try:
        make_edits()
    finally:
        patches.undo()
    return seen


@pytest.mark.parametrize("name", sorted(set(kernels()) - INNER))
def test_a_kernel_does_the_same_in_python(name, calls, monkeypatch):
    known = kernels()
    assert calls[name], f"{name} was not called"
    for arguments in calls[name]:
        first, second = deepcopy(arguments), deepcopy(arguments)
        compiled = known[name](*first)
        with monkeypatch.context() as patch:
            for other, kernel in known.items():
                for module_name, module in list(sys.modules.items()):
                    if module_name.startswith("supple.edit") and vars(module).get(other) is kernel:
                        patch.setattr(module, other, kernel.py_func)
            interpreted = known[name].py_func(*second)
        np.testing.assert_allclose(
            np.array(compiled, float), np.array(interpreted, float), rtol=1e-12, atol=1e-14
        )
        for x, y in zip(arrays_of(first), arrays_of(second), strict=True):
            np.testing.assert_allclose(x.astype(float), y.astype(float), rtol=1e-12, atol=1e-14)
