"""Choose an integrator by name, or by what moves."""

from __future__ import annotations

from supple.errors import SuppleError
from supple.integrate.adaptive_substeps import adaptive_substeps
from supple.integrate.descent.descent import Descent
from supple.integrate.explicit import Explicit
from supple.integrate.filter import Filter
from supple.integrate.implicit import Implicit
from supple.integrate.integrator import Integrator
from supple.integrate.jacobi import Jacobi
from supple.integrate.multirate import MultiRate
from supple.integrate.xpbd import Xpbd
from supple.model.world import World
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import pair_of
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.scene import Scene
from supple.scene.settings import Settings

ELEMENT_INTEGRATORS = ("descent", "explicit")
"""Integrators that move membrane elements."""

NEO_HOOKEAN_INTEGRATORS = ("auto", "descent", "explicit")
"""Integrators that move neo-Hookean soft bodies, and those whose strain is averaged."""

EXPLICIT_BARGAIN = 1.6
"""Explicit substeps of a soft body that cost no more than one of the filter [-]."""

CONTACT_SUBSTEPS = 40
"""Explicit substeps in a frame that soft bodies are worth if there is something to touch. The filter spreads
what a contact pushes over its neighbourhood before it is felt; the explicit step feels it where it is."""

CUT_PATIENCE = 4
"""How much more explicit substeps cut bodies are worth [-]: what is left of divided elements is small."""


def integrator_name(settings: Settings) -> str:
    """Return the integrator of springs that the settings name: "auto" is `descent`, also beside soft bodies."""
    return "descent" if settings.integrator == "auto" else settings.integrator


def cloth_of_elements(scene: Scene, settings: Settings) -> list[str]:
    """Return the names of cloths whose membrane is made of elements.

    Raises:
        SuppleError: if a cloth asks for elements that the integrator does not know
    """
    name = integrator_name(settings)
    can = name in ELEMENT_INTEGRATORS
    for body in scene.bodies:
        if isinstance(body, Cloth) and body.membrane == "elements" and not can:
            words = " or ".join(f'"{name}"' for name in ELEMENT_INTEGRATORS)
            raise SuppleError(
                f"`cloth.{body.name}.membrane` is 'elements', which the integrator {name!r} does not move. "
                f"Use the integrator {words}, or leave `membrane` out."
            )
        if isinstance(body, Cloth):
            _refuse_laws(scene, body, name)
    return [
        body.name
        for body in scene.bodies
        if can and isinstance(body, Cloth) and body.name and body.has_elements
    ]


def _refuse_laws(scene: Scene, body: Cloth, integrator: str) -> None:
    """Raise if a cloth is made of a fabric that stiffens or rubs, but of nothing that knows it."""
    material = scene.material_of(body)
    if not material.has_thread_laws:
        return
    words = "`stiffening` or internal friction"
    if not body.has_elements:
        raise SuppleError(
            f"`cloth.{body.name}` is of springs, but its material has {words}, which springs do not know. "
            'Give the cloth `membrane = "elements"`, or take these out of the material.'
        )
    if integrator not in ELEMENT_INTEGRATORS:
        names = " or ".join(f'"{name}"' for name in ELEMENT_INTEGRATORS)
        raise SuppleError(
            f"the material of `cloth.{body.name}` has {words}, which the integrator {integrator!r} does not know. "
            f"Use the integrator {names}, or take these out of the material."
        )
    if isinstance(body.shape, Rectangle | Bezier) and any(pair_of(material.bending_friction)):
        raise SuppleError(
            f"the material of `cloth.{body.name}` has `bending_friction`, which rows and columns do not know. "
            "Declare the cloth as a panel or a mesh, or take it out of the material."
        )


def choose_integrator(settings: Settings, world: World) -> Integrator:
    """Return the integrator that the settings name, or the one that suits the world.

    Raises:
        SuppleError: if soft bodies are to move with `xpbd`, which knows springs only, or neo-Hookean ones with an integrator
            that knows only the matrix of small strains
    """
    if settings.integrator not in NEO_HOOKEAN_INTEGRATORS and world.tetrahedra.is_neo_hookean.any():
        words = " or ".join(f'"{name}"' for name in ELEMENT_INTEGRATORS)
        raise SuppleError(
            f"`integrator` is {settings.integrator!r}, which does not move soft bodies with `elasticity` 'neo-hookean'. "
            f"Use the integrator {words}, or the elasticity 'corotated'."
        )
    if settings.integrator not in NEO_HOOKEAN_INTEGRATORS and world.tetrahedra.is_averaged.any():
        words = " or ".join(f'"{name}"' for name in ELEMENT_INTEGRATORS)
        raise SuppleError(
            f"`integrator` is {settings.integrator!r}, which does not move soft bodies with `elasticity` 'averaged'. "
            f"Use the integrator {words}, or the elasticity 'corotated'."
        )
    inner = _integrator_of_others(settings, world)
    return MultiRate(world, inner, 1.0 / settings.frame_rate) if world.levels else inner


def _integrator_of_others(settings: Settings, world: World) -> Integrator:
    if world.levels and not world.springs.count and not world.tetrahedra.count:
        return Explicit(world)
    if settings.integrator == "auto" and world.tetrahedra.count:
        return _integrator_of_soft_bodies(settings, world)
    name = integrator_name(settings)
    if name == "explicit":
        return Explicit(world, is_fixed=settings.fixed_substeps)
    if name == "descent":
        return Descent(world)
    if name == "jacobi":
        return Jacobi(world, settings.predictor, settings.sweeps)
    if name == "implicit":
        return Implicit(world)
    if name == "xpbd":
        if world.tetrahedra.count:
            raise SuppleError(
                "`integrator` is 'xpbd', which moves springs only, but the scene has soft bodies. "
                'Use "auto", "filter", "explicit", "jacobi" or "implicit".'
            )
        return Xpbd(world)
    return Filter(world, settings.predictor, settings.solver)


def _integrator_of_soft_bodies(settings: Settings, world: World) -> Integrator:
    """Return `explicit` where its substeps are few, `descent` where there is something to touch, else `filter`.

    The explicit substep costs one evaluation of the forces, that of the filter a solution besides, which grows
    faster than the body. Stiff and small elements ask for many explicit substeps, the filter hardly cares; but it does not
    know how a body rebounds, tips or is squeezed, which `descent` does.
    """
    if not world.springs.count:
        frame = 1.0 / settings.frame_rate
        asked = settings.substeps
        of_filter = asked if isinstance(asked, int) else adaptive_substeps(world, frame, 0.0)
        explicit = Explicit(world)
        is_cut = any(body.soft_ancestors is not None for body in world.bodies.values())
        contact = CONTACT_SUBSTEPS * (CUT_PATIENCE if is_cut else 1) if world.has_obstacles else 0
        most = max(EXPLICIT_BARGAIN * of_filter, contact)
        if explicit.substeps(frame, 1) <= most:
            return explicit
    has_laws_of_its_own = world.tetrahedra.is_neo_hookean.any() or world.tetrahedra.is_averaged.any()
    has_others = sum(body.particles.stop > body.particles.start for body in world.bodies.values()) > 1
    if world.springs.count or world.has_obstacles or has_others or has_laws_of_its_own:
        return Descent(world)
    return Filter(world, settings.predictor, settings.solver)
