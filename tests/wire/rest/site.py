"""The routes for files alone, on a store in memory, and a client of theirs."""

from contextlib import asynccontextmanager

import httpx2
from starlette.applications import Starlette

from stateroom.engine.access import Access, parse_keys
from stateroom.engine.clock import system_clock
from stateroom.engine.engine import Engine
from stateroom.faces.rest import uploads
from stateroom.stores.memory import MemoryStore

BASE = "https://rooms.example"


class Site:
    """One room, and a client of the routes."""

    def __init__(self, engine, http):
        self.engine, self.http = engine, http

    async def upload(self, filename="a.txt", mime="text/plain", data=b"words", code=None, headers=None, **fields):
        form = {"roomCode": self.card.code if code is None else code, **fields}
        return await self.http.post("/api/upload", data=form, files={"file": (filename, data, mime)}, headers=headers)

    async def raw(self, body, kind="multipart/form-data; boundary=b"):
        headers = {} if kind == "none" else {"content-type": kind}
        return await self.http.post("/api/upload", content=body, headers=headers)

    async def position(self):
        return await self.engine.view(self.card, lambda room: room.position)


@asynccontextmanager
async def standing(keys=""):
    engine = Engine(MemoryStore(system_clock), system_clock, Access(parse_keys(keys)))

    async def find_room(request, code):
        return await engine.find_by_code(engine.access.admit_guest(request.headers.get("authorization", "")), code)

    app = Starlette(routes=uploads.routes(engine, f"{BASE}/", find_room))
    async with engine.running(), httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as http:
        site = Site(engine, http)
        site.app = app
        site.caller = engine.access.admit("Bearer red-secret" if keys else "")
        site.card = await engine.enter(site.caller, "demo")
        yield site
