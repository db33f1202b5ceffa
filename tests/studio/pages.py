"""A stand-in for the page, and a small scene to show it."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import websockets

import supple
from supple.studio.connection import protocol


def sheet_scene(columns=8, **settings):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=columns, rows=columns, material="silk")
    return supple.Scene(
        sheet.pinned("top-left", "top-right"), title="A sheet", settings=supple.Settings(**settings)
    )


class Page:
    """Stands in for the page: speaks the protocol over a real socket."""

    def __init__(self, socket):
        self.socket = socket
        self.frames = []
        self.geometries = []
        self.words = []
        self.answers_frames = True

    async def say(self, type_, **fields):
        await self.socket.send(json.dumps({"type": type_, **fields}))

    async def hear(self, *, seconds=120.0):
        """Take the next message, acknowledging frames."""
        message = await asyncio.wait_for(self.socket.recv(), seconds)
        if isinstance(message, str):
            word = json.loads(message)
            self.words.append(word)
            return word
        kind = int.from_bytes(message[:4], "little")
        if kind == protocol.GEOMETRY:
            self.geometries.append(message)
        else:
            self.frames.append(message)
            if self.answers_frames:
                await self.say("ack", frame=int.from_bytes(message[8:12], "little"))
        return message

    async def until(self, condition, *, seconds=300.0):
        """Listen until a word fulfils the condition, and return that word."""
        async with asyncio.timeout(seconds):
            while True:
                word = await self.hear()
                if isinstance(word, dict) and condition(word):
                    return word

    async def of_type(self, type_, **fields):
        return await self.until(
            lambda word: word["type"] == type_ and all(word[key] == value for key, value in fields.items())
        )

    async def until_frame(self, condition, *, seconds=300.0):
        """Listen until a frame fulfils the condition."""
        async with asyncio.timeout(seconds):
            while not condition(self.frames[-1]):
                await self.more_frames(1)

    async def more_frames(self, count):
        goal = len(self.frames) + count
        while len(self.frames) < goal:
            await self.hear()


def address(studio):
    return f"ws://127.0.0.1:{studio.port}/socket"


async def open_page(studio, *, token="secret", version=protocol.VERSION, **options):
    socket = await websockets.connect(address(studio), max_size=None, compression=None, **options)
    page = Page(socket)
    await page.say("hello", version=version, token=token)
    return page


async def wait_for(condition, *, seconds=120.0):
    """Wait until something is true of the studio itself."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


def run(conversation):
    """Run a coroutine to its end, on a thread of its own: a browser test may hold a loop on this one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, conversation).result()


class KeptOutput:
    """An output that remembers every word."""

    wants_strain = False
    wants_pressure = False
    client_count = 0

    def __init__(self):
        self.words = []
        self.shapes = []
        self.frames = []

    def frame(self, message):
        self.frames.append(message)

    def geometry(self, message):
        self.shapes.append(message)

    def tell(self, message, client=None):
        self.words.append(message)
