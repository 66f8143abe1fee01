"""A thread that takes everything that has queued up, does it in one go, and answers in one call to the loop."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from stateroom.log.seam import Unavailable

T = TypeVar("T")

LARGEST_BATCH = 1000


class Job(NamedTuple):
    """One thing to do in the thread, and where its outcome is awaited."""

    action: Callable[[], Any]
    answer: "asyncio.Future[Any]"


Perform = Callable[[list[Job]], Callable[[], None]]
"""Does the jobs, in the thread; returns what then has to happen in the loop."""


def settle(jobs: Sequence[Job], outcomes: Sequence[object]) -> None:
    """Give every job its outcome, in the loop. An outcome that is an exception is raised where it is awaited."""
    for (_, answer), outcome in zip(jobs, outcomes, strict=True):
        if answer.done():
            continue  # whoever asked has given up waiting
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)


class Worker:
    """Owns the thread. Call it from the loop it was made in."""

    def __init__(self, name: str, perform: Perform) -> None:
        self._perform = perform
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, action: Callable[[], T]) -> "asyncio.Future[T]":
        """Queue an action for the thread. Raises Unavailable when the worker has ended."""
        if self._ended:
            raise Unavailable("The store is closed: open it again.")
        answer: asyncio.Future[T] = self._loop.create_future()
        self._queue.put(Job(action, answer))
        return answer

    async def stop(self) -> None:
        """Finish what was accepted, then end the thread."""
        self._ended = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        jobs: list[Job] = []
        try:
            while jobs := self._drain():
                self._tell_loop(self._perform(jobs))
        finally:
            # Reached with jobs in hand only by a fault of ours (its traceback is printed): nobody may wait for ever.
            self._tell_loop(partial(self._give_up, jobs))

    def _drain(self) -> list[Job]:
        """Everything that waits, at least one job; empty when it is time to stop."""
        taken = [self._queue.get()]
        taken += [self._queue.get() for _ in range(min(self._queue.qsize(), LARGEST_BATCH))]
        jobs = [job for job in taken if job]
        if len(jobs) < len(taken) and jobs:
            self._queue.put(None)  # do these first, then meet the end again
        return jobs

    def _tell_loop(self, news: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(news)

    def _give_up(self, jobs: list[Job]) -> None:
        self._ended = True
        jobs += [job for _ in range(self._queue.qsize()) if (job := self._queue.get())]
        settle(jobs, [Unavailable("The store has stopped after an internal fault: restart Stateroom.") for _ in jobs])
