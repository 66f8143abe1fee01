"""One opened file: two connections, a thread for each, the other processes, and the lookout."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import apsw

from stateroom.stores.sqlite.file import Synchronous, check_engine, connect, prepare, unavailable
from stateroom.stores.sqlite.ledger import Ledger, moves
from stateroom.stores.sqlite.lookout import Lookout
from stateroom.stores.sqlite.peers import Peers
from stateroom.stores.sqlite.schema import migrate
from stateroom.stores.sqlite.worker import Job, Worker, settle
from stateroom.stores.sqlite.writer import Writer

T = TypeVar("T")


class Session:
    """From `open` to `close`. Lives in one loop; only the actions it is given run in its threads."""

    def __init__(self, path: Path, writing: apsw.Connection, reading: apsw.Connection, moved: int) -> None:
        """`moved` is the file's number of moves at the time of opening."""
        self._path = path
        self._writing, self._reading = writing, reading
        self._peers = Peers(path)
        self.lookout = Lookout(moved, aided=self._peers.open())
        self._peers.listen(self.lookout.hear)
        self.ledger = Ledger(writing)
        writer = Writer(writing, self.ledger, path, self._peers, self.lookout.hear)
        self._writer = Worker("stateroom-writer", writer.perform)
        self._reader = Worker("stateroom-reader", self._answer)
        self._closing = False
        self._timer = self._look_later()

    @classmethod
    async def open(cls, path: Path, synchronous: Synchronous) -> "Session":
        """Raises Unavailable with a sentence that says what to do."""
        return cls(path, *await asyncio.to_thread(_connect, path, synchronous))

    async def close(self) -> None:
        """Finish what was accepted, then let go of everything."""
        self._closing = True
        self._timer.cancel()
        await self._writer.stop()
        await self._reader.stop()
        self._peers.close()
        await asyncio.to_thread(self._disconnect)

    def read(self, question: Callable[[apsw.Connection], T]) -> "asyncio.Future[T]":
        """Ask something of the reading connection. The answer sees every commit acknowledged before."""
        return self._reader.submit(partial(question, self._reading))

    def write(self, change: Callable[[apsw.Connection], T]) -> "asyncio.Future[T]":
        """Change something through the writing connection, in the next commit."""
        return self._writer.submit(partial(change, self._writing))

    def record(self, change: Callable[[], T]) -> "asyncio.Future[T]":
        """Change something through the ledger, in the next commit."""
        return self._writer.submit(change)

    def _answer(self, jobs: list[Job]) -> Callable[[], None]:
        return partial(settle, jobs, [self._outcome(job.action) for job in jobs])

    def _outcome(self, question: Callable[[], Any]) -> object:
        try:
            return question()
        except apsw.Error as error:
            return unavailable(error, self._path)

    def _look_later(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self.lookout.look_every_s, self._look)

    def _look(self) -> None:
        self.read(moves).add_done_callback(self._looked)

    def _looked(self, answer: "asyncio.Future[int]") -> None:
        if self._closing:
            return
        self._timer = self._look_later()
        if not answer.exception():  # an unreadable file is reported to those who read; the next look catches up
            self.lookout.look(answer.result())

    def _disconnect(self) -> None:
        self._reading.close()
        self._writing.close()


def _connect(path: Path, synchronous: Synchronous) -> tuple[apsw.Connection, apsw.Connection, int]:
    check_engine()
    prepare(path)
    with ExitStack() as opened:
        try:
            writing = connect(path, synchronous, opened)
            migrate(writing, path)
            reading = connect(path, synchronous, opened)
            reading.pragma("query_only", True)
            moved = moves(reading)
        except apsw.Error as error:
            raise unavailable(error, path) from error
        opened.pop_all()
    return writing, reading, moved
