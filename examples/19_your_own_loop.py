"""Cloth in a loop of your own, drawn by pygame: the mouse takes it, and the window decides when a frame is due."""

import os

import numpy as np
import pygame

import supple

SIZE, SCALE = (640, 480), 320.0  # pixels; pixels for each metre
MIDDLE, TOP = SIZE[0] / 2, SIZE[1] / 5


def on_screen(points: np.ndarray) -> np.ndarray:
    """Return where points [m] are in the window [pixels]."""
    return np.column_stack([MIDDLE + SCALE * points[:, 0], TOP - SCALE * points[:, 1]])


def main(frames: int | None = None) -> float:
    """Run for so many frames, or until the window is closed; return the lowest point [m]."""
    if frames is not None:
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # no window: for tests
    sheet = supple.Cloth.rectangle(width=0.8, height=0.8, columns=16, rows=16, material="silk", name="sheet")
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right"), drag=0.5))
    lines = simulation.edges("sheet")

    pygame.display.init()
    window, clock, held = pygame.display.set_mode(SIZE), pygame.time.Clock(), None
    while frames is None or simulation.frame < frames:
        points = simulation.positions("sheet")
        events = pygame.event.get()
        if any(event.type == pygame.QUIT for event in events):
            break
        for event in events:
            if event.type == pygame.MOUSEBUTTONDOWN:
                held = int(np.linalg.norm(on_screen(points) - event.pos, axis=1).argmin())
            elif event.type == pygame.MOUSEBUTTONUP and held is not None:
                simulation.release("sheet", vertex=held)
                held = None
        if held is not None:
            x, y = pygame.mouse.get_pos()
            place = ((x - MIDDLE) / SCALE, (TOP - y) / SCALE, points[held, 2])
            simulation.grab("sheet", vertex=held, target=place)

        simulation.step()  # a frame of 20 ms; the clock below keeps it in step with real time

        window.fill("white")
        places = on_screen(simulation.positions("sheet"))
        for a, b in lines:
            pygame.draw.line(window, "firebrick", places[a], places[b])
        pygame.display.flip()
        clock.tick(50 if frames is None else 0)
    pygame.quit()
    return float(simulation.positions("sheet")[:, 1].min())


if __name__ == "__main__":
    main()
