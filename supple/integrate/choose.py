"""Choose an integrator by name."""

from __future__ import annotations

from supple.integrate.explicit import Explicit
from supple.integrate.filter import Filter
from supple.integrate.implicit import Implicit
from supple.integrate.integrator import Integrator
from supple.integrate.jacobi import Jacobi
from supple.integrate.xpbd import Xpbd
from supple.model.world import World
from supple.scene.settings import Settings


def choose_integrator(settings: Settings, world: World) -> Integrator:
    """Return the integrator that the settings name."""
    if settings.integrator == "explicit":
        return Explicit(world)
    if settings.integrator == "jacobi":
        return Jacobi(world, settings.predictor, settings.sweeps)
    if settings.integrator == "implicit":
        return Implicit(world)
    if settings.integrator == "xpbd":
        return Xpbd(world)
    return Filter(world, settings.predictor, settings.solver)
