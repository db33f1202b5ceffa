"""How bodies are told to notice each other."""

from __future__ import annotations

from typing import Any

import pytest

import supple
from supple.scene.timeline.parameter_changes import BodyChanges

SHEET: dict[str, Any] = {"width": 1.0, "height": 1.0, "columns": 4, "rows": 4}


@pytest.mark.parametrize(("said", "meant"), [(True, "exact"), (False, "off"), ("points", "points")])
def test_whoever_only_says_that_cloth_meets_itself_gets_the_guarantee(said: Any, meant: str) -> None:
    assert supple.Cloth.rectangle(**SHEET, self_contact=said).self_contact == meant
    assert BodyChanges(self_contact=said).self_contact == meant


def test_a_soft_body_takes_the_switch_too() -> None:
    said: Any = True
    assert supple.SoftBody.ball(radius=0.1, cell=0.05, self_contact=said).self_contact == "exact"


@pytest.mark.parametrize("said", [1, 0, None, 2.0, "yes", ["exact"]])
def test_anything_else_is_refused_with_the_words_there_are(said: Any) -> None:
    with pytest.raises(supple.SceneError, match="exact"):
        supple.Cloth.rectangle(**SHEET, self_contact=said)
