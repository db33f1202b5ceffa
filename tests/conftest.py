"""Settings for all tests, made before anything of the package is imported."""

import os

os.environ.setdefault("SUPPLE_CHECK_CALLS", "1")  # types of the arguments of kernels, again and again
