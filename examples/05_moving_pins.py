"""Draw a curtain: pins that follow a path of keyframes.

A path tells where pinned points are, seen from where they started. `smooth=True` eases in
and out of every keyframe.
"""

import supple

OPEN, CLOSED = 1.5, 0.6  # m, width of the upper edge before and after


def drawn(share: float) -> supple.Path:
    """Return the path of the pin that starts at `share` of the way from the middle to the edge."""
    inwards = -0.5 * share * (OPEN - CLOSED)
    fold = 0.1 if round(4 * share) % 2 else -0.1  # pleats: every other pin to the front
    return supple.Path(
        keyframes=(
            supple.Keyframe(time=0.2),
            supple.Keyframe(time=1.7, offset=(inwards, 0.0, fold)),
        ),
        smooth=True,
    )


def main() -> tuple[float, float]:
    """Return the width of the lower edge before and after [m]."""
    curtain = supple.Cloth.rectangle(
        width=OPEN, height=1.2, columns=41, rows=25, material="wool", name="curtain"
    )
    for n in range(9):
        curtain = curtain.pinned(5 * n, path=drawn((n - 4) / 4))
    simulation = supple.Simulation(supple.Scene(curtain, drag=1.0))

    bottom = simulation.positions("curtain")[-41:, 0]  # a live view of the lowest row
    before = float(bottom.max() - bottom.min())
    for _ in simulation.run(seconds=3.0):
        pass
    after = float(bottom.max() - bottom.min())
    print(f"lower edge {before:.2f} m wide, then {after:.2f} m")
    return before, after


if __name__ == "__main__":
    main()
