"""What the studio costs: frames to the page, CPU of the server and of the page, time from hand to cloth.

    python -m benchmarks.studio_stream

The simulation is replaced by a wave that costs next to nothing, so that only the studio is measured.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time
from statistics import median
from typing import Any

import numpy as np
import websockets
from rich.console import Console

import supple
from benchmarks.bars import Bar, Say, Section
from supple.report import Status, StepReport
from supple.studio import protocol
from supple.studio.chromium import FLAGS, chromium_path
from supple.studio.play import Studio

SIDES = {"1 k": 32, "10 k": 100, "50 k": 224}
"""Points along a side of the sheet, by size."""

SECONDS = 4.0
"""How long each size is watched [s]."""


class Wave(supple.Simulation):
    """A sheet that waves without physics; grabs go where they are told at once."""

    def step(self) -> StepReport:
        """Move every point a little."""
        started = time.perf_counter()
        particles = self._world.particles
        rest = particles.rest_positions
        self.frame += 1
        self.time += self.frame_seconds
        particles.positions[:, 2] = rest[:, 2] + 0.1 * math.sin(3.0 * self.time) * np.cos(4.0 * rest[:, 0])
        self._holds.begin_frame()
        self._holds.place(1.0, self.time, particles.positions)
        spent = 1e3 * (time.perf_counter() - started)
        return StepReport(
            time=self.time, frame=self.frame, milliseconds=spent, stage_milliseconds={"wave": spent}, substeps=1,
            iterations=0, max_stretch=1.0, linear_momentum=(0.0, 0.0, 0.0), angular_momentum=(0.0, 0.0, 0.0),
            kinetic_energy=0.0, potential_energy=0.0, contacts=0, is_finite=True, deadline_kept=True,
            status=Status.OK, worst_particle=0,
        )  # fmt: skip


def waving(side: int) -> Wave:
    """Return a sheet of side x side points."""
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=side, rows=side)
    return Wave(supple.Scene(sheet.pinned("top-left", "top-right")), integrator="explicit")


def _cpu(thread: Any) -> float:
    """Return the CPU time a thread has used [s]."""
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


# ---------------------------------------------------------------- without a browser


async def _watched(studio: Studio) -> dict[str, float]:
    """Watch the stream as a page would, and return its rate, the server's CPU and the delay of a hand."""
    address, secret = studio.link.split("/#token=")
    async with websockets.connect(
        address.replace("http", "ws") + "/socket", max_size=None, compression=None
    ) as socket:
        hello = {"type": "hello", "version": protocol.VERSION, "token": secret}
        await socket.send(json.dumps(hello))

        async def next_frame() -> bytes:
            while True:
                message = await socket.recv()
                if isinstance(message, bytes) and message[0] == protocol.FRAME:
                    await socket.send('{"type":"ack","frame":1}')
                    return message

        for _ in range(20):
            await next_frame()
        threads = {"server": studio._thread, "player": studio.player._thread}
        before = {name: _cpu(thread) for name, thread in threads.items()}
        started, count = time.perf_counter(), 0
        while time.perf_counter() - started < SECONDS:
            await next_frame()
            count += 1
        elapsed = time.perf_counter() - started
        spent = {name: 1e3 * (_cpu(thread) - before[name]) / count for name, thread in threads.items()}

        grab = {"type": "grab", "hand": 0, "body": "cloth", "vertices": [5], "weights": [1.0]}
        await socket.send(json.dumps({**grab, "target": [0.0, 1.0, 0.0], "time": 0.0}))
        delays = []
        for n in range(1, 26):
            await asyncio.sleep(0.013)
            target = [0.0, 1.0 + 0.05 * n, 0.0]
            sent = time.perf_counter()
            await socket.send(json.dumps({"type": "move", "hand": 0, "target": target, "time": float(n)}))
            while True:
                frame = await next_frame()
                box = np.frombuffer(frame, "<f4", 4, 32)
                height = box[1] + np.frombuffer(frame, "<i2", 1, 48 + 8 * 5 + 2)[0] * (box[3] / 32767)
                if abs(height - target[1]) < 0.01:
                    break
            delays.append(1e3 * (time.perf_counter() - sent))
    return {"rate": count / elapsed, "bytes": len(frame), "delay": median(delays), **spent}


def _wave_milliseconds(side: int) -> float:
    """Return the CPU a step of the stand-in takes [ms]."""
    wave = waving(side)
    wave.step()
    started = time.thread_time()
    for _ in range(30):
        wave.step()
    return 1e3 * (time.thread_time() - started) / 30


# ---------------------------------------------------------------- with a browser

_LATENCY = """
async () => {
  const view = document.getElementById("view");
  const delays = [];
  const [x, y] = studio.screen("cloth", %(vertex)d);
  for (let n = 0; n < 20; n++) {
    const stamp = await new Promise((resolve) =>
      view.addEventListener("pointermove", () => resolve(performance.now()), { once: true }));
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    await new Promise((resolve) => {
      const isThere = () => far(studio.vertex("cloth", %(vertex)d), studio.hand) < 0.01;
      const look = () => (isThere() ? resolve() : requestAnimationFrame(look));
      look();
    });
    delays.push(performance.now() - stamp);
  }
  return delays;
}
"""


def _in_browser(studio: Studio, tab: Any) -> dict[str, float]:
    """Return the page's main-thread time a frame [ms] and its rate."""
    address, secret = studio.link.split("#")
    tab.goto(f"{address}?quality=low#{secret}")
    while not tab.evaluate("Boolean(window.studio && studio.frame > 20)"):
        time.sleep(0.1)
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> dict[str, float]:
        return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}

    before, frames = busy(), tab.evaluate("[studio.drawnFrames, studio.updateMilliseconds]")
    time.sleep(SECONDS)
    after, later = busy(), tab.evaluate("[studio.drawnFrames, studio.updateMilliseconds]")
    drawn = max(1, later[0] - frames[0])
    return {
        "page": 1e3 * (after["TaskDuration"] - before["TaskDuration"]) / drawn,
        "update": (later[1] - frames[1]) / drawn,
        "drawn": drawn / SECONDS,
    }


def _grab_latency(studio: Studio, tab: Any, vertex: int) -> float:
    """Return the median time from a pointer event to the drawn cloth [ms]."""
    x, y = tab.evaluate(f"studio.screen('cloth', {vertex})")
    tab.keyboard.press("Space")
    while not tab.evaluate("studio.state.is_paused"):
        time.sleep(0.05)
    time.sleep(0.5)
    x, y = tab.evaluate(f"studio.screen('cloth', {vertex})")
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.keyboard.press("Space")
    time.sleep(0.5)
    tab.evaluate(f"void (window.delays = ({_LATENCY % {'vertex': vertex}})())")
    for n in range(1, 400):
        tab.mouse.move(x + 40 * math.sin(n / 5), y + 30 * math.cos(n / 5))
        time.sleep(0.08)
        if n % 10 == 0 and tab.evaluate("Promise.race([delays.then(() => true), false])"):
            break
    tab.mouse.up()
    return median(tab.evaluate("delays"))


def studio_stream(say: Say) -> Section:
    """Measure the studio at three sizes."""
    rows, measured = [], {}
    browser_path = chromium_path()
    notes = [
        "Server CPU: packing and sending, without the simulation. Page CPU: its main thread, without the driver."
    ]
    pages: dict[str, dict[str, float]] = {}
    latency = math.nan
    if browser_path is None:
        notes.append("No Chromium was found: the page was not measured.")
    else:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            flags = [flag for flag in FLAGS if flag != "--headless"]
            browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
            for name, side in SIDES.items():
                say(f"page, {name} points")
                with Studio(waving(side), port=0) as studio:
                    tab = browser.new_page(viewport={"width": 900, "height": 600})
                    pages[name] = _in_browser(studio, tab)
                    if name == "10 k":
                        latency = _grab_latency(studio, tab, 50 * side + 50)
                    tab.close()
            browser.close()
        notes.append(
            "The page was drawn in software (SwiftShader), which slows its frames and the hand's delay."
        )
    for name, side in SIDES.items():
        say(f"stream, {name} points")
        own = _wave_milliseconds(side)
        with Studio(waving(side), port=0) as studio:
            found = asyncio.run(_watched(studio))
        page = pages.get(name, {})
        found["cpu"] = found["server"] + max(0.0, found["player"] - own)
        measured[name] = found
        rows.append(
            (name, found["rate"], found["bytes"] / 1e3, found["cpu"], found["delay"], page.get("update", math.nan),
             page.get("page", math.nan), page.get("drawn", math.nan))
        )  # fmt: skip
    columns = (
        "points",
        "frames/s sent",
        "kB",
        "server ms",
        "hand to frame ms",
        "page update ms",
        "page ms",
        "frames/s drawn",
    )
    bars = [
        Bar(name="frames/s sent at 10 k", measured=measured["10 k"]["rate"], rule="at least", limit=49.0),
        Bar(
            name="server CPU at 10 k", measured=measured["10 k"]["cpu"], rule="at most", limit=1.0, unit="ms"
        ),
        Bar(
            name="hand to frame at 10 k",
            measured=measured["10 k"]["delay"],
            rule="at most",
            limit=40.0,
            unit="ms",
        ),
    ]
    if pages:
        bars += [
            Bar(
                name="page CPU at 10 k", measured=pages["10 k"]["page"], rule="at most", limit=4.0, unit="ms"
            ),
            Bar(
                name="page CPU at 50 k", measured=pages["50 k"]["page"], rule="at most", limit=10.0, unit="ms"
            ),
            Bar(name="hand to drawn cloth at 10 k", measured=latency, rule="at most", limit=40.0, unit="ms"),
        ]
    return Section(
        title="The studio", columns=columns, rows=tuple(rows), bars=tuple(bars), notes=tuple(notes)
    )


if __name__ == "__main__":
    section = studio_stream(lambda line: print(line, file=sys.stderr))
    Console().print_json(json.dumps(section.as_dict()))
