"""NumPy arrays of points as USD's own arrays, at the speed of a copy.

`Vt.Vec3fArray.FromNumpy` converts one element after the other: for a cloth of 64 x 64 that took longer than all else
about a frame together. Here the bytes are copied at once into an array that was made a moment ago.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt


def vec3f_array(points: npt.NDArray[np.float32]) -> Any:
    """Return points as a `Vt.Vec3fArray` of its own memory.

    Args:
        points: (n, 3), contiguous
    """
    from pxr import Vt

    return _copied(points) if shows_its_memory() else Vt.Vec3fArray.FromNumpy(points)


def _copied(points: npt.NDArray[np.float32]) -> Any:
    from pxr import Vt

    array = Vt.Vec3fArray(len(points))
    # USD shows the memory of an array as read-only, because copies of the array share it; this one has none yet.
    ctypes.memmove(np.asarray(array).ctypes.data, points.ctypes.data, points.nbytes)
    return array


@cache
def shows_its_memory() -> bool:
    """Tell whether what NumPy sees of an array is the array itself, not a copy, in this version of USD."""
    probe = np.arange(6, dtype=np.float32).reshape(2, 3)
    return np.array_equal(np.array(_copied(probe)), probe)
