"""A board on a server whose clock a test can put ahead, and whose room then notices."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from stateroom.app import StateroomApp, make_engine
from stateroom.settings import Settings
from tests.serving import serving
from tests.wire.across.house import AheadClock
from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_board import Board
from tests.wire.agent_room.mcp.test_speaking import crowd


class Timed(Board):
    """Nova's room with Iris and Ada, and one task that needs no proof."""

    def __init__(self, agent: Agent, made: dict[str, Any], clock: AheadClock) -> None:
        super().__init__(agent, made)
        self.clock = clock

    async def pass_s(self, seconds: float) -> None:
        """Time passes, and the room says what it has ended."""
        self.clock.ahead_ms += round(seconds * 1000)
        url = self.agent.url.removesuffix("/mcp")
        swept = await self.agent.http.post(f"{url}/api/room", json={"action": "sweep", "code": self.code})
        assert swept.status_code == 200, swept.text

    async def admin(self, **policy: Any) -> dict[str, Any]:
        """The host sets the room's policy."""
        key = {"hostKey": self.made["hostKey"]}
        return await self.agent.call("room_admin", code=self.code, name="Nova", action="set_policy", **key, **policy)

    async def lines(self, event: str = "") -> list[dict[str, Any]]:
        """The system lines, or those of one kind."""
        heard = await self.agent.call("room_listen", code=self.code, since=0, timeoutMs=0)
        return [line for line in heard["messages"] if line.get("event", "") and event in ("", line["event"])]

    async def task(self, id: str = "T-01") -> dict[str, Any]:
        """One task as it is shown."""
        return dict((await self.list(id=id))["task"])


@asynccontextmanager
async def timed(path: Path, http: httpx2.AsyncClient) -> AsyncIterator[Timed]:
    """Serves until the context ends."""
    settings, clock = Settings(store=f"sqlite:///{path / 'rooms.db'}"), AheadClock()
    async with serving(settings, StateroomApp(make_engine(settings, clock), settings)) as served:
        agent = Agent(http, f"{served.url}/mcp")
        there = Timed(agent, await crowd(agent, "Iris", "Ada"), clock)
        await there.do("Nova", "create", "", title="Fix the key")
        yield there
