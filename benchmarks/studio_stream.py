"""What the studio costs: frames to the page, CPU of the server and of the page, time from hand to cloth.

    supple bench studio

The simulation is replaced by a wave that costs next to nothing, so that only the studio is measured.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from statistics import median
from typing import Any

import numpy as np
import websockets

import supple
from benchmarks.bars import Bar, Say, Section
from supple.report import Status, StepReport
from supple.studio.connection import protocol
from supple.studio.film.chromium import FLAGS, chromium_path
from supple.studio.play import Studio

SIDES = {"1 k": 32, "10 k": 100, "50 k": 224}
"""Points along a side of the sheet, by size."""

VIEWPORT: Any = {"width": 900, "height": 600}
"""Size of the page [pixels]."""

SECONDS = 4.0
"""How long each size is watched [s]."""

WARM_UP = 6.0
"""Time a page has to find out how much it can draw [s]."""


class Wave(supple.Simulation):
    """A sheet that waves without physics; grabs go where they are told at once."""

    own_seconds = 0.0
    """CPU that its steps have taken so far [s]: what the studio does beside them is what is measured."""

    def step(self) -> StepReport:
        """Move every point a little."""
        started, own = time.perf_counter(), time.thread_time()
        particles, kinematic = self.engine.world.particles, self.engine.kinematic
        rest = particles.rest_positions
        self.engine.frame += 1
        self.engine.time += self.frame_seconds
        particles.positions[:, 2] = rest[:, 2] + 0.1 * math.sin(3.0 * self.time) * np.cos(4.0 * rest[:, 0])
        kinematic.begin_frame()
        kinematic.place(1.0, self.time, particles.positions)
        spent = 1e3 * (time.perf_counter() - started)
        self.own_seconds += time.thread_time() - own
        return StepReport(
            time=self.time, frame=self.frame, milliseconds=spent, stage_milliseconds={"wave": spent}, substeps=1,
            iterations=0, max_stretch=1.0, linear_momentum=(0.0, 0.0, 0.0), angular_momentum=(0.0, 0.0, 0.0),
            kinetic_energy=0.0, potential_energy=0.0, contacts=0, self_contacts=0, is_finite=True, deadline_kept=True,
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
        wave = studio.player.simulation
        assert isinstance(wave, Wave)
        own, before = wave.own_seconds, {name: _cpu(thread) for name, thread in threads.items()}
        started, count = time.perf_counter(), 0
        while time.perf_counter() - started < SECONDS:
            await next_frame()
            count += 1
        elapsed = time.perf_counter() - started
        spent = {name: 1e3 * (_cpu(thread) - before[name]) / count for name, thread in threads.items()}
        spent["player"] -= 1e3 * (wave.own_seconds - own) / count

        grab = {"type": "grab", "hand": 0, "body": "cloth", "vertices": [5], "weights": [1.0]}
        await socket.send(json.dumps({**grab, "target": [0.0, 1.0, 0.0], "time": 0.0}))
        delays = []
        chance = random.Random(0)
        for n in range(1, 41):
            # At any moment of a frame: a hand knows nothing of the simulation's clock.
            await asyncio.sleep(chance.uniform(0.0, 0.02))
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


# ---------------------------------------------------------------- with a browser

_LATENCY = """
async () => {
  const view = document.getElementById("view");
  const isThere = () => {
    const [x, y, z] = studio.vertex("cloth", %(vertex)d), hand = studio.hand;
    return Math.hypot(x - hand[0], y - hand[1], z - hand[2]) < 0.01;
  };
  const delays = [];
  for (let n = 0; n < 40; n++) {
    // From the moment the browser was told of the motion, not from when it tells the page.
    const moved = await new Promise((resolve) =>
      view.addEventListener("pointerrawupdate", (event) => resolve(event.timeStamp), { once: true }));
    await new Promise((resolve) => {
      const look = () => (isThere() ? resolve() : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });
    delays.push(performance.now() - moved);
  }
  return delays;
}
"""


def _in_browser(studio: Studio, tab: Any) -> dict[str, float]:
    """Return the time of the page's main thread for a drawn frame and of its worker for a streamed one [ms]."""
    address, secret = studio.link.split("#")
    tab.goto(f"{address}?quality=low#{secret}")
    while not tab.evaluate("Boolean(window.studio && studio.frame > 20)"):
        time.sleep(0.1)
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> dict[str, float]:
        return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}

    figures = "[studio.drawnFrames, studio.frame, studio.feedMilliseconds]"
    time.sleep(WARM_UP)
    before, frames = busy(), tab.evaluate(figures)
    time.sleep(SECONDS)
    after, later = busy(), tab.evaluate(figures)
    drawn, streamed, spent = (max(1e-9, b - a) for a, b in zip(frames, later, strict=True))
    return {
        "page": 1e3 * (after["TaskDuration"] - before["TaskDuration"]) / drawn,
        "worker": spent / streamed,
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
    chance = random.Random(0)
    tab.evaluate(f"void (window.delays = ({_LATENCY % {'vertex': vertex}})())")
    for n in range(1, 400):
        tab.mouse.move(x + 40 * math.sin(n / 5), y + 30 * math.cos(n / 5))
        time.sleep(chance.uniform(0.08, 0.12))
        if n % 10 == 0 and tab.evaluate("Promise.race([delays.then(() => true), false])"):
            break
    tab.mouse.up()
    return float(median(tab.evaluate("delays")))


def studio_stream(say: Say) -> Section:
    """Measure the studio at three sizes."""
    notes = [
        "Server: CPU to pack, send and hear, without the simulation. Page: CPU of its main thread for a drawn frame. "
        "Worker: time beside it for a streamed frame. The graphics driver's own work is in neither."
    ]
    browser = chromium_path()
    pages: dict[str, dict[str, float]] = {}
    latency = math.nan
    if browser is None:
        notes.append("No Chromium was found: the page was not measured.")
    else:
        pages, latency = _measured_pages(browser, say)
        notes.append(
            f"The page was drawn in software (SwiftShader), {VIEWPORT['width']} x {VIEWPORT['height']}: frames/s drawn and "
            "hand to drawn cloth are mostly its doing."
        )
    rows, streams = [], {}
    for name, side in SIDES.items():
        say(f"stream, {name} points")
        with Studio(waving(side), port=0) as studio:
            found = asyncio.run(_watched(studio))
        page = pages.get(name, {})
        found["cpu"] = found["server"] + found["player"]
        streams[name] = found
        rows.append(
            (name, found["rate"], found["bytes"] / 1e3, found["cpu"], found["delay"], page.get("page", math.nan),
             page.get("worker", math.nan), page.get("drawn", math.nan))
        )  # fmt: skip
    bars = _bars(streams, pages, latency)
    return Section(title="The studio", columns=COLUMNS, rows=tuple(rows), bars=bars, notes=tuple(notes))


def _measured_pages(browser_path: str, say: Say) -> tuple[dict[str, dict[str, float]], float]:
    """Return what the page took at every size, and the time from hand to drawn cloth at 10 k points [ms]."""
    from playwright.sync_api import sync_playwright

    pages, latency = {}, math.nan
    with sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if flag != "--headless"]
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        for name, side in SIDES.items():
            say(f"page, {name} points")
            with Studio(waving(side), port=0) as studio:
                tab = browser.new_page(viewport=VIEWPORT)
                pages[name] = _in_browser(studio, tab)
                if name == "10 k":
                    latency = _grab_latency(studio, tab, 50 * side + 50)
                tab.close()
        browser.close()
    return pages, latency


COLUMNS = (
    "points",
    "frames/s sent",
    "kB",
    "server ms",
    "hand to frame ms",
    "page ms",
    "worker ms",
    "frames/s drawn",
)


def _bars(
    streams: dict[str, dict[str, float]], pages: dict[str, dict[str, float]], latency: float
) -> tuple[Bar, ...]:
    stream = streams["10 k"]
    rate = Bar(name="frames/s sent at 10 k", measured=stream["rate"], rule="at least", limit=49.0)
    times = [("server CPU at 10 k", stream["cpu"], 1.0), ("hand to frame at 10 k", stream["delay"], 40.0)]
    if pages:
        times += [
            ("page CPU at 10 k", pages["10 k"]["page"], 4.0),
            ("page CPU at 50 k", pages["50 k"]["page"], 10.0),
            ("hand to drawn cloth at 10 k", latency, 40.0),
        ]
    return (
        rate,
        *(
            Bar(name=name, measured=measured, rule="at most", limit=limit, unit="ms")
            for name, measured, limit in times
        ),
    )
