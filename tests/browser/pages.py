"""A real page in a real browser, and how to wait for what happens in it."""

from __future__ import annotations

import time

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

    def wait(self, expression, seconds=60.0):
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
            "Boolean(window.studio && studio.frame >= 1 && studio.state && studio.drawnFrames > 1)", 120.0
        )
        return self

    def more_frames(self, count=5):
        goal = self.ask("studio.frame") + count
        self.wait(f"studio.frame >= {goal}")

    def vertex(self, index, body="cloth"):
        return self.ask(f"studio.vertex({body!r}, {index})")

    def screen(self, index, body="cloth"):
        return self.ask(f"studio.screen({body!r}, {index})")

    def close(self):
        self.tab.close()
