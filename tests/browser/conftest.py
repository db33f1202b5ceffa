from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from playwright import sync_api as playwright_api

from supple.studio.film.chromium import FLAGS
from supple.studio.play import Studio
from tests.browser.pages import StudioPage, sheet_scene

ROOT = Path(__file__).parent.parent.parent
HEADSET = ROOT / "web" / "build" / "headset.js"


@pytest.fixture(scope="session")
def built_page():
    """The page as it is in web/, built if need be."""
    runpy.run_path(str(ROOT / "scripts" / "build_page.py"))["build"]()


@pytest.fixture(scope="session")
def browser(built_page):
    path = runpy.run_path(str(ROOT / "scripts" / "build_page.py"))["find_chromium"]()
    with playwright_api.sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if flag != "--headless"]
        running = playwright.chromium.launch(executable_path=path, headless=True, args=flags)
        yield running
        running.close()


@pytest.fixture
def studio(tmp_path, built_page):
    with Studio(sheet_scene(), port=0, record_folder=tmp_path / "recordings", token="secret") as running:
        yield running


@pytest.fixture
def open_page(browser, studio):
    """Opens pages; in the end none of them may have complained."""
    contexts, pages = [], []

    def opened(*, width=900, height=600, on=None, may_complain=False, touch=False, **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True, has_touch=touch
        )
        contexts.append(context)
        page = StudioPage(context, on or studio, **options)
        if not may_complain:
            pages.append(page)
        return page

    yield opened
    complaints = [complaint for page in pages for complaint in page.complaints]
    for context in contexts:
        context.close()
    assert complaints == []
