"""The thread that owns the simulation and lets it run at its frame rate.

Everything from outside arrives as commands in a bounded queue and takes effect between two frames.
Everything that goes out goes through a `PlayerOutput`, which must not block.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from supple.errors import SuppleError
from supple.kernel import compilation_watch
from supple.scene.scene import Scene
from supple.scene.timeline.script import Script
from supple.simulation import Simulation
from supple.studio.connection import protocol
from supple.studio.connection.command_queue import Command, CommandQueue, Joined, Left
from supple.studio.connection.packing import Packer, sizes_of
from supple.studio.connection.player_output import PlayerOutput
from supple.studio.connection.report_summary import ReportSummary
from supple.studio.connection.share import read_share, share_text
from supple.studio.panel.parameters import Parameter, declare_parameters
from supple.studio.player.pace import Pace
from supple.studio.player.playlist import Playlist
from supple.studio.player.preview import Preview, Shown
from supple.studio.player.questions import Questions
from supple.studio.player.recorder import Recorder
from supple.studio.player.script_file import write_script
from supple.studio.player.warmth import Warmth
from supple.studio.tools.actions import Action, declare_actions
from supple.studio.tools.cloth_strokes import ClothStrokes
from supple.studio.tools.earlier_worlds import EarlierWorlds, Stroke
from supple.studio.tools.garment_answers import pressures, saved_pattern, tape, traced
from supple.studio.tools.hands import Hands, underlying_vertices
from supple.studio.tools.touches import Touches
from supple.studio.tools.undo_history import UndoHistory
from supple.waiting import WAITING

_LOG = logging.getLogger(__name__)

_Stroke = TypeVar("_Stroke", bound=Stroke)

PRESSURE_SECONDS = 0.5
"""Time between two maps of pressure [s]."""

RESIZED_SECONDS = 0.4
"""Time after the last change of a size until flat places of panels are told anew [s]."""

UNTANGLING_SECONDS = 0.1
"""Time between two words on how far the untangling is [s]."""


class Player:
    """Runs a simulation in a thread of its own."""

    def __init__(
        self,
        subject: Simulation | Scene | str,
        output: PlayerOutput,
        commands: CommandQueue,
        *,
        record_folder: Path,
        is_paused: bool = False,
        share: str = "",
        script: Script | None = None,
        pace: Pace | None = None,
        warmth: Warmth | None = None,
    ) -> None:
        """Take a simulation over, or build one from a scene once the thread runs.

        Args:
            subject: a simulation, a scene, or the name of a scene in the gallery or of a file
            output: where messages and frames go
            commands: where their commands wait
            record_folder: where recordings go
            is_paused: whether to wait for a key before the first frame
            share: scene and parameters of a shared link to begin with
            script: edits to make again, each at its time
            pace: what keeps it in step with another player; None runs by itself
            warmth: compiles kernels before they are needed; None leaves it to whoever calls them
        """
        self._warmth = warmth
        self._is_warming_due = False
        self._deferred: list[tuple[int, Command]] = []
        """Strokes whose kernels are still being compiled, in the order they came."""

        self.playlist = Playlist(subject, self._map_built, self._untangled, script)
        self._output = output
        self._record_folder = record_folder
        self._start_share = share
        self._commands = commands
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="supple-player", daemon=True)
        self._is_paused = is_paused
        self._steps_due = 0
        self._has_failed = False
        self._speed = 1.0
        self._pace = pace
        self._world = 0
        self._simulation: Simulation | None = None
        self._packer: Packer
        self.hands: Hands
        """What clients hold by hand; belongs to the thread while that runs."""

        self._touches = Touches(output)
        self._strokes: ClothStrokes
        self._earlier = EarlierWorlds()
        self._history: UndoHistory
        self._parameters: dict[str, Parameter] = {}
        self._actions: dict[str, Action] = {}
        self._recorder = Recorder(output, record_folder)
        self._questions = Questions(output)
        self._compiled = 0
        self._is_compiling = False
        self._untangling_told = 0.0
        self._pressure_told = 0.0
        self._sizes: tuple[dict[str, float], ...] = ()
        self._resized = 0.0
        self._summary = ReportSummary()
        self._is_state_stale = True
        self._is_frame_stale = True
        self.failure: BaseException | None = None
        """What ended the thread, if anything but `stop` did."""

    # ------------------------------------------------------------------ from other threads

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after the frame it is in, and wait for it."""
        self._is_stopping.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=10.0)

    def join(self, seconds: float) -> None:
        """Wait for the thread to end, at most so long [s]."""
        self._thread.join(seconds)

    @property
    def is_running(self) -> bool:
        """Whether the thread is alive."""
        return self._thread.is_alive()

    @property
    def simulation(self) -> Simulation | None:
        """What is shown; belongs to the thread while that runs."""
        return self._simulation

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            with WAITING.hushed(), compilation_watch(self._kernel_compiled):
                self._begin()
                self._loop()
        except BaseException as failure:
            self.failure = failure
            text = f"The simulation stopped: {failure}"
            self._output.tell(protocol.Goodbye(text=text))
            if not isinstance(failure, SuppleError):
                raise
        finally:
            self._commands.is_open = False
            self._questions.stop()
            self._recorder.end()

    def _begin(self) -> None:
        self._output.tell(protocol.Compiling(stage="world", done=0, total=1, name=""))
        self._show(self.playlist.first(self._building))
        if self._start_share:
            self._apply(0, protocol.Apply(share=self._start_share))

    def _loop(self) -> None:
        due = time.perf_counter()
        self._publish()
        while not self._is_stopping.is_set():
            try:
                self._turn()
            except Exception as error:  # nothing a page has asked for may end this for all others
                self._fail(error)
            assert self._simulation is not None
            due += self._simulation.frame_seconds / self._speed
            now = time.perf_counter()
            if due < now:
                due = now  # too slow for the frame rate: go on from here instead of hurrying after
            else:
                self._is_stopping.wait(due - now)

    def _turn(self) -> None:
        """Do what was asked, compute a frame if the clock runs, and show it."""
        self._obey()
        self._tell_state()
        if self._is_due():
            self._steps_due = max(0, self._steps_due - 1)
            self._advance()
        if self._is_frame_stale:
            self._publish()
        self._tell_state()
        if self._is_compiling:
            self._end_compiling()

    def _is_due(self) -> bool:
        """Tell whether a frame is to begin: the clock runs, and those that are compared wait for each other."""
        wants = not self._is_paused or self._steps_due > 0
        if self._pace is None:
            return wants
        assert self._simulation is not None
        simulation = self._simulation
        is_due = self._pace.is_due(self, simulation.time, simulation.frame_seconds, wants)
        return is_due and (wants or not self._has_failed)

    def _fail(self, error: Exception) -> None:
        """Stop the clock after an error in a frame, tell it, and go on with the last frame that was good.

        If even that cannot be shown, the scene starts again.
        """
        if not isinstance(error, SuppleError):
            _LOG.error("a frame failed", exc_info=error)
        reason = str(error) if isinstance(error, SuppleError) else repr(error)
        self._is_paused, self._steps_due, self._has_failed = True, 0, True
        try:
            self.hands.release_all()
            self._look_for_edits()
            self._publish()
            self._is_state_stale = True
            self._tell_state()
            label = self._history.undo_label
            way_out = (
                f"undo (“{label}”) and play, or reset." if label else "change something and play, or reset."
            )
        except Exception:
            _LOG.exception("the frame before it cannot be shown either")
            self._is_frame_stale = self._is_state_stale = False  # or it would be tried again and again
            self._commands.put(0, protocol.Reset())
            way_out = "the scene starts again."
        text = f"The clock was stopped, because this frame could not be computed: {reason} Way out: {way_out}"
        self._output.tell(protocol.Problem(about="", text=text))

    def _tell_state(self) -> None:
        if self._is_state_stale:
            self._is_state_stale = False
            assert self._simulation is not None
            self._output.tell(self._state(self._simulation))

    def _advance(self) -> None:
        assert self._simulation is not None
        self.hands.before_frame()
        compiled = self._compiled
        report = self._simulation.step()
        self._touches.tell(self._simulation, self.hands)
        self._tell_pressure()
        if self._is_warming_due and self._warmth is not None:
            self._is_warming_due = False
            self._warmth.go_on_behind()
        self.hands.after_frame()
        self._look_for_edits()
        is_compiled_anew = self._compiled != compiled
        self._is_state_stale |= self._recorder.add(report)
        self._is_frame_stale = True
        now = time.perf_counter()
        if is_compiled_anew:
            self._summary.restart(now)
            return
        self._summary.add(report)
        summary = self._summary.due(self._simulation, now)
        if summary is not None:
            self._output.tell(summary)

    def _tell_pressure(self) -> None:
        """Tell how cloth presses on whoever wears it, now and then, if anybody wants to see it."""
        now = time.perf_counter()
        if not self._output.wants_pressure or now - self._pressure_told < PRESSURE_SECONDS:
            return
        assert self._simulation is not None
        for word in pressures(self._simulation, self._world):
            self._output.tell(word)
        # As much time for frames as this has taken, at least.
        self._pressure_told = 2.0 * time.perf_counter() - now

    def _look_for_edits(self) -> None:
        """Take note of what was edited, by a tool or by the scene itself."""
        label = self._history.undo_label, self._history.redo_label
        self._history.follow()
        if label != (self._history.undo_label, self._history.redo_label):
            self._is_state_stale = True

    def _publish(self) -> None:
        self._follow_edit()
        self._is_frame_stale = False
        if self._output.client_count:
            self._output.frame(self._packer.frame(with_strain=self._output.wants_strain))

    def _kernel_compiled(self, name: str) -> None:
        self._compiled += 1
        self._is_compiling = True
        # Nobody knows how many more there will be: those that are known are compiled by `Warmth`.
        self._output.tell(protocol.Compiling(stage="kernels", done=0, total=1, name=name))

    def _map_built(self, obstacle: str, share: float) -> None:
        self._output.tell(
            protocol.Compiling(stage="maps", done=round(100.0 * share), total=100, name=obstacle)
        )

    def _untangled(self, free: int, most: int) -> None:
        now = time.perf_counter()
        if most and now - self._untangling_told > UNTANGLING_SECONDS:
            self._untangling_told = now
            self._output.tell(protocol.Compiling(stage="untangling", done=free, total=most, name=""))

    def _end_compiling(self) -> None:
        self._is_compiling = False
        self._output.tell(protocol.Compiling(stage="world", done=0, total=0, name=""))

    # ------------------------------------------------------------------ worlds

    def _show(self, simulation: Simulation) -> None:
        """Make `simulation` the one that is shown."""
        self._recorder.end()
        self._simulation = simulation
        self._parameters = declare_parameters(simulation)
        self._actions = declare_actions(simulation)
        self._history = UndoHistory(simulation, self._parameters)
        self._earlier.clear()
        self._deferred.clear()
        self._is_warming_due = True
        self._new_packer()
        self._end_compiling()
        self._output.tell(self._declared())
        self._is_state_stale = True

    def _new_packer(self) -> None:
        assert self._simulation is not None
        self._world += 1
        self._packer = Packer(self._simulation, self._world, self.playlist.name)
        centre, radius = self._packer.extent()
        self._touches.forget()
        self.hands = Hands(self._simulation, self._packer.solids, np.array(centre), max(50.0, 20.0 * radius))
        self._strokes = ClothStrokes(self._simulation, self._world)
        self._earlier.remember(self._world, self._simulation)
        self._summary.clear()
        self._output.geometry(self._packer.geometry())
        self._is_frame_stale = True

    # ------------------------------------------------------------------ commands

    def _obey(self) -> None:
        """Carry out what was asked, as far as the budgets of this frame and of the clients go."""
        self._commands.begin_frame(time.perf_counter())
        if self._deferred and self._are_tools_ready:
            deferred, self._deferred = self._deferred, []
            for client, command in deferred:
                self._carry_out(client, command)
        while (taken := self._commands.take()) is not None:
            client, command = taken
            if self._has_to_wait(command):
                if not self._deferred:
                    self._refuse(
                        client, command, "The tools are being prepared, once: this is done in a moment."
                    )
                self._deferred.append((client, command))
            else:
                self._carry_out(client, command)

    def _carry_out(self, client: int, command: Command) -> None:
        """Do what a command asks; what goes wrong is told to whoever asked."""
        handler, begin = _HANDLERS[type(command)], time.perf_counter()
        try:
            handler(self, client, command)
        except (SuppleError, ValueError) as error:
            self._refuse(client, command, str(error))
        except Exception as error:  # a page must not be able to stop the world for all others
            _LOG.exception("a command failed: %r", command)
            self._refuse(client, command, f"this went wrong inside the server: {error!r}")
        finally:
            self._commands.spent(client, time.perf_counter() - begin)

    @property
    def _are_tools_ready(self) -> bool:
        return self._warmth is None or self._warmth.are_tools_ready

    def _has_to_wait(self, command: Command) -> bool:
        """Return whether a command would stop everything for its compiler, or must not overtake one that would."""
        if self._are_tools_ready:
            return False
        return isinstance(command, _STROKES) or (
            bool(self._deferred) and isinstance(command, protocol.Undo | protocol.Redo)
        )

    def _refuse(self, client: int, command: Command, reason: str) -> None:
        about = getattr(command, "type", "")
        self._output.tell(protocol.Problem(about=about, text=reason), client)

    def _joined(self, client: int, _: Joined) -> None:
        self._output.tell(self._declared(), client)
        self._is_state_stale = True
        self._is_frame_stale = True

    def _left(self, client: int, _: Left) -> None:
        self.hands.release_client(client)
        self._touches.leave(client)
        self._is_state_stale = True

    def _grab(self, client: int, message: protocol.Grab) -> None:
        self.hands.grab(client, message)

    def _move(self, client: int, message: protocol.Move) -> None:
        self.hands.move(client, message)

    def _release(self, client: int, message: protocol.Release) -> None:
        self.hands.release(client, message)

    def _feel(self, client: int, message: protocol.Feel) -> None:
        self._touches.want(client, message)

    def _toggle_pin(self, client: int, message: protocol.TogglePin) -> None:
        assert self._simulation is not None
        simulation, body = self._simulation, message.body
        count = len(simulation.surface(body)[0])
        if max(message.vertices) >= count:
            raise SuppleError(f"{body!r} has {count} vertices; {max(message.vertices)} is none of them.")
        vertices, _ = underlying_vertices(simulation, body, message.vertices, [1.0] * len(message.vertices))
        self.hands.release_client(client)
        pinned = set(simulation.pinned(body).tolist()) - self.hands.holds(body)
        self._history.toggle_pins(body, vertices, pinned)
        self._is_state_stale = True

    def _cut(self, client: int, message: protocol.Cut) -> None:
        self._edit(lambda: self._strokes.cut(self._carried_over(message)))

    def _sew(self, client: int, message: protocol.Sew) -> None:
        self._edit(lambda: self._strokes.sew(self._carried_over(message)))

    def _shrink(self, client: int, message: protocol.Shrink) -> None:
        self._edit(lambda: self._strokes.shrink(self._carried_over(message)))

    def _erase(self, client: int, message: protocol.Erase) -> None:
        self._edit(lambda: self._strokes.erase(self._carried_over(message)))

    def _carried_over(self, message: _Stroke) -> _Stroke:
        """Return what a stroke means on the bodies as they are: others may have been made while it waited."""
        return cast(_Stroke, self._earlier.carried_over(message, self._world))

    def _edit(self, edit: Callable[[], object]) -> None:
        """Make an edit; the pages see it with the next frame, whether the clock runs or not."""
        try:
            edit()
        finally:  # of several parts some may have been made
            self._look_for_edits()
            self._follow_edit()

    def _follow_edit(self) -> None:
        """Let hands and tools know the bodies as they are now: more may be asked before the next frame."""
        if self._packer.is_outdated() or self._is_resized():
            self.hands.forget()
            self._new_packer()
            self._is_state_stale = True

    def _is_resized(self) -> bool:
        """Tell whether pages are to know panels at other sizes: as soon as these have stayed the same for a moment."""
        assert self._simulation is not None
        if not self._packer.has_other_sizes():
            return False
        sizes, now = sizes_of(self._simulation), time.perf_counter()
        if sizes != self._sizes:
            self._sizes, self._resized = sizes, now
        return now - self._resized > RESIZED_SECONDS

    def _trace(self, client: int, message: protocol.Trace) -> None:
        assert self._simulation is not None
        if message.world == self._world:  # of an older one nobody wants to know any more
            self._output.tell(traced(self._strokes, self._simulation, message), client)

    def _measure(self, client: int, message: protocol.Measure) -> None:
        assert self._simulation is not None
        if message.world == self._world:
            self._output.tell(tape(self._simulation, message), client)

    def _save_pattern(self, client: int, message: protocol.SavePattern) -> None:
        assert self._simulation is not None
        self._output.tell(saved_pattern(self._simulation, message, self._record_folder), client)

    def _save_script(self, client: int, message: protocol.SaveScript) -> None:
        assert self._simulation is not None
        script = self._simulation.script
        name = write_script(script, self._record_folder, self.playlist.name)
        saved = protocol.ScriptSaved(name=name, entries=len(script.edits), is_complete=script.is_complete)
        self._output.tell(saved, client)

    def _set(self, client: int, message: protocol.Set) -> None:
        try:
            changed = self._history.change(message.name, message.value, time.perf_counter())
        except (SuppleError, ValueError):
            if message.name in self._history.values:  # let the page that asked show what still holds
                values = {message.name: self._history.values[message.name]}
                self._output.tell(protocol.Values(values=values), client)
            raise
        if changed:
            self._follow_edit()
            self._tell_values(changed)

    def _act(self, client: int, message: protocol.Act) -> None:
        assert self._simulation is not None
        action = self._actions.get(message.name)
        if action is None:
            raise SuppleError(f"there is no action called {message.name!r}.")
        if not self._questions.is_waiting(client, message.name):
            self._questions.ask(client, message.name, action.prepare(self._simulation))

    def _undo(self, client: int, message: protocol.Undo) -> None:
        self._edit(lambda: self._tell_values(self._history.undo()))

    def _redo(self, client: int, message: protocol.Redo) -> None:
        self._edit(lambda: self._tell_values(self._history.redo()))

    def _tell_values(self, names: dict[str, Any]) -> None:
        self._output.tell(protocol.Values(values={name: self._history.values[name] for name in names}))
        self._is_state_stale = True

    def _pause(self, client: int, message: protocol.Pause) -> None:
        self._is_paused = message.value
        self._has_failed = self._has_failed and message.value
        self._steps_due = 0
        self._is_state_stale = True

    def _set_speed(self, client: int, message: protocol.Speed) -> None:
        self._speed = message.value
        self._is_state_stale = True

    def _step(self, client: int, message: protocol.Step) -> None:
        self._is_paused = True
        self._steps_due = min(self._steps_due + 1, 100)
        self._is_state_stale = True

    def _reset(self, client: int, message: protocol.Reset) -> None:
        before = self._history
        self.hands.release_all()
        self._show(self.playlist.again())
        refusals = self._history.start_again(before)
        self._output.tell(self._declared())
        for refusal in refusals:
            self._output.tell(protocol.Problem(about=message.type, text=refusal))

    def _load(self, client: int, message: protocol.Load) -> None:
        try:
            simulation = self.playlist.load(message.scene, self._building)
        except BaseException:
            self._new_packer()  # pages may have seen the other one
            self._is_state_stale = True
            raise
        self.hands.release_all()
        self._show(simulation)

    def _building(self, scene: Scene) -> None:
        """Show a scene as it starts before it is built, which may take minutes where kernels are compiled."""
        self._output.tell(protocol.Compiling(stage="world", done=0, total=1, name=""))
        preview = Preview(scene)
        self._world += 1
        packer = Packer(preview, self._world, self.playlist.name)
        self._output.tell(self._state(preview))
        self._output.geometry(packer.geometry())
        self._output.frame(packer.frame(with_strain=False, is_compiled=False))
        if self._warmth is not None:
            self._warmth.wait_for(self.playlist.name)

    def _apply(self, client: int, message: protocol.Apply) -> None:
        shared = read_share(message.share)
        if shared.scene is not None and shared.scene != self.playlist.name:
            self._load(client, protocol.Load(scene=shared.scene))
        defaults = {name: parameter.value for name, parameter in self._parameters.items()}
        values = {}
        for name, value in shared.values.items():
            if name not in self._parameters:
                raise SuppleError(f"the link sets {name!r}, which this scene does not have.")
            values[name] = self._parameters[name].checked(value)
        refusals = self._history.restore_possible({**defaults, **values})
        self._tell_values(self._history.values)
        if refusals:
            raise SuppleError(" ".join(refusals))

    def _record(self, client: int, message: protocol.Recording) -> None:
        assert self._simulation is not None
        if message.value:
            self._recorder.start(self._simulation, self.playlist.name)
        else:
            self._recorder.end()
        self._is_state_stale = True

    # ------------------------------------------------------------------ telling

    def _declared(self) -> protocol.Parameters:
        return protocol.Parameters(
            parameters=tuple(
                parameter.declared(self._history.values[name]) for name, parameter in self._parameters.items()
            ),
            actions=tuple(action.declared() for action in self._actions.values()),
        )

    def _state(self, shown: Shown) -> protocol.State:
        pins = {body: tuple(shown.pinned(body).tolist()) for body in shown.body_names}
        undo, redo, values = "", "", {}
        if shown is self._simulation:
            for body in pins:
                held = self.hands.holds(body)
                pins[body] = tuple(vertex for vertex in pins[body] if vertex not in held)
            undo, redo, values = (
                self._history.undo_label,
                self._history.redo_label,
                self._history.changed_values(),
            )
        return protocol.State(
            scene=self.playlist.name,
            title=shown.scene.title or self.playlist.name,
            description=shown.scene.description,
            scenes=self.playlist.choices(),
            is_paused=self._is_paused,
            is_recording=self._recorder.is_running,
            clients=self._output.client_count,
            can_undo=bool(undo),
            can_redo=bool(redo),
            undo_label=undo,
            redo_label=redo,
            share=share_text(self.playlist.name, values),
            pins=pins,
            frame_rate=shown.frame_rate,
            speed=self._speed,
        )


_STROKES = protocol.Cut | protocol.Sew | protocol.Shrink | protocol.Erase
"""Commands that need kernels no scene needs."""

_HANDLERS: dict[type, Callable[[Player, int, Any], None]] = {
    Joined: Player._joined,
    Left: Player._left,
    protocol.Grab: Player._grab,
    protocol.Move: Player._move,
    protocol.Release: Player._release,
    protocol.Feel: Player._feel,
    protocol.TogglePin: Player._toggle_pin,
    protocol.Set: Player._set,
    protocol.Act: Player._act,
    protocol.Undo: Player._undo,
    protocol.Redo: Player._redo,
    protocol.Cut: Player._cut,
    protocol.Sew: Player._sew,
    protocol.Shrink: Player._shrink,
    protocol.Erase: Player._erase,
    protocol.Trace: Player._trace,
    protocol.Measure: Player._measure,
    protocol.SavePattern: Player._save_pattern,
    protocol.SaveScript: Player._save_script,
    protocol.Pause: Player._pause,
    protocol.Speed: Player._set_speed,
    protocol.Step: Player._step,
    protocol.Reset: Player._reset,
    protocol.Load: Player._load,
    protocol.Apply: Player._apply,
    protocol.Recording: Player._record,
}
