"""Where Chromium is on this machine, and how to run it without a screen."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from supple.errors import SuppleError

_Picture = TypeVar("_Picture")

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

NOT_FOUND = (
    "needs Chromium or Chrome, and none was found. Install one (Debian: apt-get install chromium), "
    f"or set {VARIABLE} to its path."
)
"""What to say where there is none, behind the name of what needs it."""

LONGEST_WAIT = 180.0
"""Time the browser has for the next picture [s]; drawing in software takes its time."""

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


@contextmanager
def running_browser(browser: str, address: str, size: tuple[int, int]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a headless browser on a page, with a profile of its own that goes when it ends."""
    # Its helpers may still write there for a moment when it has ended.
    with tempfile.TemporaryDirectory(prefix="supple-browser-", ignore_cleanup_errors=True) as profile:
        command = [
            browser,
            *FLAGS,
            f"--user-data-dir={profile}",
            f"--window-size={size[0]},{size[1]}",
            "--remote-debugging-port=0",
            address,
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=10.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def next_picture(pictures: queue.Queue[_Picture], process: subprocess.Popen[bytes]) -> _Picture:
    """Return the next picture that a running browser sends.

    Raises:
        SuppleError: if it ends without one, or takes too long
    """
    end = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < end:
        try:
            return pictures.get(timeout=0.5)
        except queue.Empty:
            if process.poll() is not None:
                raise SuppleError(
                    f"the browser ended without a picture (exit code {process.returncode})."
                ) from None
    raise SuppleError(f"the browser sent no picture within {LONGEST_WAIT:g} s.")
