"""Shared links: a scene and the parameters changed in it, as the part of a link behind the `#`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

SCENE_KEY = "scene"
PREFIX = "p."
"""Stands before the names of parameters, so that none is taken for a word of the link."""


@dataclass(frozen=True)
class Shared:
    """What a shared link says."""

    scene: str | None
    values: dict[str, Any]
    """Parameters that differ from the scene's own."""


def share_text(scene: str, values: Mapping[str, Any]) -> str:
    """Return the link part for a scene and the parameters changed in it."""
    entries = [(f"{PREFIX}{name}", json.dumps(value, ensure_ascii=False)) for name, value in values.items()]
    return urlencode([(SCENE_KEY, scene), *entries])


def read_share(text: str) -> Shared:
    """Return what a link part says; words that are not ours are passed over.

    Raises:
        ValueError: if a value cannot be read
    """
    scene: str | None = None
    values: dict[str, Any] = {}
    for key, value in parse_qsl(text.lstrip("#?"), keep_blank_values=True, max_num_fields=500):
        if key == SCENE_KEY:
            scene = value
        elif key.startswith(PREFIX):
            try:
                found = json.loads(value, parse_constant=_refuse)
            except (ValueError, RecursionError):
                raise ValueError(
                    f"the link gives {key[len(PREFIX) :]!r} a value that cannot be read."
                ) from None
            values[key[len(PREFIX) :]] = tuple(found) if isinstance(found, list) else found
    return Shared(scene=scene, values=values)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no value")
