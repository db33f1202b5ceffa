"""Coarse matrices are Galerkin products of the fine ones with the prolongation."""

from __future__ import annotations

import numpy as np
import pytest

from supple.solve import aggregation
from supple.solve.aggregation import Coarsening, SparseRows

WAYS = ["compiled", "python"]


def run_as(name, way):
    function = getattr(aggregation, name)
    return function if way == "compiled" else function.py_func


def rows_of(matrix):
    count = len(matrix)
    start = np.concatenate([[0], np.cumsum((matrix != 0.0).sum(axis=1))])
    row, column = np.nonzero(matrix)
    assert count == len(start) - 1
    return SparseRows(start=start, column=column, value=matrix[row, column])


def dense(rows, column_count):
    matrix = np.zeros((len(rows.start) - 1, column_count))
    row = np.repeat(np.arange(len(matrix)), np.diff(rows.start))
    matrix[row, rows.column] = rows.value
    return matrix


def coarsened(system):
    matrix = rows_of(system.dense())
    coarsening = Coarsening.attempt(matrix)
    coarsening.update(np.arange(len(matrix.start) - 1))
    return matrix, coarsening


def test_coarse_matrix_is_the_galerkin_product_with_the_prolongation(bodies):
    sheet = bodies["sheet"](17, 14)
    matrix, coarsening = coarsened(sheet)
    count = len(coarsening.coarse.start) - 1
    fine, p = dense(matrix, len(sheet.coordinates)), dense(coarsening.prolongation, count)
    assert count < len(fine) / 8
    assert np.array_equal(dense(coarsening.restriction, len(fine)), p.T)
    coarse = dense(coarsening.coarse, count)
    assert np.allclose(coarse, p.T @ fine @ p, rtol=0.0, atol=1e-14 * np.abs(fine).max())


def test_constants_are_prolonged_exactly_away_from_fixed_points(bodies):
    _, coarsening = coarsened(bodies["sheet"](17, 14))
    p = dense(coarsening.prolongation, len(coarsening.coarse.start) - 1)
    assert np.allclose(p.sum(axis=1), 1.0, rtol=1e-14)


def test_every_coupled_point_joins_a_neighbours_aggregate(body):
    matrix = rows_of(body._replace(is_fixed=np.zeros_like(body.is_fixed)).dense())
    aggregate = np.empty(len(matrix.start) - 1, np.int64)
    count = aggregation.aggregate_points(matrix, aggregate)
    is_coupled = np.diff(matrix.start) > 1
    assert (aggregate[~is_coupled] == -1).all()
    assert set(aggregate[is_coupled]) == set(range(count))


def test_changed_rows_are_those_a_fresh_pass_would_change(bodies):
    sheet = bodies["sheet"](30, 25)
    matrix, coarsening = coarsened(sheet)
    generator = np.random.default_rng(4)
    for _ in range(3):
        i = generator.integers(len(sheet.coordinates))
        for k in range(matrix.start[i], matrix.start[i + 1]):
            j = matrix.column[k]
            mirrored = matrix.start[j] + np.searchsorted(
                matrix.column[matrix.start[j] : matrix.start[j + 1]], i
            )
            matrix.value[k] *= 1.5
            matrix.value[mirrored] = matrix.value[k]
        changed = coarsening.update(matrix.column[matrix.start[i] : matrix.start[i + 1]])
        assert 0 < len(changed) < 0.6 * (len(coarsening.coarse.start) - 1)
        fresh = Coarsening.attempt(matrix)
        fresh.update(np.arange(len(matrix.start) - 1))
        assert np.array_equal(coarsening.coarse.value, fresh.coarse.value)


def test_network_without_a_coarse_picture_is_declined(bodies):
    network = bodies["network"](800, 1600, seed=2)
    assert Coarsening.attempt(rows_of(network.dense())) is None
    assert Coarsening.attempt(rows_of(np.eye(5))) is None


def test_centres_of_aggregates_lie_among_their_points(bodies):
    sheet = bodies["sheet"](12, 12)
    _, coarsening = coarsened(sheet)
    centres = coarsening.coarse_coordinates(sheet.coordinates)
    members = sheet.coordinates[coarsening.aggregate == 3]
    assert np.allclose(centres[3], members.mean(axis=0))


@pytest.mark.parametrize("way", WAYS)
def test_kernels_compute_a_sparse_product(way):
    generator = np.random.default_rng(6)
    a = generator.standard_normal((6, 5)) * (generator.random((6, 5)) < 0.5)
    b = generator.standard_normal((5, 4)) * (generator.random((5, 4)) < 0.5)
    left, right = rows_of(a), rows_of(b)
    start, seen = np.empty(7, np.int64), np.empty(4, np.int64)
    count = run_as("product_pattern", way)(left, right, seen, start, np.empty(0, np.int64))
    product = SparseRows(start, np.empty(count, np.int64), np.empty(count))
    assert run_as("product_pattern", way)(left, right, seen, start, product.column) == count
    run_as("multiply_rows", way)(np.arange(6), left, right, np.empty(4), product)
    assert np.allclose(dense(product, 4), a @ b, rtol=0.0, atol=1e-15)
    flipped_start, flipped_column, transposed_at = (
        np.empty(5, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
    )
    run_as("transpose_pattern", way)(product, flipped_start, flipped_column, transposed_at)
    flipped_value = np.empty(count)
    flipped_value[transposed_at] = product.value
    flipped = SparseRows(start=flipped_start, column=flipped_column, value=flipped_value)
    assert np.array_equal(dense(flipped, 6), dense(product, 4).T)


def test_whole_coarsening_runs_as_python(bodies, monkeypatch):
    sheet = bodies["sheet"](8, 7, fixed=[0])
    _, compiled = coarsened(sheet)
    for name in (
        "aggregate_points",
        "product_pattern",
        "transpose_pattern",
        "smooth_prolongation",
        "multiply_rows",
        "reached_rows",
    ):
        monkeypatch.setattr(aggregation, name, getattr(aggregation, name).py_func)
    _, python = coarsened(sheet)
    assert np.array_equal(python.coarse.value, compiled.coarse.value)
