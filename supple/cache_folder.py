"""Where compiled kernels are kept on disk."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "SUPPLE_CACHE_DIR"
"""Environment variable that moves the kernel cache elsewhere."""


def cache_root() -> Path:
    """Return the folder that holds the kernel caches of all versions."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("supple")) / "kernels"
