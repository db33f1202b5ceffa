"""What surrounds an edited body follows: wind, soft bodies and saved states."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from tests.together import assert_go_on_alike


def banner_and_jelly() -> supple.Simulation:
    banner = supple.Cloth.rectangle(
        width=0.6, height=0.6, columns=9, rows=9, name="banner", at=(0.0, 1.0, 0.0)
    )
    jelly = supple.SoftBody.box(
        size=(0.2, 0.2, 0.2), cell=0.1, material="jelly", name="jelly", at=(1.0, 1.0, 0.0)
    )
    scene = supple.Scene(
        banner.pinned("top"), jelly.pinned("top"), supple.Wind(velocity=(0.0, 0.0, 4.0), gusts=0.3)
    )
    return supple.Simulation(scene, integrator="filter")


def cut_off_the_lower_half(simulation: supple.Simulation) -> None:
    simulation.cut("banner", plane=((0.0, 0.98, 0.0), (0.0, 1.0, 0.0)))


def test_the_wind_blows_on_pieces_that_came_off():
    simulation = banner_and_jelly()
    cut_off_the_lower_half(simulation)
    simulation.step()
    assert "banner-piece-1" in simulation.body_names
    for name in ("banner", "banner-piece-1"):
        assert simulation.air_force(name)[2] > 0.1


def test_a_soft_body_does_not_notice_that_another_body_is_cut():
    whole, cut = banner_and_jelly(), banner_and_jelly()
    cut_off_the_lower_half(cut)
    for _ in range(20):
        whole.step()
        assert cut.step().is_finite
    assert np.abs(whole.positions("jelly") - cut.positions("jelly")).max() < 1e-9
    cut.undo()
    whole.step()
    assert cut.step().is_finite
    assert np.abs(whole.positions("jelly") - cut.positions("jelly")).max() < 1e-9


def test_a_saved_state_of_cut_cloth_in_the_wind_beside_a_soft_body_goes_on_bit_for_bit(tmp_path):
    simulation = banner_and_jelly()
    cut_off_the_lower_half(simulation)
    for _ in range(5):
        simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    assert_go_on_alike(simulation, again, 5)


def test_soft_bodies_refuse_to_be_sewn():
    with pytest.raises(supple.SuppleError, match="soft body"):
        banner_and_jelly().shrink("jelly")
