"""`postures` (Desbrun 1999, figures 7 and 8): any stiffness at one step."""

from __future__ import annotations


def test_cloths_of_30_to_a_million_newtons_per_metre_settle_together(play):
    played = play("postures")
    assert played.reports[-1].kinetic_energy < 2e-3


def test_stiffer_threads_stretch_less(play):
    played = play("postures")
    scene, world = played.scene, played.simulation
    stretch = {}
    for body in scene.bodies:
        start, now, springs = played.starts[body.name], world.positions(body.name), world.edges(body.name)
        lengths = [((x[springs[:, 0]] - x[springs[:, 1]]) ** 2).sum(axis=1) ** 0.5 for x in (start, now)]
        stretch[scene.material_of(body).stretch_stiffness] = float((lengths[1] / lengths[0]).max())
    softest, stiffest = min(stretch), max(stretch)
    assert softest == 30.0 and stiffest == 1.0e6
    assert stretch[softest] > 1.2 and stretch[1.0e4] < stretch[200.0] < stretch[softest]
