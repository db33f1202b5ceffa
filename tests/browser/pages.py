"""A real page in a real browser, and how to wait for what happens in it."""

from __future__ import annotations

import time

import numpy as np

import supple


def sheet_scene(columns=12, **settings):
    sheet = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=columns, rows=columns, material="silk", rotation_deg=(-40.0, 0.0, 0.0)
    )
    options = {
        "title": "A sheet",
        "description": "Swings from two corners and soon hangs still.",
        "drag": 4.0,
    }
    return supple.Scene(
        sheet.pinned("top-left", "top-right"), settings=supple.Settings(substeps=2, **settings), **options
    )


def watch_releases(studio):
    """Return a dictionary that fills with the velocity of every vertex at the moment it is let go."""
    simulation, released = studio.player.simulation, {}
    release = simulation.release

    def watched(body, vertex):
        released[vertex] = simulation.velocities(body)[vertex].copy()
        release(body, vertex)

    simulation.release = watched
    return released


def wait_for(condition, seconds=120.0):
    """Wait until something is true, and return it. Conditions that come over the socket are never asserted at once."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)
    return value


def hang_still(studio, body="cloth"):
    """Wait until a body hardly moves: then a place on the page is where it was a moment ago."""
    wait_for(
        lambda: (
            studio.player.simulation.frame > 20
            and np.abs(studio.player.simulation.velocities(body)).max() < 0.01
        )
    )


class StudioPage:
    """A tab on a studio. Console errors and unhandled rejections are kept in `complaints`."""

    def __init__(self, context, studio, *, query="quality=low", fragment="", scripts=()):
        self.tab = context.new_page()
        self.complaints = []
        self.tab.on("console", self._console)
        self.tab.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        for script in scripts:
            self.tab.add_init_script(**script)
        base, _, secret = studio.link.partition("#")
        self.tab.goto(f"{base}?{query}#{fragment or secret}")

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def ask(self, expression):
        return self.tab.evaluate(expression)

    def wait(self, expression, seconds=120.0):
        """Wait until an expression is true in the page.

        The page's content security policy forbids `eval`, and with it Playwright's own way to wait.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = self.ask(expression)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"never true: {expression}; problems: {self.ask('window.studio?.problems')}")

    def ready(self):
        """Wait until cloth is drawn."""
        self.wait(
            "Boolean(window.studio && studio.frame >= 1 && studio.state && studio.drawnFrames > 1)", 300.0
        )
        return self

    def more_frames(self, count=5):
        """Wait until so many more frames of the simulation have passed, and two pictures were drawn.

        A slow page shows old frames: this does not tell that something it just asked for has happened.
        """
        frame = self.wait("studio.frame + 1") - 1  # -1 while no frame of a new world has come
        drawn = self.ask("studio.drawnFrames")
        self.wait(f"studio.frame >= {frame + count} && studio.drawnFrames >= {drawn + 2}")

    def pause(self, studio):
        """Stop the clock, and wait until the page shows where it stopped."""
        if not self.ask("studio.state.is_paused"):
            self.tab.keyboard.press("Space")
        self.wait("studio.state.is_paused")  # told before the next frame, which is not taken any more
        self.wait(f"studio.frame === {studio.player.simulation.frame}")

    def vertex(self, index, body="cloth"):
        return self.ask(f"studio.vertex({body!r}, {index})")

    def screen(self, index, body="cloth"):
        return self.ask(f"studio.screen({body!r}, {index})")

    def close(self):
        self.tab.close()
