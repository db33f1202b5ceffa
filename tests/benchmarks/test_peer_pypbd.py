from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks import peer_pypbd
from benchmarks.cloth import MATERIAL, largest_stretch
from benchmarks.peer_pypbd import PeerCloth, grid_edges, grid_masses, grid_points, grid_triangles


def test_peer_cloth_weighs_its_area_density() -> None:
    assert math.isclose(grid_masses(7).sum(), MATERIAL["area_density"])


def test_peer_cloth_covers_a_square_metre_with_upright_triangles() -> None:
    corners = grid_points(6)[grid_triangles(6)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    np.testing.assert_allclose(normals, np.tile([0.0, 1 / 50, 0.0], (50, 1)), atol=1e-15)


def test_peer_cloth_has_every_thread_and_one_diagonal_per_cell() -> None:
    first, second, stiffness = (np.array(part) for part in grid_edges(5))
    lengths = np.linalg.norm(grid_points(5)[first] - grid_points(5)[second], axis=1)
    is_thread = np.isclose(lengths, 0.25)
    assert is_thread.sum() == 2 * 5 * 4
    assert (~is_thread).sum() == 4 * 4
    assert (stiffness[is_thread] == 0.5 * MATERIAL["stretch_stiffness"]).sum() == 4 * 4


def test_flat_cloth_is_not_stretched() -> None:
    assert math.isclose(largest_stretch(grid_points(9), 9), 1.0)


@pytest.mark.skipif(not peer_pypbd.is_available(), reason="pypbd is not installed")
def test_peer_falls_as_a_free_sheet_at_first_and_repeats_itself_after_a_reset() -> None:
    with PeerCloth(6) as peer:
        first = peer.advance(5)
        peer.reset()
        second = peer.advance(5)
    assert len(first.cpu_ms) == len(first.wall_ms) == 5
    assert first.lowest == second.lowest
    assert first.max_stretch == second.max_stretch
    assert -0.5 * 9.81 * 0.1**2 * 1.5 < first.lowest < -0.03
    assert first.max_stretch < 1.1


@pytest.mark.skipif(not peer_pypbd.is_available(), reason="pypbd is not installed")
def test_peer_that_ends_early_is_reported() -> None:
    peer = PeerCloth(6)
    peer._child.kill()
    peer._child.wait()
    with pytest.raises(RuntimeError, match="ended early"):
        peer.advance(1)
    peer.close()
