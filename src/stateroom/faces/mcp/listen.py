"""`subscriptions/listen`: a stream that says which resources have moved, never what they say now.

The acknowledgement comes first and names what is honoured; every frame carries the request's id. The stream ends by
itself, gracefully, before a proxy's minute is over (trap 62); whoever still cares listens again and reads.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from stateroom.faces.mcp.eras import SUBSCRIPTION_KEY
from stateroom.faces.mcp.server import Ask, Server, notification, response

STREAM_S = 50.0


async def stream(server: Server, ask: Ask, id: object, stream_s: float | None) -> AsyncIterator[bytes]:
    """The frames of one subscription, encoded; an empty one is a pulse. Raises RpcError before the first.

    It ends by itself after `stream_s` seconds; None never ends (stdio, where no proxy waits).
    """
    uris, moves = await server.moves(ask)
    return _frames(uris, moves, id, stream_s)


async def _frames(
    uris: list[str], moves: AsyncIterator[list[str]], id: object, stream_s: float | None
) -> AsyncIterator[bytes]:
    meta = {SUBSCRIPTION_KEY: id}
    honoured: dict[str, Any] = {"resourceSubscriptions": uris} if uris else {}
    yield notification("notifications/subscriptions/acknowledged", {"notifications": honoured, "_meta": meta})
    loop = asyncio.get_running_loop()
    ends = None if stream_s is None else loop.time() + stream_s
    while ends is None or loop.time() < ends:
        try:
            async with asyncio.timeout_at(ends):
                moved = await anext(moves)
        except TimeoutError:
            break
        if not moved:
            yield b""
        for uri in moved:
            yield notification("notifications/resources/updated", {"uri": uri, "_meta": meta})
    yield response(id, msgspec.json.encode({"resultType": "complete", "_meta": meta}))
