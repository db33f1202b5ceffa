"""Simulation: a scene in motion, and everything users can ask of it.

`step` is the algorithm on one screen; its stages stand in `supple/engine.py`. All other methods are one line each, into
the group of `supple/verbs` that they belong to.
"""

from __future__ import annotations

import functools
import math
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from supple import state
from supple.arguments import Points, Triple
from supple.collide.obstacles.solid_arrays import Progress
from supple.collide.untangle.soft_mesh_repairs import soft_repairs
from supple.collide.untangle.untangle import Untangled
from supple.edit.commands.schedule import apply_due_edits, replay_entries
from supple.edit.commands.seam import SeamGap
from supple.engine import Engine
from supple.errors import SuppleError
from supple.kernel import compilation_watch
from supple.model.skin import Skin
from supple.model.surface_path import SurfacePath
from supple.render.image import Image
from supple.render.notebook import SIZE, figure_html
from supple.report import StepReport
from supple.reporting import report_frame
from supple.scene.camera import Camera
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.scene.timeline.parameter_changes import BodyChanges
from supple.scene.timeline.script import Script
from supple.scene.timeline.stitch import Stitch
from supple.state import SavedState
from supple.stopwatch import Stopwatch
from supple.verbs.edits import Edits
from supple.verbs.holding import Holding
from supple.verbs.images import Images
from supple.verbs.measures import Measures, PressureMap
from supple.verbs.parameters import Parameters
from supple.verbs.patterns import Patterns
from supple.verbs.placing import Placing
from supple.verbs.queries import Queries
from supple.verbs.session import Session
from supple.waiting import WAITING


class Simulation:
    """A scene that moves, frame by frame.

    Example:
        >>> import supple
        >>> sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=10, rows=10)
        >>> simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")))
        >>> simulation.step().frame
        1
    """

    def __init__(
        self,
        scene: Scene,
        *,
        progress: Progress | None = None,
        untangled: Untangled | None = None,
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        """Build the world of a scene; `settings` replace those of the scene.

        Args:
            scene: what to animate
            progress: called with the name of a mesh obstacle and the share of its distance map that is built
            untangled: called while an intersected start is untangled, with the edges that are free again and
                with all that were not
            threads: processor cores to use; the motion is the same to the bit on any number. None is what the environment
                variable SUPPLE_THREADS says, else one for small scenes and several for large ones. It belongs to the
                machine: neither scenes nor saved states hold it
            settings: fields of `Settings`, such as `integrator="xpbd"`, `substeps=20` or `budget_ms=15.0`
        """
        _tell_of_kernels()
        for line in soft_repairs(scene):
            warnings.warn(line, stacklevel=2)
        self.engine = Engine(
            scene,
            scene.settings.changed(**settings),
            progress or WAITING.map_built,
            untangled or WAITING.untangled,
            threads,
        )
        """The parts that compute the motion, for those who extend or test them; users need the methods below only."""

        self._session = Session(self.engine)
        self._holding, self._queries = Holding(self._session), Queries(self._session)
        self._images = Images(self._session, self._queries)
        self._measures = Measures(self._session, self._queries)
        self._parameters, self._placing = Parameters(self._session), Placing(self._session)
        self._edits = Edits(self._session, self._parameters)
        self._patterns = Patterns(self._session, self._queries, self._edits)
        self._start = Start(scene, self.engine.settings)
        WAITING.ended()

    # ------------------------------------------------------------------ motion

    def step(self) -> StepReport:
        """Advance by one frame and report.

        If something raises in the middle of it, such as a function of yours that moves an obstacle, everything rests where
        it was before the frame, and the simulation can go on.
        """
        engine, watch, iterations = self.engine, Stopwatch(), 0
        self._make_due_edits()
        substeps = engine.begin_frame(watch)
        watch.lap("prepare")
        try:
            for substep in substeps:
                engine.predict(substep)
                watch.lap("predict")
                engine.push(substep)
                watch.lap("push")
                iterations += engine.solve(substep)
                watch.lap("solve")
                iterations += engine.constrain(substep)
                watch.lap("constrain")
                engine.collide(substep)
                watch.lap("collide")
                engine.finish(substep)
                watch.lap("finish")
        except Exception:  # such as one in a user's function that moves an obstacle
            engine.recover()
            raise
        engine.end_frame()
        report = report_frame(engine, watch, len(substeps), iterations)
        if WAITING.is_told:
            WAITING.kernels_done()
        return report

    def _make_due_edits(self) -> None:
        """Do what a script or the scene has planned for this frame."""
        log = self._session.log
        if self.frame in log.planned:
            if late := replay_entries(self, log.planned.pop(self.frame)):
                log.planned.setdefault(self.frame + 1, [])[:0] = late
        if self.scene.edits or self.scene.stitches:
            with log.paused():
                log.waiting = apply_due_edits(self, log.waiting)

    def run(self, seconds: float) -> Iterator[StepReport]:
        """Advance by `seconds`, yielding the report of every frame."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise SuppleError(f"`seconds` is {seconds}, but it must be a finite number, 0 or more.")
        for _ in range(round(seconds * self.frame_rate)):
            yield self.step()

    # ------------------------------------------------------------------ scene and clock

    @property
    def scene(self) -> Scene:
        """The scene as it is now: `set` changes it."""
        return self.engine.scene

    @property
    def settings(self) -> Settings:
        """How the scene is computed."""
        return self.engine.settings

    @property
    def frame(self) -> int:
        """Frames so far."""
        return self.engine.frame

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.engine.time

    @property
    def threads(self) -> int:
        """On how many threads the integrator may work."""
        return self.engine.threads

    @property
    def revision(self) -> int:
        """Grows with every edit of the bodies; arrays taken before are out of date."""
        return self.engine.revision

    @property
    def frame_rate(self) -> float:
        """Frames per second of simulated time [1/s]."""
        return self.settings.frame_rate

    @property
    def frame_seconds(self) -> float:
        """Simulated duration of a frame [s]."""
        return self.engine.frame_seconds

    # ------------------------------------------------------------------ holding

    def grab(self, body: str, vertex: int, target: Triple) -> None:
        """Take a vertex by hand; by the end of the next frame it is at `target` (3,) [m].

        An obstacle in the way stops it at its surface, and in bodies with exact contact it waits for what it pulls.
        """
        self._holding.grab(body, vertex, target)

    def release(self, body: str, vertex: int) -> None:
        """Let go of a grabbed vertex; it keeps its velocity."""
        self._holding.release(body, vertex)

    def release_all(self) -> None:
        """Let go of everything that is held by hand."""
        self._holding.release_all()

    def pin(self, body: str, vertex: int, target: Triple | None = None, *, to: str | None = None) -> None:
        """Pin a vertex where it is, or at `target` (3,) [m], reached by the end of the next frame.

        With `to`, the name of an obstacle, the vertex is carried by it from now on, from where it is: grasp with
        `pin(..., to="gripper")`, lift with `move_obstacle`, release with `unpin`. The nearest triangle of a puppet carries
        it as well. To hang it on a point of another body, which gives way, sew the two together with `seam`.
        """
        self._holding.pin(body, vertex, target, to)

    def unpin(self, body: str, vertex: int) -> None:
        """Free a pinned vertex."""
        self._holding.unpin(body, vertex)

    def move_pin(self, body: str, vertex: int, target: Triple) -> None:
        """Move a pinned vertex; by the end of the next frame it is at `target` (3,) [m]."""
        self._holding.move_pin(body, vertex, target)

    def move_obstacle(self, obstacle: str, at: Triple, rotation: Triple = (0.0, 0.0, 0.0)) -> None:
        """Lead an obstacle by hand; by the end of the next frame it is at `at` [m], turned by `rotation` [rad]."""
        self._holding.move_obstacle(obstacle, at, rotation)

    def release_obstacle(self, obstacle: str) -> None:
        """Let go of an obstacle; one that has a mass keeps its velocity, any other stays where it is."""
        self._holding.release_obstacle(obstacle)

    # ------------------------------------------------------------------ changing

    def set(self, body: str | None = None, **changes: Any) -> None:
        """Change parameters while the simulation runs; they act from the next frame on.

        With a body: `stretch_stiffness`, `shear_stiffness`, `bending_stiffness`, `damping`,
        `stretch_limit`, `density`, `pressure` of closed cloth, and for soft bodies `young`, `poisson`, `damping`,
        `volume_damping`, `density`, in the units of its declaration. For cloth and soft bodies also
        `self_contact`, `thickness`, `friction`, `colour` and the `sizes` of a panel, of all pieces of the body; what is
        intersected now cannot become "exact". For puppets `tempo`, how fast their animation runs. Without: `gravity`,
        `drag`, `wind`, `fans`, `waters` and every field of `Settings` (`integrator`, `substeps`, `frame_rate`, ...).

        `positions` (vertex_count, 3) [m] and `velocities` (vertex_count, 3) [m/s] put a body elsewhere at once, whatever is
        between; velocities stay as they are unless given. Pinned vertices are then pinned where they were put; paths and
        hands lead theirs on. Where contact is exact, positions at which cloth passes through cloth are refused.
        """
        if body is None:
            self._parameters.set_world(**changes)
            return
        places, speeds = changes.pop("positions", None), changes.pop("velocities", None)
        BodyChanges(**changes)  # refuses what makes no sense before anything is moved
        if places is not None or speeds is not None:
            self._placing.place(body, places, speeds)
        if changes or (places is None and speeds is None):
            self._parameters.set_body(body, **changes)

    def resize(self, garment: str, **sizes: float) -> None:
        """Draw a garment anew at other sizes while it moves, in the units that its pattern gives them, metres or a factor.

        Which there are, and how far they go, stands in the panels: `scene.body("shirt-front").shape.sizes`. What it is made
        of, cuts and seams stay; rest lengths, areas and masses change at once, and the motion leads cloth there.

        Args:
            garment: its name, or that of one panel
            sizes: of its pattern, by name, such as length
        """
        self._parameters.resize(garment, sizes)

    def push(
        self,
        body: str,
        vertex: int | None = None,
        force: Triple | None = None,
        *,
        forces: Points | None = None,
    ) -> None:
        """Let a force act during the next frame: `force` (3,) [N] on a vertex, or `forces` (vertex_count, 3) [N] on all.

        Forces add up; call it before every frame for a force that lasts. Vertices that are held feel none.
        """
        self._placing.push(body, vertex, force, forces)

    # ------------------------------------------------------------------ editing

    @property
    def may_reshape(self) -> bool:
        """Whether bodies may be cut, torn or sewn by themselves from now on, and so change their number of points."""
        return self._edits.may_reshape

    def cut(
        self,
        body: str,
        *,
        path: Points | None = None,
        plane: tuple[Triple, Triple] | None = None,
        edges: Sequence[int] | None = None,
    ) -> None:
        """Cut a cloth or a soft body while it moves, along a path, by a plane or along edges.

        A piece that comes off becomes a body of its own, called after the first one: `"cloth-piece-1"`. Arrays that
        `positions` and the like returned before do not follow.

        Args:
            body: a cloth or a soft body
            path: (count, 3) points near its surface [m]; the cut follows straight lines between them, and goes
                right through a soft body
            plane: a point in the plane [m] and its normal
            edges: vertices, each joined to the next by an edge of a triangle
        """
        self._edits.cut(body, path=path, plane=plane, edges=edges)

    def tear(self, body: str, strain: float | None) -> None:
        """Let a body tear wherever it is stretched by more than `strain` [-], 0.1 for a tenth; None stops that."""
        self._edits.tear(body, strain)

    def seam(
        self,
        a: tuple[str, Sequence[int]],
        b: tuple[str, Sequence[int]],
        seconds: float = 0.8,
        *,
        stiffness: float = 1.0e4,
        strength: float | None = None,
        weld: bool = True,
        turn: bool = True,
    ) -> int:
        """Sew two chains of vertices together and return the number of the seam, for `unseam`.

        Args:
            a: name of a body and vertices along the seam; one vertex hangs on one vertex of the other side
            b: the same for the other side; it may be the same body, and have more or fewer vertices
            seconds: time over which the chains are pulled together [s]
            stiffness: of the thread between two points [N/m]
            strength: force at which a thread gives way [N]; None never
            weld: whether chains of one body become one, once they are together; a seam of limited strength or
                between two bodies is held by threads instead
            turn: whether the second chain is turned round if it then runs alongside the first one
        """
        return self._edits.seam(a, b, seconds, stiffness=stiffness, strength=strength, weld=weld, turn=turn)

    def sew(self, *stitches: Stitch) -> None:
        """Sew edges of declared cloth together, all as one edit; the scene's own stitches need no call."""
        self._edits.sew(*stitches)

    def unseam(self, seam: int) -> None:
        """Open a seam again."""
        self._edits.unseam(seam)

    def attach(
        self, a: tuple[str, int], b: tuple[str, int], seconds: float = 0.2, *, strength: float | None = None
    ) -> int:
        """Join a vertex of a body to one of another, and return the number of the joint, for `detach`.

        The joint is a point-to-point one: the bodies turn about it freely. It gives by some hundredths of a millimetre
        at 1 kN and keeps both momenta. Three joints that are not in line fix two bodies to each other. Both may be cloth,
        chains, networks or soft bodies of one level. To hang a vertex on an obstacle, use `pin` with `to`.

        Args:
            a: name of a body and its vertex
            b: the same for the other body
            seconds: time over which the two vertices are pulled together [s]
            strength: force at which the joint breaks [N]; None never
        """
        return self._edits.attach(a, b, seconds, strength=strength)

    def detach(self, joint: int) -> None:
        """Open a joint that `attach` made."""
        self._edits.unseam(joint)

    def shrink(
        self, body: str, points: Sequence[int] | None = None, ratio: float = 0.5, seconds: float = 1.0
    ) -> None:
        """Change the rest lengths between some vertices of a body over time; all vertices if None.

        Args:
            body: its name
            points: vertices of the band; springs between two of them change
            ratio: rest lengths in the end over those now [-]; above 1 stretches
            seconds: time it takes [s]
        """
        self._edits.shrink(body, points, ratio, seconds)

    def erase(self, body: str, triangles: Sequence[int]) -> None:
        """Take triangles of a cloth away, with their mass; the rest moves on as it did.

        A piece that came off may be erased whole, a body of the scene may not.

        Args:
            body: a cloth
            triangles: rows of `triangles(body)`
        """
        self._edits.erase(body, triangles)

    def undo(self) -> str:
        """Take the last edit back, and every tear and weld since; return what it was. Motion goes on."""
        return self._edits.undo()

    def redo(self) -> str:
        """Make the edit again that was taken back last; return what it was."""
        return self._edits.redo()

    @property
    def undoable(self) -> tuple[str, ...]:
        """What `undo` can take back, in a few words each, the last edit last."""
        return self._edits.undoable

    @property
    def redoable(self) -> tuple[str, ...]:
        """What `redo` can make again, in a few words each, the next one last."""
        return self._edits.redoable

    @property
    def script(self) -> Script:
        """Everything that was done so far by calls: edits, undo, pins, grabs, changes of bodies, gravity, drag and wind.

        Edits that the scene declares are no part of it. Save it with `script.save`, and have it done again to the same
        scene, bit for bit, with `replay`.
        """
        return self._edits.script

    def replay(self, script: Script) -> None:
        """Do again what a script says, each entry when its time has come; more than one script adds up.

        What cannot be done is left out with a warning.
        """
        self._edits.replay(script)

    def seam_gaps(self) -> tuple[SeamGap, ...]:
        """Return for every seam its name, the largest and the mean distance of its two sides [m], and whether it is closed.

        A closed seam whose largest gap is above 3 mm makes the status of the report `seams-open`.
        """
        return self._edits.seam_gaps()

    @property
    def seams(self) -> tuple[int, ...]:
        """Numbers of the seams that there are."""
        return self._edits.seams

    def origin(self, body: str) -> tuple[str, NDArray[np.int64], NDArray[np.float64]]:
        """Return where a body comes from: a declared body, and for every vertex three of its vertices and their weights.

        Bodies that were never edited are their own origin.
        """
        return self._edits.origin(body)

    def heirs(self, body: str, points: Sequence[int]) -> list[int]:
        """Return the vertices of a body that vertices of its declared body have become, in order; lost ones are left out."""
        return self._edits.heirs(body, points)

    # ------------------------------------------------------------------ asking

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the scene; pieces that have come off follow."""
        return self._session.body_names

    @property
    def obstacle_names(self) -> tuple[str, ...]:
        """Names of the obstacles, in the order of the scene."""
        return self._session.obstacle_names

    @property
    def particle_count(self) -> int:
        """Number of mass points of all bodies."""
        return self.engine.world.particles.count

    def positions(self, body: str) -> NDArray[np.float64]:
        """Return the points of a body, (vertex_count, 3) [m], as a read-only view, live until an edit."""
        return self._queries.positions(body)

    def velocities(self, body: str) -> NDArray[np.float64]:
        """Return the velocities of a body, (vertex_count, 3) [m/s], as a read-only view, live until an edit."""
        return self._queries.velocities(body)

    def masses(self, body: str) -> NDArray[np.float64]:
        """Return the masses of a body, (vertex_count,) [kg], as a read-only view, live until an edit."""
        return self._queries.masses(body)

    def triangles(self, body: str) -> NDArray[np.int64]:
        """Return the surface of a body, (triangle_count, 3) vertex indices; empty for chains."""
        return self._queries.triangles(body)

    def surface(self, body: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what a body looks like: points (n, 3) [m] and triangles (t, 3), a moment's copy or view.

        Of most bodies these are `positions` and `triangles`. A soft body that is `smooth` shows a finer surface
        that its tetrahedra carry; its own vertices are the first of the points.
        """
        return self._queries.surface(body)

    def skin(self, body: str) -> Skin | None:
        """Return how the surface of a soft body hangs on its vertices; None if it is made of them."""
        return self._queries.skin(body)

    def edges(self, body: str) -> NDArray[np.int64]:
        """Return the springs of a body, or the edges of a soft one, (edge_count, 2) vertex indices."""
        return self._queries.edges(body)

    def rest_lengths(self, body: str) -> NDArray[np.float64]:
        """Return the lengths at rest of the springs of a body, (spring_count,) [m], as a read-only view."""
        return self._queries.rest_lengths(body)

    def level_shares(self, body: str) -> NDArray[np.float64]:
        """Return how finely each vertex of a body is computed now, (vertex_count,): 0 the coarsest level, 1 the finest."""
        return self._queries.level_shares(body)

    @property
    def levelled_bodies(self) -> tuple[str, ...]:
        """Names of the bodies of several levels of detail."""
        return self._queries.levelled_bodies

    def touching(self, body: str, obstacle: str | None = None) -> NDArray[np.bool_]:
        """Return which points of a body touched any obstacle, or this one, in the last substep, (vertex_count,)."""
        return self._queries.touching(body, obstacle)

    def contact_forces(self, body: str) -> NDArray[np.float64]:
        """Return what obstacles, puppets and other surfaces did to each point of a body, (vertex_count, 3) [N].

        As all forces here, it is the mean of the last frame, and zero before the first one and right after an edit,
        `restore` or `load`. Together with weight, air, pushes and `pin_forces` it makes up the whole change of momentum.
        """
        return self._queries.contact_forces(body)

    def tape_measure(self, body: str, vertices: Sequence[int]) -> SurfacePath:
        """Return the shortest way along a body, as a tape laid on it: its `length` [m] and the `points` (n, 3) of it.

        It is measured where the cloth is now, stretched and folded as it is. Paths stay on one body: a tape ends at a seam
        between two panels.

        Args:
            body: with a surface
            vertices: the tape goes over them in turn; two or more
        """
        return self._measures.tape_measure(body, vertices)

    def write_pattern(self, garment: str, file: str | os.PathLike[str]) -> list[str]:
        """Write the panels of a garment as they are now, at their sizes and with their cuts, as .json, .svg or .dxf.

        Panels that are whole keep their curves, and in .json the seams between them; of what was cut the outline follows
        the border.

        Returns:
            The names of the panels.
        """
        return self._patterns.write(garment, file)

    def pressure_map(self, wearer: str) -> PressureMap:
        """Return how cloth presses on an obstacle or a puppet, vertex by vertex of its surface.

        Its `forces` (n, 3) [N] add up to that of all contacts, so those on a body that wears something to its weight;
        `pressures` (n,) [Pa] are the part along the normal, over `areas` (n,) [m²]. All are means of the last frame. Every
        contact is spread over the few vertices around it.

        Args:
            wearer: name of an obstacle or a puppet
        """
        return self._measures.pressure_map(wearer)

    def pin_forces(self, body: str) -> NDArray[np.float64]:
        """Return what pins, hands and anchors did to each point of a body, (vertex_count, 3) [N]: what it takes to hold it.

        Points that are not held have none. It is the mean of the last frame, as `contact_forces` is, and what a hand feels
        has the opposite sign.
        """
        return self._queries.pin_forces(body)

    def pinned(self, body: str) -> NDArray[np.int64]:
        """Return the vertices of a body that are held, ascending."""
        return self._queries.pinned(body)

    def obstacle_surface(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what an obstacle looks like: vertices (n, 3) [m] in its own axes and triangles (t, 3)."""
        return self._queries.obstacle_surface(obstacle)

    def obstacle_pose(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where an obstacle is now: its place (3,) [m] and its rotation matrix (3, 3)."""
        return self._queries.obstacle_pose(obstacle)

    def obstacle_velocity(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how an obstacle that has a mass moves: velocity of its centre [m/s] and spin [rad/s], (3,) each."""
        return self._queries.obstacle_velocity(obstacle)

    def obstacle_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the force of all bodies in contact with an obstacle on it, the mean of the last frame, (3,) [N].

        This is what a hand feels that leads a tool, a gripper's finger, the weight on a table. What hangs on an obstacle by
        `Pin(to=...)` is in `pin_forces`.
        """
        return self._queries.obstacle_force(obstacle)

    def obstacle_torque(self, obstacle: str, about: Triple | None = None) -> NDArray[np.float64]:
        """Return the torque of all bodies in contact with an obstacle on it, the mean of the last frame, (3,) [N·m].

        Args:
            obstacle: its name
            about: what it turns about (3,) [m]; None for its place, as `obstacle_pose` returns it
        """
        return self._queries.obstacle_torque(obstacle, about)

    def air_force(self, body: str) -> NDArray[np.float64]:
        """Return what air and water did to a body in the last substep, buoyancy included, (3,) [N]."""
        return self._queries.air_force(body)

    def pressure(self, body: str) -> float:
        """Return the overpressure of the gas inside a cloth now [Pa]; 0 if it holds none."""
        return self._queries.pressure(body)

    def volume(self, body: str) -> float:
        """Return the volume inside the surface of a body that is closed [m³]."""
        return self._queries.volume(body)

    def wind_at(self, points: Triple | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the velocity of the air now, behind obstacles too, at (n, 3) places [m], or at one (3,) [m/s]."""
        return self._queries.wind_at(points)

    def tool_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the same as `obstacle_force`, the name of it for tools that press on soft bodies."""
        return self._queries.tool_force(obstacle)

    def largest_tool_force(self) -> float:
        """Return the largest `tool_force` on any obstacle [N]; 0 without soft bodies."""
        return self._queries.largest_tool_force()

    def depth(self) -> float:
        """Return how deep the deepest free particle is inside an obstacle [m]; negative if none is."""
        return self._queries.depth()

    def intersections(self) -> int:
        """Return how many edges pass through triangles of any body now, puppets aside; 0 if all contact is exact.

        Cloth and soft bodies count whether they notice each other or not, so this also judges
        `self_contact = "points"` and "off". It is counted when asked, and takes about as long as a frame.
        """
        return self._queries.intersections()

    def intersection_places(self) -> NDArray[np.float64]:
        """Return where edges pass through triangles now, (intersections, 3) [m]."""
        return self._queries.intersection_places()

    def image(self, camera: Camera | str | None = None, size: tuple[int, int] = (128, 128)) -> Image:
        """Return what a camera sees now, as arrays: `.rgb`, `.depth` [m], `.ids` and `.points` [m].

        It is drawn on the CPU in a few milliseconds, needs neither a screen nor a browser, and is the same to the bit every
        time. Planes have no end; water and wind are not drawn.

        Args:
            camera: a `Camera`, the name of one of the scene, or None for the first of the scene; if it has none, one that
                shows everything
            size: width and height [pixels]
        """
        return self._images.image(camera, size)

    def _repr_html_(self) -> str:
        """Return a picture of now, for notebooks."""
        count = len(self.body_names)
        bodies = f"{count} {'body' if count == 1 else 'bodies'}, {self.particle_count:,} points"
        title = f"{self.scene.title}: " if self.scene.title else ""
        return figure_html(self.image(size=SIZE).rgb, f"{title}{bodies}, {self.time:.2f} s")

    # ------------------------------------------------------------------ keeping

    def snapshot(self) -> SavedState:
        """Return the state of this moment, for `restore`: bodies, edits, holds, obstacles, wind, contact and the clock."""
        return state.capture(self.engine, self._session.log, may_reshape=self.may_reshape)

    def restore(self, snapshot: SavedState) -> None:
        """Go back, or over, to a moment that `snapshot` returned; what follows is the same to the bit.

        As long as bodies and settings are those of the snapshot this takes less than a millisecond. After edits, or
        other settings, the world is built anew, and arrays that `positions` and the like returned before do not follow.
        """
        if not isinstance(snapshot, SavedState):
            raise SuppleError(
                f"`snapshot` is {snapshot!r}, but it must be what `Simulation.snapshot` returned."
            )
        if snapshot.fits(self.engine):
            snapshot.rewind(self.engine)
            self._take_log(snapshot)
        else:
            self._become(self._resumed(snapshot, self.engine.asked_threads))

    def reset(self, seed: int | None = None) -> None:
        """Begin anew, as the scene was declared; `seed` replaces that of the settings.

        Everything since is taken back: motion, edits, grabs and changes of parameters.
        """
        start = self._start
        settings = start.settings if seed is None else start.settings.changed(seed=seed)
        if start.snapshot is None or settings != start.settings:
            fresh = type(self)(start.scene, threads=self.engine.asked_threads, **settings.fields())
            fresh._start.snapshot = fresh.snapshot()
            self._become(fresh)
        else:
            self.restore(start.snapshot)

    def copy(self) -> Self:
        """Return an independent simulation in the same state."""
        twin = self._resumed(self.snapshot(), self.engine.asked_threads)
        twin._start = Start(self._start.scene, self._start.settings)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy; scenes are frozen and shared."""
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Return what pickling needs: the state, and what `reset` goes back to."""
        return {"now": self.snapshot(), "start": Start(self._start.scene, self._start.settings)}

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Become the simulation that was pickled."""
        self.__dict__.update(self._resumed(pickled["now"]).__dict__)
        self._start = pickled["start"]

    def save(self, path: str | Path) -> None:
        """Write the running state to a file, so that `load` goes on bit for bit."""
        state.save(path, self.snapshot())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the simulation that `save` wrote; its `reset` goes back to the scene of that moment, at time 0."""
        return cls._resumed(state.load(path))

    @classmethod
    def _resumed(cls, saved: SavedState, threads: int | None = None) -> Self:
        """Return a new simulation that goes on from a state."""
        simulation = cls(saved.scene_without_contact, threads=threads, **saved.settings.fields())
        saved.resume(simulation.engine)
        simulation._start = Start(saved.scene, saved.settings)
        simulation._take_log(saved)
        return simulation

    def _take_log(self, saved: SavedState) -> None:
        """Take over what was done until a state was saved, and what is still to be done."""
        log = self._session.log
        log.planned.clear()
        self._edits.plan(saved.planned)
        log.waiting = {number: list(names) for number, names in saved.waiting.items()}
        log.actions, log.is_complete = [*saved.made.edits], saved.made.is_complete

    def _become(self, other: Simulation) -> None:
        """Take over the parts of another simulation; whoever drew this one sees by `revision` that all is new."""
        other.engine.revision = max(other.engine.revision, self.engine.revision) + 1
        self.__dict__.update(other.__dict__)


@dataclass
class Start:
    """What `Simulation.reset` goes back to."""

    scene: Scene
    settings: Settings
    snapshot: SavedState | None = None
    """The state at time 0, once it was needed."""


_WATCHES = ExitStack()
"""What listens to the compiler as long as the program runs."""


@functools.cache
def _tell_of_kernels() -> None:
    """From the first simulation on, let whoever waits for the compiler at a terminal know."""
    _WATCHES.enter_context(compilation_watch(WAITING.kernel_compiled))
