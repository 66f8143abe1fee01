"""The composition root: settings in, one ASGI application out."""

import gc
import os
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.routing import Route

from stateroom.core.ids import Instant
from stateroom.core.lobby import RoomCard
from stateroom.engine.access import Access, Caller, parse_keys
from stateroom.engine.clock import Clock, fresh_id, system_clock
from stateroom.engine.engine import Engine
from stateroom.faces.asgi import Receive, Scope, Send
from stateroom.faces.guard import Guard
from stateroom.faces.mcp.application import StateroomApplication
from stateroom.faces.mcp.http import HttpEndpoint
from stateroom.faces.mcp.server import Server
from stateroom.faces.rest import uploads
from stateroom.faces.rest.agent_room.endpoint import AgentRoomEndpoint
from stateroom.faces.rest.api import make_api
from stateroom.faces.rest.front import make_front
from stateroom.faces.rest.health import make_health
from stateroom.faces.rest.stream import EventStream
from stateroom.faces.web import pages
from stateroom.log.seam import Store, Unavailable
from stateroom.settings import Settings, from_env, store_path
from stateroom.stores.memory import MemoryStore
from stateroom.stores.sqlite import SqliteStore
from stateroom.wire.links import Links

STREAM_PATH = re.compile(r"/rooms/(?P<room>[^/]+)/stream")


def make_store(url: str, now: Callable[[], Instant] = system_clock) -> Store:
    """The store a URL names, not yet open. Raises SettingsError."""
    path = store_path(url)
    return MemoryStore(now) if path is None else SqliteStore(path, now)


def make_engine(settings: Settings, clock: Clock = system_clock) -> Engine:
    """Raises SettingsError."""
    access = Access(parse_keys(settings.api_keys))
    return Engine(make_store(settings.store, clock), clock, access, redacts=settings.redact)


def make_mcp(engine: Engine, settings: Settings) -> Server:
    """The dispatcher alone, for transports that are no HTTP."""
    return Server(StateroomApplication(engine, settings.profile, settings.base_url))


class StateroomApp:
    """Everything one process serves. An ASGI application; its lifespan is the engine's."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.engine = engine
        application = StateroomApplication(engine, settings.profile, settings.base_url)
        self._mcp = HttpEndpoint(Server(application), application.admit)
        self._stream = EventStream(engine)
        links = Links(settings.base_url)
        self._actions = AgentRoomEndpoint(engine, links)
        front = make_front(settings.base_url, is_open=engine.access.is_open)
        files = uploads.routes(engine, settings.base_url, self._find_room)
        web = pages.routes(engine, settings.base_url)
        self._api = make_api(engine, links, [Route("/", front), Route("/health", make_health(engine)), *files, *web])
        hosts = tuple(filter(None, (urlsplit(settings.public_url).hostname, settings.host)))
        self._guarded = Guard(self._route, is_open=engine.access.is_open, public_hosts=hosts, fresh_id=fresh_id)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._guarded(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # we speak none: refused before it is opened

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hot paths first, and without a framework."""
        path = scope["path"]
        if path in ("/mcp", "/mcp/"):
            await self._mcp(scope, receive, send)
        elif path in ("/api/room", "/api/room/"):
            await self._actions(scope, receive, send)
        elif match := STREAM_PATH.fullmatch(path):
            await self._stream(scope, receive, send, match["room"])
        else:
            await self._api(scope, receive, send)

    async def _find_room(self, request: Request, code: str) -> tuple[Caller, RoomCard]:
        """Who sends a file, and the room it goes to. Raises Unauthorized, UnknownRoom."""
        caller = self.engine.access.admit_guest(request.headers.get("authorization", ""))
        return await self.engine.find_by_code(caller, code)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with self.engine.running():
                gc.collect()
                gc.freeze()  # what start-up made stays: collecting it again and again costs tail latency (stack §1)
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Unavailable as failure:
            await send({"type": "lifespan.startup.failed", "message": str(failure)})
            return
        await send({"type": "lifespan.shutdown.complete"})


def make_app(settings: Settings) -> StateroomApp:
    """Raises SettingsError."""
    settings.check()
    return StateroomApp(make_engine(settings), settings)


def app_from_env() -> StateroomApp:
    """The factory a worker process starts from. Raises SettingsError."""
    return make_app(from_env(os.environ))
