"""Supple Cloth: meshes of a Blender scene are sent to supple, and its frames come back as point caches.

Panel "Supple" in the side bar of the 3D view: mark meshes as cloth or as bodies, then bake. Each cloth gets a modifier
Mesh Cache with the frames, which plays without supple.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np

from . import bridge  # noqa: TID252 - an add-on does not know what it is called

MODIFIER = "Supple"
"""Name of the modifier that plays a cache."""


class SuppleObject(bpy.types.PropertyGroup):
    """What a mesh is to supple."""

    role: bpy.props.EnumProperty(  # type: ignore[valid-type]
        name="Role",
        items=[
            ("NONE", "None", "supple does not see it"),
            ("CLOTH", "Cloth", "It moves"),
            ("BODY", "Body", "Cloth meets it; its own animation is kept"),
        ],
        default="NONE",
    )
    material: bpy.props.StringProperty(  # type: ignore[valid-type]
        name="Fabric", default="cotton", description="A fabric of supple: cotton, silk, denim, wool, ..."
    )
    pins: bpy.props.StringProperty(  # type: ignore[valid-type]
        name="Pins", default="", description="Vertex group whose points are held"
    )
    self_contact: bpy.props.BoolProperty(  # type: ignore[valid-type]
        name="Exact contact", default=True, description="It never passes through itself and other cloth"
    )
    friction: bpy.props.FloatProperty(name="Friction", default=0.4, min=0.0, max=10.0)  # type: ignore[valid-type]


class SupplePreferences(bpy.types.AddonPreferences):
    """Where supple is."""

    bl_idname = __package__ or "supple_cloth"

    program: bpy.props.StringProperty(  # type: ignore[valid-type]
        name="Command",
        default="supple",
        description='How supple is called: "supple", or "/path/to/python -m supple"',
    )

    def draw(self, context: Any) -> None:
        """Show the command."""
        self.layout.prop(self, "program")


def program_of(context: Any) -> str:
    """Return how supple is called."""
    addon = context.preferences.addons.get(SupplePreferences.bl_idname)
    return str(addon.preferences.program) if addon is not None and addon.preferences else "supple"


def mesh_of(thing: Any, depsgraph: Any, *, is_evaluated: bool) -> tuple[Any, Any]:
    """Return points (n, 3) in the world and triangles (t, 3) of an object, as drawn or without its modifiers."""
    source = thing.evaluated_get(depsgraph) if is_evaluated else thing
    mesh = source.to_mesh()
    try:
        mesh.calc_loop_triangles()
        points = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", points)
        triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
    finally:
        source.to_mesh_clear()
    matrix = np.array(thing.matrix_world)
    placed = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return placed, triangles.reshape(-1, 3).astype(np.int64)


def cloth_of(thing: Any, depsgraph: Any) -> bridge.ClothObject:
    """Return an object as cloth, where it is in the present frame."""
    points, triangles = mesh_of(thing, depsgraph, is_evaluated=False)
    own = thing.supple
    group = thing.vertex_groups.get(own.pins) if own.pins else None
    pinned: tuple[int, ...] = ()
    if group is not None:
        pinned = tuple(
            vertex.index
            for vertex in thing.data.vertices
            if any(entry.group == group.index and entry.weight > 0.5 for entry in vertex.groups)
        )
    return bridge.ClothObject(
        thing.name, points, triangles, np.array(thing.matrix_world), own.material, pinned, own.self_contact
    )


def bake(context: Any, folder: Path, tell: Any = lambda line: None) -> dict[str, Path]:
    """Compute all cloth of the scene over its frame range, and let modifiers play it; return the caches."""
    scene = context.scene
    first, last = scene.frame_start, scene.frame_end
    marked = [thing for thing in scene.objects if thing.type == "MESH"]
    wearing = [thing for thing in marked if thing.supple.role == "CLOTH"]
    standing = [thing for thing in marked if thing.supple.role == "BODY"]
    for thing in wearing:
        if (old := thing.modifiers.get(MODIFIER)) is not None:
            thing.modifiers.remove(old)
    before, samples, faces = scene.frame_current, {thing.name: [] for thing in standing}, {}
    try:
        for frame in range(first, last + 1):
            scene.frame_set(frame)
            depsgraph = context.evaluated_depsgraph_get()
            if frame == first:
                cloths = [cloth_of(thing, depsgraph) for thing in wearing]
            for thing in standing:
                points, faces[thing.name] = mesh_of(thing, depsgraph, is_evaluated=True)
                samples[thing.name].append(points)
    finally:
        scene.frame_set(before)
    bodies = []
    for thing in standing:
        own = samples[thing.name]
        if len({len(points) for points in own}) > 1:
            raise bridge.BridgeError(f'"{thing.name}" changes its number of vertices over the frames.')
        is_still = all(np.array_equal(points, own[0]) for points in own)
        bodies.append(
            bridge.BodyObject(
                thing.name, own[:1] if is_still else own, faces[thing.name], thing.supple.friction
            )
        )
    rate = scene.render.fps / scene.render.fps_base
    gravity = tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)
    names = bridge.write_scene(folder, cloths, bodies, frames=last - first, frame_rate=rate, gravity=gravity)
    bridge.run(program_of(context), folder, tell)
    caches = bridge.collect(folder, cloths, names)
    for thing in wearing:
        modifier = thing.modifiers.new(MODIFIER, "MESH_CACHE")
        modifier.cache_format = "PC2"
        modifier.filepath = str(caches[thing.name])
        modifier.frame_start = first
    return caches


class SUPPLE_OT_bake(bpy.types.Operator):
    """Send all marked meshes to supple, and take the frames back."""

    bl_idname = "supple.bake"
    bl_label = "Bake cloth"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    def execute(self, context: Any) -> set[str]:
        """Bake beside the .blend file, or in the temporary folder if it is not saved."""
        blend = Path(bpy.data.filepath)
        folder = blend.with_suffix(".supple") if bpy.data.filepath else Path(bpy.app.tempdir) / "supple"
        try:
            caches = bake(context, folder)
        except bridge.BridgeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{len(caches)} caches in {folder}")
        return {"FINISHED"}


class SUPPLE_PT_panel(bpy.types.Panel):
    """What the active mesh is to supple, and the button that bakes."""

    bl_label = "Supple"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Supple"

    def draw(self, context: Any) -> None:
        """Show the rows that go with the role."""
        thing = context.object
        if thing is not None and thing.type == "MESH":
            own = thing.supple
            self.layout.prop(own, "role")
            if own.role == "CLOTH":
                self.layout.prop(own, "material")
                self.layout.prop_search(own, "pins", thing, "vertex_groups")
                self.layout.prop(own, "self_contact")
            elif own.role == "BODY":
                self.layout.prop(own, "friction")
        self.layout.operator(SUPPLE_OT_bake.bl_idname)


CLASSES = (SuppleObject, SupplePreferences, SUPPLE_OT_bake, SUPPLE_PT_panel)


def register() -> None:
    """Make the add-on known to Blender."""
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Object.supple = bpy.props.PointerProperty(type=SuppleObject)


def unregister() -> None:
    """Take it away again."""
    del bpy.types.Object.supple
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
