"""`GET /health`: whether this server can do its work. Never asks for a key."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stateroom import __version__
from stateroom.core.lobby import LOBBY
from stateroom.engine.engine import Engine
from stateroom.faces.rest.api import answer
from stateroom.log.seam import Unavailable
from stateroom.wire.shapes import Health
from stateroom.wire.times import iso


def make_health(engine: Engine) -> Callable[[Request], Any]:
    async def health(request: Request) -> Response:
        now, problem = iso(engine.clock()), ""
        try:
            await engine.store.log.read(LOBBY, 0, 1)
        except Unavailable as failure:
            problem = str(failure)
        return answer(Health(not problem, now, __version__, engine.store.name, problem), 503 if problem else 200)

    return health
