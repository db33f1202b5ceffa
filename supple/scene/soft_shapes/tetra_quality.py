"""How good tetrahedra are: angles, volumes and the surface they make."""

from __future__ import annotations

import numpy as np

from supple.scene.placement import FloatArray, IndexArray

FACES_OF_TETRAHEDRON = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))
"""Corners of the face opposite each corner, counter-clockwise seen from outside if the volume is positive."""


def volumes_of(points: FloatArray, tetrahedra: IndexArray) -> FloatArray:
    """Return the volume of every tetrahedron, (t,) [m³]; negative for one that is inside out."""
    volumes: FloatArray = np.linalg.det(points[tetrahedra[:, 1:]] - points[tetrahedra[:, :1]]) / 6.0
    return volumes


def dihedral_angles(points: FloatArray, tetrahedra: IndexArray) -> FloatArray:
    """Return the six angles between the faces of every tetrahedron, (t, 6) [rad]."""
    corners = points[tetrahedra]
    normals = []
    for a, b, c in FACES_OF_TETRAHEDRON:
        normal = np.cross(corners[:, b] - corners[:, a], corners[:, c] - corners[:, a])
        normals.append(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    cosines = np.stack([-np.einsum("tx,tx->t", normals[a], normals[b]) for a, b in pairs], axis=1)
    angles: FloatArray = np.arccos(np.clip(cosines, -1.0, 1.0))
    return angles


def faces_of(tetrahedra: IndexArray) -> IndexArray:
    """Return all faces of all tetrahedra, (4 t, 3), seen from outside."""
    faces: IndexArray = tetrahedra[:, FACES_OF_TETRAHEDRON].reshape(-1, 3)
    return faces


def boundary_of(tetrahedra: IndexArray) -> IndexArray:
    """Return the faces that only one tetrahedron has, (f, 3), counter-clockwise seen from outside."""
    faces = faces_of(tetrahedra)
    _, first, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    outside: IndexArray = faces[np.sort(first[counts == 1])]
    return outside
