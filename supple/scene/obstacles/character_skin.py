"""Skinned meshes: the surface of a figure as one piece that deforms, sampled in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.scene.bodies.puppet import Puppet
from supple.scene.files.gltf_file import Gltf, between
from supple.scene.placement import FloatArray, IndexArray

WORDS_OF_MAPS = ("accuracy",)
"""Keywords of obstacles that say nothing about a puppet, but may be meant for other parts of the figure."""


@dataclass(frozen=True)
class Skin:
    """A surface and where its points are at every sample."""

    name: str
    samples: FloatArray
    """(k, n, 3) in the world [m]."""

    triangles: IndexArray

    def puppet(
        self, name: str, moments: FloatArray, scale: float, loop: bool, options: Mapping[str, Any]
    ) -> Puppet:
        """Return it as a puppet; options that only rigid parts have are left out."""
        given = {word: value for word, value in options.items() if word not in WORDS_OF_MAPS}
        used, corners = np.unique(self.triangles, return_inverse=True)
        return Puppet(
            moments=moments,
            samples=scale * self.samples[:, used],
            triangles=corners.reshape(-1, 3),
            loop=loop,
            name=name,
            **given,
        )


def skinned(vertices: FloatArray, weights: FloatArray, matrices: FloatArray) -> FloatArray:
    """Return where the points of a skin are at every sample, (k, n, 3): every bone takes them along by its weight.

    Args:
        vertices: (n, 3) where the skin was bound [m]
        weights: (n, bone_count) of every bone at every vertex
        matrices: (k, bone_count, 4, 4) from the bound skin into the world, at every sample
    """
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total > 0.0, total, 1.0)
    points = np.concatenate([vertices, np.ones((len(vertices), 1))], axis=1)
    samples = np.zeros((len(matrices), len(vertices), 3))
    for bone in range(matrices.shape[1]):
        carried = np.flatnonzero(shares[:, bone] > 0.0)
        moved = np.einsum("kij,nj->kni", matrices[:, bone, :3], points[carried])
        samples[:, carried] += shares[carried, bone, None] * moved
    return samples


def morphed(
    file: Gltf,
    primitive: Mapping[str, Any],
    vertices: FloatArray,
    channel: tuple[Any, Any, str],
    times: FloatArray,
    matrices: FloatArray,
) -> FloatArray:
    """Return where the points of a mesh with morph targets are at every sample, (k, n, 3).

    Args:
        file: where it stands
        primitive: its description, with the targets
        vertices: (n, 3) without any of them [m]
        channel: keys, weights at the keys, interpolation
        times: (k,) of the samples [s]
        matrices: (k, 4, 4) from the mesh into the world
    """
    ways = [
        np.asarray(file.array(target["POSITION"]), dtype=np.float64)
        if "POSITION" in target
        else np.zeros_like(vertices)
        for target in primitive.get("targets", ())
    ]
    keys, values, mode = channel
    shares = values if values.ndim == 3 else values.reshape(len(keys), -1)
    weights = np.array([between(keys, shares, time, mode) for time in times.tolist()])
    own = vertices + np.einsum("kt,tnx->knx", weights[:, : len(ways)], np.array(ways))
    placed: FloatArray = np.einsum("kij,knj->kni", matrices[:, :3, :3], own) + matrices[:, None, :3, 3]
    return placed
