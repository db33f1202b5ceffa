"""What `supple.vary` offers: distributions, samples of them, and scenes with other values in their fields."""

from supple.sweeps.distributions import choice, integers, log_uniform, normal, uniform
from supple.sweeps.fields import changed, field_of
from supple.sweeps.samples import grid, randomised, samples

__all__ = [
    "changed",
    "choice",
    "field_of",
    "grid",
    "integers",
    "log_uniform",
    "normal",
    "randomised",
    "samples",
    "uniform",
]
