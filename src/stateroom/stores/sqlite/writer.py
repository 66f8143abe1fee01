"""The one thread of a process that writes. Everything queued while the last commit ran shares the next one."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from stateroom.log.seam import Conflict
from stateroom.stores.sqlite.file import unavailable
from stateroom.stores.sqlite.ledger import Ledger, Move
from stateroom.stores.sqlite.peers import Peers
from stateroom.stores.sqlite.worker import Job, settle


class Writer:
    """What the writing thread does with a batch."""

    def __init__(
        self, db: apsw.Connection, ledger: Ledger, path: Path, peers: Peers, moved: Callable[[Move], None]
    ) -> None:
        """`moved` is called in the loop, after those who asked have been answered."""
        self._db = db
        self._ledger = ledger
        self._path = path
        self._peers = peers
        self._moved = moved

    def perform(self, jobs: list[Job]) -> Callable[[], None]:
        """One transaction for all jobs. Afterwards other processes are told, and the loop is given the outcomes."""
        try:
            outcomes, move = self._transact(jobs)
        except apsw.Error as error:
            return partial(settle, jobs, [unavailable(error, self._path) for _ in jobs])
        if move:
            self._peers.tell(move)
        return partial(self._finish, jobs, outcomes, move)

    def _transact(self, jobs: list[Job]) -> tuple[list[object], Move | None]:
        committed = False
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._ledger.begin()
            outcomes = [_outcome(job.action) for job in jobs]
            move = self._ledger.close_batch()
            self._db.execute("COMMIT")
            committed = True
            return outcomes, move
        finally:
            if not committed:
                self._undo()

    def _undo(self) -> None:
        self._ledger.forget()
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _finish(self, jobs: list[Job], outcomes: list[object], move: Move | None) -> None:
        settle(jobs, outcomes)
        if move:
            self._moved(move)


def _outcome(action: Callable[[], Any]) -> object:
    """A conflict is one caller's answer, not a failure of the batch."""
    try:
        return action()
    except Conflict as conflict:
        return conflict
