"""What has moved in this file, whoever moved it: local commits, other processes' datagrams, and a slow look.

Every commit that moves a log has the next number in the file. Hints that came with their number are passed on
as they are; when a look at the file shows a number nobody told us about, watchers hear `None`.
"""

from stateroom.stores.hints import Watchers
from stateroom.stores.sqlite.ledger import Move

LOOK_S = 0.125
"""Seconds between looks where datagrams wake us. A number gets one more look to arrive before it counts as missed."""
LOOK_UNAIDED_S = 0.025
"""Seconds between looks where there are no datagrams, and looking is the only way to hear of others."""


class Lookout:
    """Lives in the loop, so it needs no lock."""

    def __init__(self, moves: int, aided: bool) -> None:
        """`moves` is the file's number now; `aided` says whether datagrams arrive."""
        self.watchers = Watchers()
        self.look_every_s = LOOK_S if aided else LOOK_UNAIDED_S
        self._aided = aided
        self._heard: set[int] = set()
        self._settled = moves
        self._seen = moves

    def hear(self, move: Move) -> None:
        """A commit of ours, or one we were told about."""
        self._heard.add(move.number)
        self.watchers.announce([None] if move.hints is None else move.hints)

    def look(self, moves: int) -> None:
        """The file says it is at number `moves`: every number up to the last look must have been heard by now."""
        due = self._seen if self._aided else moves
        self._seen = moves
        if any(number not in self._heard for number in range(self._settled + 1, due + 1)):
            self.watchers.announce([None])
        self._settled = max(self._settled, due)
        self._heard = {number for number in self._heard if number > self._settled}
