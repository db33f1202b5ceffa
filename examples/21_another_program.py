"""A second program beside the studio: it sees every frame, takes the cloth by a corner and swings it.

Start `supple play hanging-sheet` and pass the link that it prints; without one, this starts a studio of its own.
"""

import math
import sys

import supple
from supple.studio.client import StudioClient


def swing(link: str, frames: int) -> float:
    """Swing the first point of the first body for some frames; return how far it came from the start [m]."""
    with StudioClient(link) as client:
        body = next(iter(client.bodies))
        print(f"connected to {client.state.title!r}: {', '.join(client.bodies)}")
        start = client.frame().positions[body][-1]
        farthest = 0.0
        client.grab(body, vertex=len(client.frame().positions[body]) - 1, target=tuple(map(float, start)))
        for frame in client.frames(frames):
            angle = 2.0 * math.pi * frame.time
            x, y, z = map(float, start)
            client.move((x, y, z + 0.3 * math.sin(angle)))
            farthest = max(farthest, abs(float(frame.positions[body][-1][2] - z)))
        client.release()
    return farthest


def main(frames: int = 200) -> float:
    """Connect to the link given on the command line, or to a studio started here."""
    if len(sys.argv) > 1 and sys.argv[1].startswith("http"):
        return swing(sys.argv[1], frames)
    sheet = supple.Cloth.rectangle(width=0.6, height=0.6, columns=12, rows=12, name="sheet")
    scene = supple.Scene(sheet.pinned("top"), title="A sheet to be swung")
    studio = supple.play(scene, port=0, blocking=False, open_browser=False)
    try:
        return swing(studio.link, frames)
    finally:
        studio.stop()


if __name__ == "__main__":
    print(f"swung by {main():.2f} m")
