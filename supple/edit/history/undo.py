"""Way back: edits are taken back and made again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from supple.edit.history.history import Snapshot, Step
from supple.edit.history.rejoin_pieces import found_in_field, lay_together
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.change import Change
from supple.edit.world.intersection_check import Tangled
from supple.errors import SuppleError
from supple.model.world import BodyRange


def undo(shop: Workshop) -> str:
    """Take the last edit back, and what followed from it; return what it was."""
    while shop.history.done and shop.history.done[-1].erased is not None:
        _go(shop, is_back=True, is_halfway=True)
    return _go(shop, is_back=True)


def redo(shop: Workshop) -> str:
    """Make the edit again that was taken back last; return what it was."""
    undone = shop.history.undone
    label = _go(shop, is_back=False, is_halfway=len(undone) > 1 and undone[-2].erased is not None)
    while shop.history.undone and shop.history.undone[-1].erased is not None:
        _go(shop, is_back=False)
    return label


def _go(shop: Workshop, *, is_back: bool, is_halfway: bool = False) -> str:
    """Go one step back or forward in the history, and return what it was; cloth need not be apart halfway."""
    if not (shop.history.done if is_back else shop.history.undone):
        raise SuppleError(f"there is nothing to {'undo' if is_back else 'redo'}.")
    with shop.tried():
        away, back = shop.history.done, shop.history.undone
        if not is_back:
            away, back = back, away
        step = away.pop()
        here, places = shop.snapshot(), shop.places()
        change = _carry_over(shop, step, here, is_back=is_back)
        back.append(Step(step.label, here, step.change, step.settings, step.erased, places))
        if not is_halfway:
            _part_or_go_back(shop, step, change)
        shop.follow(change)
    return step.label


def _carry_over(shop: Workshop, step: Step, here: Snapshot, *, is_back: bool) -> Change:
    """Give the world the bodies on the other side of a step, given those it has, and return the change."""
    change = step.change.reversed(shop.world.particles.masses) if is_back else step.change
    change = replace(change, keeps_pairs=False)  # couplings are found anew
    there = step.snapshot.whole(here)
    if is_back:
        parted = [name for name, own in here.levels.items() if there.levels.get(name) is not own]
        lay_together(shop.world, change, parted or _parted(here, there))
        change = found_in_field(shop.world, change, parted, there.rest_positions)
    there.restore(shop.world, change)
    if is_back and step.erased is not None:
        step.erased.revive(shop.world.particles)
    shop.fabrics, shop.ongoing = dict(there.fabrics), there.ongoing
    shop.owned.clear()
    return change


def _parted(here: Snapshot, there: Snapshot) -> list[str]:
    """Return the soft bodies of one level that are not made of the same number of elements and points on the other side."""

    def size(body: BodyRange) -> tuple[int, int]:
        points, elements = body.particles, body.tetrahedra
        return points.stop - points.start, elements.stop - elements.start

    return [
        name
        for name, body in here.bodies.items()
        if body.is_soft and (name not in there.bodies or size(there.bodies[name]) != size(body))
    ]


def _part_or_go_back(shop: Workshop, step: Step, change: Change) -> None:
    """Keep cloth apart after a step; where it is that cannot be, all goes back to where it was on that side of it."""
    # Soft bodies lie down anew as a whole, and what was erased comes back among what has come there since.
    is_local = step.erased is None and not any(body.is_soft for body in shop.world.bodies.values())
    with suppress(Tangled):
        shop.keep_apart(change if is_local else None)
        return
    if step.places is not None:
        step.places.take_up(shop.world.particles)
        shop.world.tetrahedra.turn_to(shop.world.particles.positions)
    shop.keep_apart()
