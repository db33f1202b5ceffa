"""What hands feel, told after every frame to the clients that want to know."""

from __future__ import annotations

import numpy as np

from supple.haptics.local_model import NOWHERE, LocalModel
from supple.haptics.touched_place import TouchedPlace
from supple.simulation import Simulation
from supple.studio.connection import protocol
from supple.studio.connection.player_output import PlayerOutput
from supple.studio.tools.hands import HandKey, Hands, Held


class Touches:
    """Follows the hands that want to feel, each with the place that it touches."""

    def __init__(self, output: PlayerOutput) -> None:
        """Start with no hand that feels."""
        self._output = output
        self._wanting: set[HandKey] = set()
        self._places: dict[HandKey, tuple[Held, TouchedPlace]] = {}

    def want(self, client: int, message: protocol.Feel) -> None:
        """Begin or end to tell a hand what it feels."""
        key = (client, message.hand)
        if message.value:
            self._wanting.add(key)
        else:
            self._wanting.discard(key)
            self._places.pop(key, None)

    def leave(self, client: int) -> None:
        """Forget the hands of a client."""
        self._wanting = {key for key in self._wanting if key[0] != client}
        self._places = {key: place for key, place in self._places.items() if key[0] != client}

    def forget(self) -> None:
        """Forget all places, as bodies have changed; hands that take hold again go on feeling."""
        self._places.clear()

    def tell(self, simulation: Simulation, hands: Hands) -> None:
        """Tell every hand that holds something what it felt in the frame just computed."""
        for key in sorted(self._wanting):
            held = hands.held_by(key)
            if held is None:
                self._places.pop(key, None)
                continue
            kept, place = self._places.get(key, (None, None))
            if place is None or kept is not held:
                place = _place_of(simulation, held)
                self._places[key] = held, place
            model = place.model() or LocalModel(NOWHERE, None, 0.0)
            x, y, z = np.nan_to_num(place.force(), posinf=0.0, neginf=0.0).tolist()
            message = protocol.Touch(
                hand=key[1],
                frame=simulation.frame,
                time=simulation.time,
                force=(x, y, z),
                point=model.point,
                normal=model.normal,
                stiffness=model.stiffness,
            )
            self._output.tell(message, key[0])


def _place_of(simulation: Simulation, held: Held) -> TouchedPlace:
    """Return the place that a hand touches with what it holds."""
    if held.solid is not None:
        return TouchedPlace.of_tool(simulation, held.solid.name)
    return TouchedPlace.of_hand(simulation, held.body, held.vertices)
