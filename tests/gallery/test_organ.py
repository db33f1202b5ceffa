"""`organ` (Desbrun 1999, section 6): a volume, partly fixed, pinched and let be."""

from __future__ import annotations

import numpy as np

from supple import Simulation, find_scene


def volume(simulation):
    """Return the volume inside the surface [m³]."""
    a, b, c = np.moveaxis(simulation.positions("organ")[simulation.triangles("organ")], 1, 0)
    return float(np.einsum("tx,tx->", a, np.cross(b, c)) / 6.0)


def test_organ_is_deformed_and_returns_to_rest_with_its_volume():
    scene = find_scene("organ")
    simulation = Simulation(scene)
    box = float(np.prod(scene.body("organ").size))
    assert abs(volume(simulation) / box - 1.0) < 1e-12
    for _ in simulation.run(0.5):
        pass
    rest, rest_volume = simulation.positions("organ").copy(), volume(simulation)
    for _ in simulation.run(1.5):
        pass
    assert np.linalg.norm(simulation.positions("organ") - rest, axis=1).max() > 0.03
    assert volume(simulation) > 1.02 * rest_volume  # the fold is lifted
    *_, report = simulation.run(3.0)
    assert np.linalg.norm(simulation.positions("organ") - rest, axis=1).max() < 1e-4
    assert abs(volume(simulation) / rest_volume - 1.0) < 1e-3
    assert report.kinetic_energy < 1e-8


def test_organ_let_go_springs_back_on_its_own():
    simulation = Simulation(find_scene("organ"))
    for _ in simulation.run(0.4):
        pass
    rest, rest_volume = simulation.positions("organ").copy(), volume(simulation)
    for _ in simulation.run(1.6):
        pass
    # Let go of the fingertips; the underside stays fixed.
    for vertex in simulation.pinned("organ").tolist():
        if rest[vertex, 1] > 0.05:
            simulation.unpin("organ", vertex)
    *_, report = simulation.run(3.0)
    assert report.kinetic_energy < 1e-6
    assert abs(volume(simulation) / rest_volume - 1.0) < 0.02
