"""The official SDK's high-level server with the same durable append behind one tool: what we compare with.

`python -m bench.sdk_server PORT STORE`
"""

import sys
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette

from stateroom.core.messages import PostMessage
from stateroom.engine.clock import system_clock
from stateroom.engine.engine import Engine
from stateroom.stores.sqlite import SqliteStore
from stateroom.wire.room_protocol import event_shape


def build(store: Path) -> Starlette:
    engine = Engine(SqliteStore(store, system_clock), system_clock)
    server = MCPServer("bench", log_level="ERROR")

    @server.tool()
    async def post_event(
        roomId: str,  # noqa: N803 (the tool's argument)
        type: str,
        sender: str,
        to: str,
        payload: dict,
    ) -> dict:
        """Tell the room something."""
        caller = engine.access.admit("")
        card = await engine.enter(caller, roomId)
        outcome = await engine.execute(caller, card, PostMessage(type, to, payload), sender)
        return event_shape(outcome.entries[-1], card.room_id)

    app = server.streamable_http_app(stateless_http=True, json_response=True)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app):
        async with engine.running(), inner(app):
            yield

    app.router.lifespan_context = lifespan
    return app


if __name__ == "__main__":
    uvicorn.run(build(Path(sys.argv[2])), port=int(sys.argv[1]), log_level="error", access_log=False)
