"""Old shapes of stored events, lifted to the newest on the way in. What is stored is never rewritten.

A lift takes the facts of one (event name, version) and returns (event name, version, facts) one step newer.
"""

from collections.abc import Callable, Mapping
from typing import Any

Facts = dict[str, Any]
Lift = Callable[[Facts], tuple[str, int, Facts]]

LIFTS: Mapping[tuple[str, int], Lift] = {}


def lift(
    name: str, version: int, facts: Facts, lifts: Mapping[tuple[str, int], Lift] = LIFTS
) -> tuple[str, int, Facts]:
    """The newest form of a stored event."""
    while (step := lifts.get((name, version))) is not None:
        name, version, facts = step(facts)
    return name, version, facts
