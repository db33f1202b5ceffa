"""Arguments of recorded kernel calls, bundles of arrays included: copied, and compared after two runs."""

from __future__ import annotations

import numpy as np


def copied(argument):
    """Return a copy of an argument with copies of all arrays in it."""
    if isinstance(argument, np.ndarray):
        return argument.copy()
    if hasattr(argument, "_fields"):
        return type(argument)(*(copied(field) for field in argument))
    if isinstance(argument, list | tuple):
        return type(argument)(copied(entry) for entry in argument)
    return argument


def assert_alike(one, other, **tolerances):
    """Compare all arrays in two arguments, or lists of them."""
    if isinstance(one, np.ndarray):
        np.testing.assert_allclose(one, other, **tolerances)
    elif isinstance(one, list | tuple):
        for a, b in zip(one, other, strict=True):
            assert_alike(a, b, **tolerances)
