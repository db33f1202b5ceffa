"""What `supple doctor` tells: versions, processors, the kernel cache, the gallery."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.studio.film.chromium import chromium_path
from supple.thread_count import LEAST_PARTICLES, MOST_THREADS, THREADS_VARIABLE, thread_count

PAGE = Path(__file__).parent / "studio" / "static"
"""Where the studio's page is built to."""

NEEDED = (
    "numba",
    "numpy",
    "pydantic",
    "typer",
    "rich",
    "trimesh",
    "platformdirs",
    "pillow",
    "starlette",
    "uvicorn",
    "websockets",
)
EXTRAS = {
    "usd": ("usd-core",),
    "video": ("imageio-ffmpeg",),
    "table": ("pyarrow",),
    "plot": ("matplotlib",),
    "sweep": ("dask", "distributed", "pyarrow", "scipy"),
    "learn": ("gymnasium",),
    "lab": ("scipy",),
    "garments": ("scipy", "ezdxf", "svgelements"),
    "bench": ("pypbd", "mujoco"),
}
"""Packages that each extra brings."""


def examine() -> dict[str, Any]:
    """Return everything worth knowing when something does not work, ready for JSON.

    Never raises: what cannot be found out is None, and `problems` says what to do about it.
    """
    cache = _cache()
    facts: dict[str, Any] = {
        "supple": _version("supple"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "threads": _threads(),
        "packages": {name: _version(name) for name in NEEDED},
        "extras": {extra: _versions(packages) for extra, packages in EXTRAS.items()},
        "kernel_cache": cache,
        "studio": {"page": (PAGE / "index.html").is_file(), "browser": chromium_path()},
        "scenes": len(list((Path(__file__).parent / "gallery").glob("*.toml"))),
        "picture_captions": _has_fonts(),
    }
    facts["problems"] = _problems(facts)
    return facts


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _versions(packages: tuple[str, ...]) -> str | None:
    """Return the packages with their versions; None if one is missing."""
    found = {package: _version(package) for package in packages}
    return None if None in found.values() else ", ".join(f"{name} {found[name]}" for name in packages)


def _threads() -> dict[str, Any]:
    """Return on how many threads large scenes run unless told otherwise, and what the environment says of it."""
    told = os.environ.get(THREADS_VARIABLE)
    try:
        return {"large_scenes": thread_count(None, LEAST_PARTICLES), THREADS_VARIABLE: told}
    except SuppleError:
        return {"large_scenes": None, THREADS_VARIABLE: told}


def _cache() -> dict[str, Any]:
    """Return where compiled kernels are kept, whether they can be, and how many there are."""
    try:
        import warnings

        from supple.cache_folder import cache_root
        from supple.kernel import cache_is_writable
    except ImportError:
        return {"folder": None, "writable": False, "kernels": 0, "megabytes": 0.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        is_writable = cache_is_writable()
    root = cache_root()
    sizes = [file.stat().st_size for file in root.rglob("*.nbc")] if root.is_dir() else []
    return {
        "folder": str(root),
        "writable": is_writable,
        "kernels": len(sizes),
        "megabytes": round(sum(sizes) / 1e6, 1),
    }


def _has_fonts() -> bool:
    try:
        from PIL import features
    except ImportError:
        return False
    return bool(features.check("freetype2"))


def _problems(facts: dict[str, Any]) -> list[str]:
    problems = []
    missing = [name for name, found in facts["packages"].items() if found is None]
    if missing:
        problems.append(f"missing packages: {', '.join(missing)}. Run: pip install supple")
    if not facts["kernel_cache"]["writable"]:
        problems.append(
            "the kernel cache cannot be written, so every start compiles anew: "
            "set SUPPLE_CACHE_DIR to a writable folder."
        )
    if not facts["studio"]["page"]:
        problems.append(
            "the studio's page is not built. In a checkout, run: make page. Otherwise install supple again."
        )
    if facts["threads"]["large_scenes"] is None:
        problems.append(
            f"{THREADS_VARIABLE} is {facts['threads'][THREADS_VARIABLE]!r}: set it to a whole number between 1 and "
            f"{MOST_THREADS}, or unset it."
        )
    if facts["scenes"] == 0:
        problems.append("the gallery is empty: install supple again.")
    return problems
