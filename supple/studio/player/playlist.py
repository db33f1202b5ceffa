"""The scenes a studio offers, and which one plays."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from supple.collide.obstacles.solid_arrays import Progress
from supple.collide.untangle.untangle import Untangled
from supple.errors import SuppleError
from supple.scene.error_messages import listed, suggestion
from supple.scene.files.toml_reader import GALLERY, find_scene, gallery_names
from supple.scene.scene import Scene
from supple.scene.timeline.script import Script
from supple.simulation import Simulation
from supple.studio.connection.protocol import SceneChoice


class Playlist:
    """What was asked for at the start, and the gallery.

    A page chooses by name among these; it can never make the server read another file.
    """

    def __init__(
        self,
        subject: Simulation | Scene | str,
        progress: Progress | None = None,
        untangled: Untangled | None = None,
        script: Script | None = None,
    ) -> None:
        """Take the first thing to show; nothing is read or built yet.

        Args:
            subject: a simulation, a scene, or the name of a scene in the gallery or of a file
            progress: called with the name of a mesh obstacle and the share of its distance map that is built
            untangled: called while an intersected start is untangled, with the edges that are free again and
                with all that were not
            script: what is done to the first thing shown, every time it starts
        """
        self._script = script
        self._subject = subject
        self._told: dict[str, Any] = {"progress": progress, "untangled": untangled}
        self._own: tuple[str, str | Scene] | None = None
        self._scene: Scene | None = None
        self._settings: dict[str, Any] = {}
        self.name = "scene"
        """Name of what plays."""

        self._first_name = ""

    def first(self, building: Callable[[Scene], None]) -> Simulation:
        """Build what was asked for at the start; `building` is given its scene before, if there is anything to build."""
        subject = self._subject
        if isinstance(subject, Simulation):
            simulation = subject
            self._settings = simulation.settings.fields()
            self._told["threads"] = simulation.engine.asked_threads
            self.name = "my scene"
            self._own = (self.name, simulation.scene)
        else:
            if isinstance(subject, Scene):
                scene, self.name = subject, "my scene"
                self._own = (self.name, scene)
            else:
                scene, self.name = find_scene(subject), Path(subject).stem
                if subject not in gallery_names():
                    if self.name in gallery_names():
                        self.name += " (file)"
                    self._own = (self.name, subject)
            building(scene)
            simulation = Simulation(scene, **self._told)
        self._scene = simulation.scene
        self._first_name = self.name
        return self._scripted(simulation)

    def again(self) -> Simulation:
        """Build what plays once more, from its start."""
        assert self._scene is not None
        return self._scripted(Simulation(self._scene, **self._told, **self._settings))

    def _scripted(self, simulation: Simulation) -> Simulation:
        if self._script is not None and self.name == self._first_name:
            simulation.replay(self._script)
        return simulation

    def load(self, name: str, building: Callable[[Scene], None]) -> Simulation:
        """Build another scene; `building` is given it once it is clear that there is one.

        Raises:
            SuppleError: if it is not offered, or its file has mistakes
        """
        offered = [choice.name for choice in self.choices()]
        if name not in offered:
            raise SuppleError(
                f"there is no scene {name!r}. Scenes: {listed(offered, most=60)}.{suggestion(name, offered)}"
            )
        settings: dict[str, Any] = {}
        if self._own is not None and name == self._own[0]:
            source = self._own[1]
            scene = source if isinstance(source, Scene) else find_scene(source)
            if isinstance(self._subject, Simulation):
                settings = self._subject.settings.fields()
        else:
            scene = find_scene(name)
        before, self.name = self.name, name
        try:
            building(scene)
            simulation = Simulation(scene, **self._told, **settings)
        except BaseException:
            self.name = before
            raise
        self._scene, self._settings = scene, settings
        return self._scripted(simulation)

    def file(self) -> Path | None:
        """Return the file that what plays was read from; None if it was made in Python."""
        if self._own is not None and self.name == self._own[0]:
            source = self._own[1]
            return None if isinstance(source, Scene) else Path(source)
        return GALLERY / f"{self.name}.toml" if self.name in gallery_names() else None

    def choices(self) -> tuple[SceneChoice, ...]:
        """Return every scene offered."""
        own = (
            ()
            if self._own is None
            else (
                SceneChoice(name=self._own[0], title=_own_title(self._own[1]), group="Yours", picture=None),
            )
        )
        return (*own, *(_gallery_choice(name, group) for name, group in _gallery_groups().items()))


_TOLD: dict[str, tuple[str, str]] = {}
"""Title and paper of the gallery's scenes, once read."""


@functools.cache
def _gallery_groups() -> dict[str, str]:
    """Return the heading of every scene of the gallery, in the order to show."""
    groups = json.loads((GALLERY / "groups.json").read_text(encoding="utf-8"))
    listed = {name: group for group, names in groups.items() for name in names}
    return {**listed, **{name: "More" for name in gallery_names() if name not in listed}}


def _gallery_choice(name: str, group: str) -> SceneChoice:
    if name not in _TOLD:
        with (GALLERY / f"{name}.toml").open("rb") as file:
            document = tomllib.load(file)
        _TOLD[name] = str(document.get("title", name)), str(document.get("paper", ""))
    title, paper = _TOLD[name]
    picture = f"/gallery/{name}.png" if (GALLERY / f"{name}.png").is_file() else None
    return SceneChoice(name=name, title=title, group=group, picture=picture, paper=paper)


def _own_title(source: str | Scene) -> str:
    if isinstance(source, Scene):
        return source.title or "The scene it was started with"
    return Path(source).name
