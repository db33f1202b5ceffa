"""The verb `set`: parameters of bodies, of the surroundings and of the computation, changed while it runs."""

from __future__ import annotations

from typing import Any

from supple.collide.self_contact.self_contact import SelfContact
from supple.edit.commands.resize import resize
from supple.errors import SuppleError
from supple.model.elasticity import Elasticity
from supple.model.world import BodyRange
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.cloth_shapes.panel import panel_sizes
from supple.scene.error_messages import listed, suggestion
from supple.scene.settings import Settings
from supple.scene.timeline.actions import WORLD_CHANGES
from supple.scene.timeline.actions import Change as Changed
from supple.scene.timeline.parameter_changes import OF_SCENE, TOUCH, BodyChanges
from supple.verbs.session import Session

WORLD_SETTINGS = ("gravity", "drag", "wind", "fans", "waters")
"""Fields of the scene that `set` may change."""


class Parameters:
    """Writes changed parameters where they belong, and tells the parts that depend on them."""

    def __init__(self, session: Session) -> None:
        """Work on a session."""
        self._session = session

    def set_body(self, name: str, **changes: Any) -> None:
        """Change parameters of a body."""
        session = self._session
        wanted = BodyChanges(**changes)
        self.apply(session.body(name), wanted)
        # How surfaces meet, and what they look like, stands in the scene, which no undo of an edit takes back.
        session.engine.editor.settings_since().append((name, wanted.changed(**dict.fromkeys(OF_SCENE))))
        session.note(Changed, body=name, **wanted.fields())

    def resize(self, name: str, sizes: dict[str, float]) -> None:
        """Draw all panels of a garment, or one panel, at other sizes; those that lack a size stay as they are."""
        session, wanted = self._session, BodyChanges(sizes=sizes).sizes or {}
        engine = session.engine
        garments = {body.garment for body in engine.scene.bodies if isinstance(body, Cloth) and body.garment}
        if name not in garments:
            self.set_body(name, sizes=wanted)
            return
        panels = [body for body in engine.scene.bodies if isinstance(body, Cloth) and body.garment == name]
        offered = {size for panel in panels for size in panel_sizes(panel)}
        for size in wanted:
            if size not in offered:
                raise SuppleError(
                    f"{name!r} has no size {size!r}. Sizes: {listed(sorted(offered)) or 'none'}.{suggestion(size, offered)}"
                )
        for panel in panels:
            own = {size: value for size, value in wanted.items() if size in panel_sizes(panel)}
            pieces = [piece for piece in engine.world.bodies.values() if piece.origin == panel.name]
            if own and pieces:
                self._resize(pieces[0], own)
                engine.editor.settings_since().append((pieces[0].name, BodyChanges(sizes=own)))
                session.note(Changed, body=pieces[0].name, sizes=own)
        engine.rest_shape_changed()

    def set_world(self, **changes: Any) -> None:
        """Change gravity, drag, air, water, or how the scene is computed."""
        session, engine = self._session, self._session.engine
        self._refuse_unknown(changes)
        scene_changes = {name: changes.pop(name) for name in list(changes) if name in WORLD_SETTINGS}
        scene = engine.scene.changed(**scene_changes)
        settings = engine.settings.changed(**changes)
        engine.scene = scene
        if "gravity" in scene_changes:
            engine.world.gravity[:] = scene.gravity
            engine.integrator.gravity_changed()
        if scene_changes.keys() & {"wind", "fans", "waters"}:
            engine.air.set(scene)
        if scene.drag != engine.world.drag:
            engine.world.drag = scene.drag
            engine.integrator.parameters_changed()
        if settings != engine.settings:
            engine.settings_changed(settings)
        if told := {name: getattr(scene, name) for name in scene_changes if name in WORLD_CHANGES}:
            session.note(Changed, **told)
        if changes or set(scene_changes) - set(WORLD_CHANGES) or ("wind" in told and scene.wind is None):
            session.log.is_complete = False

    def _refuse_unknown(self, changes: dict[str, Any]) -> None:
        known = (*WORLD_SETTINGS, *Settings.model_fields)
        for name in changes:
            if name not in known:
                raise SuppleError(
                    f"`{name}` is not a setting. Settings: {listed(known)}.{suggestion(name, known)}"
                )
        if "on_intersection" in changes:
            raise SuppleError(
                "`on_intersection` acts on the start only. Give it to the scene or to `Simulation`."
            )

    def apply(self, body: BodyRange, changes: BodyChanges) -> None:
        """Give a body other parameters, without a word in the log."""
        engine, values = self._session.engine, changes.fields()
        world = engine.world
        self._set_contact(body, {name: value for name in TOUCH if (value := values.pop(name)) is not None})
        if (colour := values.pop("colour")) is not None:
            self._set_in_scene(body, colour=colour)
        if (sizes := values.pop("sizes")) is not None:
            self._resize(body, sizes)
            engine.rest_shape_changed()
        if (tempo := values.pop("tempo")) is not None and not engine.kinematic.set_tempo(
            body.name, tempo, engine.time
        ):
            raise SuppleError(f"`tempo` does not apply to {body.name!r}: it is no puppet.")
        if all(value is None for value in values.values()):
            return
        density = values.pop("density")
        if density is not None:
            world.particles.masses[body.particles] = density * body.shares
        pressure = values.pop("pressure")
        if pressure is not None and not engine.gas.set(body.name, pressure):
            raise SuppleError(
                f"`pressure` does not apply to {body.name!r}: it was declared without. Give the cloth a `pressure`."
            )
        soft = {name: values.pop(name) for name in ("young", "poisson", "volume_damping")}
        levels = world.levels.get(body.name)
        if levels is not None:
            _refuse(body, "a soft body has no springs", "young", {**values, "damping": None})
            whole = slice(0, levels.elements.count)
            levels.elements.set_material(whole, damping=values["damping"], **soft)
            engine.level_of_detail.material_changed(levels)
        elif body.tetrahedra.stop > body.tetrahedra.start:
            _refuse(body, "a soft body has no springs", "young", {**values, "damping": None})
            world.tetrahedra.set_material(body.tetrahedra, damping=values["damping"], **soft)
        else:
            _refuse(body, "it is no soft body", "stretch_stiffness", soft)
            if body.origin not in world.fabrics:
                _refuse(
                    body, "it is no cloth", "stretch_stiffness", {"poisson_ratio": values["poisson_ratio"]}
                )
            world.set_elasticity(body, Elasticity(**values))
        engine.parameters_changed()

    def _set_in_scene(self, body: BodyRange, **changes: Any) -> None:
        """Change fields of the declared body that a body is, or came off."""
        engine = self._session.engine
        before = engine.scene.body(body.origin)
        after = before.changed(**changes)
        bodies = tuple(after if other is before else other for other in engine.scene.bodies)
        engine.scene = engine.scene.changed(bodies=bodies)

    def _resize(self, body: BodyRange, sizes: dict[str, float]) -> None:
        """Draw a panel and all its pieces at other sizes."""
        engine = self._session.engine
        declared = engine.scene.body(body.origin)
        offered = panel_sizes(declared)
        for name, value in sizes.items():
            if name not in offered:
                known = f"Sizes: {listed(offered)}." if offered else "It has none."
                raise SuppleError(
                    f"`sizes` names {name!r}, which {body.origin!r} does not have. {known}{suggestion(name, offered)}"
                )
            low, high = offered[name].low, offered[name].high
            if not low <= value <= high:
                raise SuppleError(f"`sizes.{name}` is {value:g}, but it goes from {low:g} to {high:g}.")
        assert isinstance(declared, Cloth)
        wanted = {**declared.sizes, **sizes}
        for piece in [piece for piece in engine.world.bodies.values() if piece.origin == body.origin]:
            resize(engine.editor, piece, declared, wanted)
        self._set_in_scene(body, sizes=wanted)

    def _set_contact(self, body: BodyRange, changes: dict[str, Any]) -> None:
        """Let a declared body and all its pieces meet others in another way; a refusal changes nothing."""
        if not changes:
            return
        engine = self._session.engine
        before = engine.scene.body(body.origin)
        if not isinstance(before, Cloth | SoftBody):
            raise SuppleError(
                f"`{next(iter(changes))}` does not apply to {body.name!r}: only cloth and soft bodies meet each other."
            )
        after = before.changed(**changes)
        bodies = tuple(after if other is before else other for other in engine.scene.bodies)
        scene = engine.scene.changed(bodies=bodies)
        if after.self_contact == before.self_contact:
            engine.contact.retune(scene)
        else:
            contact = SelfContact(scene, engine.world)
            if count := len(contact.open_cuts()):
                raise SuppleError(
                    f"{body.origin!r} stays {before.self_contact!r}: cloth that is exact must not pass through cloth, but "
                    f"{count} {'edge does' if count == 1 else 'edges do'} now. Move them apart, or start again."
                )
            engine.contact = contact
        engine.scene = scene


def _refuse(body: BodyRange, reason: str, instead: str, values: dict[str, Any]) -> None:
    for name, value in values.items():
        if value is not None:
            raise SuppleError(f"`{name}` does not apply to {body.name!r}: {reason}. Use `{instead}` instead.")
