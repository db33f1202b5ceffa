from __future__ import annotations

import pytest

from supple.studio.play import Studio
from tests.record.conftest import recorded, torn  # noqa: F401 - fixtures
from tests.studio.pages import sheet_scene


@pytest.fixture
def studio(tmp_path):
    with Studio(sheet_scene(), port=0, record_folder=tmp_path, token="secret") as running:
        yield running
