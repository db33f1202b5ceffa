"""The laboratory: standard tests of textiles, to see what a material is before it is worn.

Every test takes the name of a fabric or a `Material` and returns its numbers with those that are expected; `fit` goes the
other way, from measurements to a `Material`.

Example:
    >>> from supple import lab
    >>> round(lab.tensile("cotton").rows[1].expected)
    333
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supple.lab.disc_drape import drape
    from supple.lab.fitting import fit
    from supple.lab.incline import friction
    from supple.lab.picture_frame import shear
    from supple.lab.strip_cantilever import cantilever
    from supple.lab.strip_tension import tensile

__all__ = ["cantilever", "drape", "fit", "friction", "shear", "tensile"]

_HOME_OF = {
    "cantilever": "strip_cantilever",
    "drape": "disc_drape",
    "fit": "fitting",
    "friction": "incline",
    "shear": "picture_frame",
    "tensile": "strip_tension",
}


def __getattr__(name: str) -> Any:
    """Load a test on first use: the command line imports this package, and is to answer at once."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"supple.lab.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
