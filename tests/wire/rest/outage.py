"""A store that can be told to stop answering, and to answer again."""

import asyncio

from stateroom.log.seam import Unavailable

SENTENCE = "The disk is full: make room on it."


class Outage:
    """Wraps a store. While `down`, every call fails; while `mute`, none is ever answered."""

    def __init__(self, store) -> None:
        self._store = store
        self.name, self.blobs = store.name, store.blobs
        self.down = self.mute = False
        self.log, self.shelf = Gate(store.log, self), Gate(store.shelf, self)

    async def open(self):
        await self._store.open()

    async def close(self):
        await self._store.close()


class Gate:
    """One part of the store."""

    def __init__(self, part, outage) -> None:
        self._part, self._outage = part, outage

    def watch(self):
        return self._part.watch()

    def __getattr__(self, name):
        method = getattr(self._part, name)

        async def call(*arguments):
            if self._outage.mute:
                await asyncio.Event().wait()
            if self._outage.down:
                raise Unavailable(SENTENCE)
            return await method(*arguments)

        return call
