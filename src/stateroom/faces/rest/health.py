"""`GET /health`: whether this server can do its work. Never asks for a key."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stateroom import __version__
from stateroom.core.lobby import LOBBY
from stateroom.engine.engine import Engine
from stateroom.faces.rest.api import answer
from stateroom.log.seam import Unavailable
from stateroom.wire.problems import RETRY_AFTER_S
from stateroom.wire.shapes import Health
from stateroom.wire.times import iso

PATIENCE_S = 5.0


def make_health(engine: Engine) -> Callable[[Request], Any]:
    async def health(request: Request) -> Response:
        problem = await _problem(engine)
        said = Health(not problem, iso(engine.clock()), __version__, engine.store.name, problem)
        return answer(said, 503, {"retry-after": str(RETRY_AFTER_S)}) if problem else answer(said)

    return health


async def _problem(engine: Engine) -> str:
    """What keeps the store from answering, in a sentence; empty if nothing does."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await engine.store.log.read(LOBBY, 0, 1)
    except Unavailable as failure:
        return str(failure)
    except TimeoutError:
        return f"The store has not answered for {PATIENCE_S:g} s."
    return ""
