"""Components in contact, which the predictor expects to move by their inertia alone.

Theory: docs/theory/integrators.md, eq. (I4). The accelerated predictor expects what springs did to go on. Contact is found
after the springs have acted, so next to it the expectation is wrong in the same way in every substep, and keeps a draped
cloth trembling.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.world import World


def component_spans(leaders: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return spans of particles that belong to one connected component, (span_count, 3): first, end, leader.

    Particles of a component mostly stand together, so there are hardly more spans than components.
    """
    firsts = np.flatnonzero(np.diff(leaders, prepend=-1))
    return np.column_stack([firsts, np.append(firsts, len(leaders))[1:], leaders[firsts]])


@kernel(counts_references=False)
def mark_touching_components(touched, spans, is_touching):
    """Write which connected components touch an obstacle.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        spans: (span_count, 3) see `component_spans`
        is_touching: (particle_count,) written for leaders only
    """
    for s in range(spans.shape[0]):
        is_touching[spans[s, 2]] = False
    for s in range(spans.shape[0]):
        for i in range(spans[s, 0], spans[s, 1]):
            if touched[i] >= 0:
                is_touching[spans[s, 2]] = True
                break


@kernel(counts_references=False)
def calm_touching_components(touched, spans, is_touching, accelerations):
    """Clear the accelerations of every connected component that touches an obstacle.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        spans: (span_count, 3) see `component_spans`
        is_touching: (particle_count,) scratch, by leader
        accelerations: (particle_count, 3) [m/s²], changed in place
    """
    mark_touching_components(touched, spans, is_touching)
    for s in range(spans.shape[0]):
        if is_touching[spans[s, 2]]:
            for i in range(spans[s, 0], spans[s, 1]):
                for axis in range(3):
                    accelerations[i, axis] = 0.0


class CalmComponents:
    """Who belongs to which connected component, span by span."""

    def __init__(self, world: World) -> None:
        """Look at the components of the world."""
        self._world = world
        self.reshape()

    def reshape(self) -> None:
        """Follow an edit of the world."""
        leaders = self._world.couplings.component_labels
        self._spans = component_spans(leaders)
        self._is_touching = np.zeros(len(leaders), dtype=np.bool_)

    def calm(self, touched: NDArray[np.int64]) -> None:
        """Clear the accelerations of all components of which a particle touches something, (particle_count,) -1 for none."""
        calm_touching_components(touched, self._spans, self._is_touching, self._world.particles.accelerations)
