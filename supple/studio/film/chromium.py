"""Where Chromium is on this machine, and how to run it without a screen."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

VARIABLE = "SUPPLE_CHROMIUM"
"""Environment variable that names the browser to use."""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
"""For a machine without screen and graphics card, such as a container."""

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)


def chromium_path() -> str | None:
    """Return the path of a Chromium: the one named by `SUPPLE_CHROMIUM`, the system's, or Playwright's."""
    named = os.environ.get(VARIABLE)
    if named:
        return named if Path(named).is_file() else None
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    for place in _PLACES:
        if Path(place).is_file():
            return place
    return _downloaded()


def _downloaded() -> str | None:
    """Return the newest Chromium that Playwright has downloaded."""
    if sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches" / "ms-playwright"
    elif os.name == "nt":
        home = Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "ms-playwright"
    else:
        home = Path.home() / ".cache" / "ms-playwright"
    home = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or home)
    patterns = (
        "chromium-*/chrome-*/chrome",
        "chromium-*/chrome-*/chrome.exe",
        "chromium-*/chrome-*/*.app/Contents/MacOS/*",
    )
    found = sorted(str(path) for pattern in patterns for path in home.glob(pattern))
    return found[-1] if found else None
