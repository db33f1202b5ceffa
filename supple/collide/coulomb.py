"""Coulomb friction: the one place where friction is held within its cone.

Theory: docs/theory/contact.md, eq. (K7). Friction acts across the contact normal, against the slip, and is at most μ times
the normal impulse. Whether that is said of impulses [kg·m] or of displacements [m] makes no difference to the clamp.
"""

from __future__ import annotations

from supple.kernel import kernel, norm


@kernel(counts_references=False)
def clamp_friction(impulse, bound):
    """Return a friction impulse, as a 3-tuple, shortened to the radius `bound` of the friction cone if it is longer."""
    size = norm(impulse)
    if size > bound:
        share = bound / size
        return share * impulse[0], share * impulse[1], share * impulse[2]
    return impulse[0], impulse[1], impulse[2]


@kernel(counts_references=False)
def stuck_share(slip, bound):
    """Return the share of a slip of length `slip` that friction takes back: all of it within the cone, else `bound` [-].

    Args:
        slip: length of the tangential displacement [m]; nothing is taken back of none
        bound: how much friction can hold, μ times the normal displacement [m], not negative
    """
    return min(1.0, bound / slip) if slip > 0.0 else 0.0
