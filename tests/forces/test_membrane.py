"""Membrane elements one at a time: energy, pull, damping and the blocks of the Newton system."""

import numpy as np
import pytest

from supple.forces import membrane
from supple.forces.membrane import add_membrane_forces, membrane_energy, membrane_rows
from supple.forces.thread_laws import add_thread_laws, find_thread_laws
from supple.integrate.descent.element_rows import Triangles
from supple.model.membrane import MembraneArrays
from supple.model.thread_laws import ThreadLaws
from tests.interpreted import interpreted

BOTH = pytest.mark.parametrize("way", ["compiled", "python"])

WARP = np.array([[-3.0, 1.0, 2.0]])
WEFT = np.array([[-1.0, 2.5, -1.5]])
ELEMENT = MembraneArrays(
    np.array([[2, 0, 1]]), WARP, WEFT, np.array([[30.0, 11.0, 6.0, 4.0, 0.3]]), np.array([0.1])
)
FLAT = np.linalg.inv(
    np.stack([WARP[0, 1:], WEFT[0, 1:]])
)  # corners 1 and 2 from corner 0, along warp and weft


def version(function, way):
    return function if way == "compiled" else function.py_func


def at_rest(gradient=None):
    """Return the positions of the three particles, stretched by a (3, 2) gradient of warp and weft."""
    gradient = np.eye(3)[:, :2] if gradient is None else np.array(gradient)
    places = np.zeros((3, 3))
    places[[0, 1]] = FLAT @ gradient.T
    return places + np.array([0.3, -0.2, 0.1])


def forces(way, positions, velocities=None, element=ELEMENT):
    result = np.zeros((3, 3))
    moving = np.zeros((3, 3)) if velocities is None else velocities
    version(add_membrane_forces, way)(positions, moving, element, result)
    return result


def bent_gradient(seed=0):
    return np.eye(3)[:, :2] + 0.3 * np.random.default_rng(seed).standard_normal((3, 2))


@BOTH
def test_an_element_at_rest_pulls_nothing_wherever_it_lies(way):
    turn = np.linalg.qr(np.random.default_rng(4).standard_normal((3, 3)))[0]
    positions = at_rest() @ turn.T
    np.testing.assert_allclose(forces(way, positions), 0.0, atol=1e-12)
    assert version(membrane_energy, way)(positions, ELEMENT) == pytest.approx(0.0, abs=1e-20)


@BOTH
def test_the_pull_is_minus_the_slope_of_the_energy(way):
    positions = at_rest(bent_gradient())
    found = forces(way, positions)
    for i in range(3):
        for axis in range(3):
            around = []
            for away in (-1e-6, 1e-6):
                moved = positions.copy()
                moved[i, axis] += away
                around.append(membrane_energy(moved, ELEMENT))
            assert found[i, axis] == pytest.approx((around[0] - around[1]) / 2e-6, rel=1e-6, abs=1e-6)


@BOTH
def test_threads_pull_as_their_moduli_say(way):
    warp, weft, shear = 0.02, -0.01, 0.03
    stretched = at_rest([[1.0 + warp, 0.5 * shear], [0.5 * shear, 1.0 + weft], [0.0, 0.0]])
    expected = 0.5 * (30.0 * warp**2 + 11.0 * weft**2 + 4.0 * shear**2) + 6.0 * warp * weft
    assert version(membrane_energy, way)(stretched, ELEMENT) == pytest.approx(expected, rel=0.03)


@BOTH
def test_damping_resists_the_rate_of_strain_and_no_turning(way):
    undamped = ELEMENT._replace(moduli=ELEMENT.moduli * [1.0, 1.0, 1.0, 1.0, 0.0])
    positions = at_rest(bent_gradient(1))
    turning = np.cross([1.0, -2.0, 0.5], positions)
    np.testing.assert_allclose(
        forces(way, positions, turning), forces(way, positions, element=undamped), atol=1e-10
    )
    velocities = np.random.default_rng(2).standard_normal((3, 3))
    lost = forces(way, positions, velocities) - forces(way, positions, element=undamped)
    assert (lost * velocities).sum() < 0.0
    np.testing.assert_allclose(lost.sum(axis=0), 0.0, atol=1e-12)


def blocks(gradient, rate=0.0):
    """Return the Hessian by the two threads, (6, 6), of one element computed as eight."""
    eight = np.ones(8)
    a, b = (tuple(value * eight for value in gradient[:, column]) for column in range(2))
    lengths = tuple(np.linalg.norm(gradient[:, column]) * eight for column in range(2))
    moduli = tuple(value * eight for value in ELEMENT.moduli[0, :4])
    before = (0.0 * eight, 0.0 * eight, 0.0 * eight)
    with interpreted():
        warp, cross, weft = membrane.thread_blocks(
            a, b, lengths, moduli, rate * eight, before, before, before
        )
    full = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
    matrix = np.zeros((6, 6))
    matrix[:3, :3], matrix[3:, 3:] = np.array(warp)[:, 3][full], np.array(weft)[:, 3][full]
    matrix[:3, 3:] = np.array(cross)[:, 3].reshape(3, 3)
    matrix[3:, :3] = matrix[:3, 3:].T
    return matrix


def slopes(gradient):
    """Return the slope of the energy by the two threads, (6,)."""
    s, t = (np.linalg.norm(gradient[:, column]) for column in range(2))
    c = ELEMENT.moduli[0]
    shear = c[3] * gradient[:, 0] @ gradient[:, 1]
    warp = (c[0] * (s - 1) + c[2] * (t - 1)) / s * gradient[:, 0] + shear * gradient[:, 1]
    weft = (c[1] * (t - 1) + c[2] * (s - 1)) / t * gradient[:, 1] + shear * gradient[:, 0]
    return np.concatenate([warp, weft])


def test_the_blocks_of_a_taut_element_are_the_slopes_of_its_pull():
    gradient = np.array([[1.2, 0.02], [-0.03, 1.3], [0.1, 0.2]])
    expected = np.zeros((6, 6))
    for column in range(6):
        away = np.zeros(6)
        away[column] = 1e-6
        step = away.reshape(2, 3).T
        expected[:, column] = (slopes(gradient + step) - slopes(gradient - step)) / 2e-6
    np.testing.assert_allclose(blocks(gradient), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rate", [0.0, 5.0])
def test_the_blocks_never_have_a_negative_direction(seed, rate):
    generator = np.random.default_rng(seed)
    gradient = generator.standard_normal((3, 2)) * generator.uniform(0.1, 2.0)
    assert np.linalg.eigvalsh(blocks(gradient, rate)).min() > -1e-9


@BOTH
def test_row_sums_bound_the_stiffest_motion(way):
    rows = np.zeros(3)
    version(membrane_rows, way)(ELEMENT, rows)
    threads = np.zeros((6, 9))
    for corner, particle in enumerate(ELEMENT.corners[0]):
        for axis in range(3):
            threads[axis, 3 * particle + axis] = WARP[0, corner]
            threads[3 + axis, 3 * particle + axis] = WEFT[0, corner]
    matrix = threads.T @ blocks(np.eye(3)[:, :2]) @ threads
    assert np.linalg.eigvalsh(matrix).max() <= rows.max()


@BOTH
def test_inside_an_isotropic_sheet_the_pull_is_the_plane_operator_of_debunne(way):
    """Equations 3 and 4 of Debunne and others 2000: μ times the Laplacian, λ + μ times the gradient of the divergence."""
    lame, shear = 30.0, 12.0
    rng = np.random.default_rng(7)
    angles = np.sort(np.linspace(0.0, 2.0 * np.pi, 6, endpoint=False) + 0.2 * rng.random(6))
    ring = (1.0 + 0.3 * rng.random((6, 1))) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    flat = np.concatenate([[[0.1, -0.05]], ring])
    corners = np.array([[0, 1 + n, 1 + (n + 1) % 6] for n in range(6)])
    moves = 1e-6 * rng.standard_normal((7, 2))
    slopes, areas = np.zeros((6, 3, 2)), np.zeros(6)
    laplacian, divergence = np.zeros(2), np.zeros(2)
    for e, (i, j, k) in enumerate(corners):
        edges = flat[[j, k]] - flat[i]
        areas[e] = 0.5 * np.linalg.det(edges)
        slopes[e, 1:] = np.linalg.inv(edges).T
        slopes[e, 0] = -slopes[e, 1:].sum(axis=0)
        for a, b in ((j, k), (k, j)):  # the cotangent at b belongs to the edge from the centre to a
            to_centre, to_other = flat[i] - flat[b], flat[a] - flat[b]
            cotangent = to_centre @ to_other / abs(np.linalg.det([to_centre, to_other]))
            laplacian += 0.5 * cotangent * (moves[a] - moves[i])
        outward = np.array([flat[k, 1] - flat[j, 1], flat[j, 0] - flat[k, 0]])
        divergence += 0.5 * np.sum(slopes[e] * moves[[i, j, k]]) * outward
    moduli = areas[:, None] * np.array([lame + 2.0 * shear, lame + 2.0 * shear, lame, shear, 0.0])
    sheet = MembraneArrays(corners, slopes[:, :, 0].copy(), slopes[:, :, 1].copy(), moduli, areas)
    places, found = np.zeros((7, 3)), np.zeros((7, 3))
    places[:, :2] = flat + moves
    version(add_membrane_forces, way)(places, np.zeros((7, 3)), sheet, found)
    printed = shear * laplacian + (lame + shear) * divergence
    np.testing.assert_allclose(found[0, :2], printed, rtol=1e-4, atol=1e-10)


def test_thread_laws_of_the_newton_system_are_those_of_the_energy_and_their_slopes():
    generator = np.random.default_rng(3)
    laws = ThreadLaws(
        np.array([[0.05, 0.1]]),
        generator.uniform(50.0, 300.0, (1, 2, 3)),
        np.array([[0.3, 0.2, 0.4]]),
        np.zeros((1, 3)),
        np.zeros((1, 3)),
    )
    room = 8
    corners, weights = np.zeros((3, room), np.int32), np.zeros((4, room))
    corners[:, 0], weights[:2, 0], weights[2:, 0] = (2, 0, 1), WARP[0, 1:], WEFT[0, 1:]

    def found(gradient):
        guess = np.zeros((8, 4))
        guess[:3, :3] = at_rest(gradient)
        zeros = np.zeros(3 * room)
        triangles = Triangles(
            corners.ravel(), weights.ravel(), zeros, zeros, np.zeros(room), np.zeros(6 * room, np.int64),
            np.zeros(3 * room), np.zeros(3 * room),
        )  # fmt: skip
        find_thread_laws(guess.ravel(), triangles, laws)
        return triangles.pulls.reshape(3, room)[:, 0], triangles.stiffness.reshape(3, room)[:, 0]

    for warp, weft, shear in ((0.03, 0.07, 0.01), (0.2, -0.1, 0.0), (0.004, 0.003, 0.3)):
        gradient = np.array([[1.0 + warp, shear / (1.0 + warp)], [0.0, 1.0 + weft], [0.0, 0.0]])
        gradient[1, 1] = np.sqrt((1.0 + weft) ** 2 - gradient[0, 1] ** 2)
        pulls, stiffness = found(gradient)
        forces = np.zeros((3, 3))
        add_thread_laws(at_rest(gradient), ELEMENT, laws, forces)
        a, b = gradient.T
        along = pulls[0] * a / np.linalg.norm(a) + pulls[2] * b
        across = pulls[1] * b / np.linalg.norm(b) + pulls[2] * a
        expected = -np.outer(WARP[0], along) - np.outer(WEFT[0], across)
        np.testing.assert_allclose(forces[[2, 0, 1]], expected, rtol=1e-9, atol=1e-9)
        # Stiffening has its slope; friction what it has grown by since the start, where all strains were nought.
        for n, (strain, reach) in enumerate(((warp, 0.005), (weft, 0.005), (shear, 0.02))):
            beyond = np.array([strain, strain - 0.05, strain - 0.1])
            ramp = laws.ramps[0, n] @ np.maximum(beyond, 0.0) if n < 2 else 0.0
            friction = laws.limits[0, n] / max(abs(strain), reach)
            assert stiffness[n] == pytest.approx(ramp + friction, rel=1e-6)
