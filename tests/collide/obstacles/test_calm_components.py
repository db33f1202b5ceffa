"""Components in contact are found span by span, compiled as in plain Python; where a tangent plane is kept."""

import numpy as np
import pytest

import supple
from supple.collide.obstacles.calm_components import (
    calm_touching_components,
    component_spans,
    mark_touching_components,
)
from supple.collide.obstacles.particle_contact import (
    ParticleContacts,
    clear_contacts,
    plane_in_axes,
    plane_of,
    store_plane,
)

LEADERS = np.array([0, 0, 2, 0, 2, 5])
"""Of three components; the particles of two of them are mixed."""

TOUCHED = np.array([-1, -1, -1, 3, -1, -1])
"""One particle of the first component touches something."""


def sheet(height):
    """Return a level sheet at that height [m]."""
    return supple.Cloth.rectangle(
        width=0.5, height=0.5, columns=10, rows=10, plane="xz", at=(0, height, 0), name="cloth"
    )


def test_spans_cover_all_particles_and_know_their_components():
    np.testing.assert_array_equal(
        component_spans(LEADERS), [[0, 2, 0], [2, 3, 2], [3, 4, 0], [4, 5, 2], [5, 6, 5]]
    )
    assert component_spans(np.zeros(0, dtype=np.int64)).shape == (0, 3)


@pytest.mark.parametrize("is_plain", [False, True])
def test_only_the_component_in_contact_is_calmed(is_plain):
    mark, calm, clear = (
        kernel.py_func if is_plain else kernel
        for kernel in (mark_touching_components, calm_touching_components, clear_contacts)
    )
    spans, is_touching = component_spans(LEADERS), np.ones(6, dtype=np.bool_)
    mark(TOUCHED, spans, is_touching)
    np.testing.assert_array_equal(is_touching[[0, 2, 5]], [True, False, False])
    accelerations = np.ones((6, 3))
    calm(TOUCHED, spans, is_touching, accelerations)
    np.testing.assert_array_equal(accelerations[:, 2], [0.0, 0.0, 1.0, 0.0, 1.0, 1.0])
    contacts = ParticleContacts(TOUCHED.copy(), np.ones(6), np.ones(6), np.ones((6, 3)))
    clear(contacts)
    touched, *displacements = contacts
    assert not any(each.any() for each in displacements) and (touched == -1).all()
    mark(touched, spans, is_touching)
    assert not is_touching[[0, 2, 5]].any()


@pytest.mark.parametrize("is_at_rest", [True, False])
def test_a_tangent_plane_comes_back_as_it_was_kept(is_at_rest):
    turn = supple.scene.placement.rotation_matrix((0.3, -0.2, 0.7))
    poses = np.concatenate([turn.ravel(), (0.1, 0.2, 0.3)])[None]
    rest, planes = np.array([is_at_rest]), np.zeros((2, 8))
    kept = 0.4, -0.1, 0.2, 0.6, 0.0, 0.8, 1e-3
    for keep, in_axes, of in (
        (store_plane, plane_in_axes, plane_of),
        (store_plane.py_func, plane_in_axes.py_func, plane_of.py_func),
    ):
        planes[:] = 0.0
        keep(poses, rest, 0, *kept, 1, planes)
        assert in_axes(poses, rest, 0, planes, 1) == pytest.approx(kept)
        point, normal = (
            (turn @ kept[:3] + (0.1, 0.2, 0.3), turn @ kept[3:6]) if is_at_rest else (kept[:3], kept[3:6])
        )
        assert of(planes, 1) == pytest.approx((*point, *normal, 1e-3))


def test_cloth_rests_on_what_stays_where_it_is_as_on_what_could_move():
    ends = []
    for motion in (None, lambda time: ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))):
        block = supple.Box(size=(0.3, 0.3, 0.3), rotation=(0.2, 0.5, 0.1), friction=0.4, motion=motion)
        simulation = supple.Simulation(supple.Scene(sheet(0.25), block), integrator="filter")
        # Which side meets an edge first is decided by the last digit, and the sheet follows.
        simulation.engine.obstacles.edge_contact.is_active = False
        for _ in simulation.run(0.4):
            assert simulation.depth() < 1e-4
        ends.append(simulation.positions("cloth"))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


def test_an_obstacle_at_rest_that_is_led_away_is_met_where_it_goes():
    block = supple.Box(size=(0.3, 0.3, 0.3), friction=0.6, name="block")
    simulation = supple.Simulation(supple.Scene(sheet(0.2), block), integrator="filter")
    for _ in simulation.run(0.4):
        pass
    for n in range(1, 21):
        simulation.move_obstacle("block", at=(0.005 * n, 0.01 * n, 0.0), rotation=(0.0, 0.02 * n, 0.0))
        assert simulation.step().contacts > 5  # it hangs on edges too
        assert simulation.depth() < 1e-4
    assert simulation.positions("cloth")[:, 0].mean() == pytest.approx(0.1, abs=0.02)
