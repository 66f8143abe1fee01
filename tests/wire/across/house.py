"""One room through all its faces: what is done in one, and what the others show of it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2

from stateroom.core.ids import Instant
from stateroom.engine.clock import system_clock
from tests.wire.agent_room.mcp.harness import Agent

RUN = {"fileListing": "a.py", "fileExcerpt": "x = 1", "runOutput": "1 passed", "exitCode": 0}
"""What a task is submitted with."""
PAGE = 100


@dataclass(frozen=True)
class No:
    """A refusal, as a face tells it."""

    status: int
    name: str
    message: str
    hint: str


class AheadClock:
    """The time of day, and so much more as somebody has put it ahead."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def __call__(self) -> Instant:
        return Instant(system_clock() + self.ahead_ms)


class House:
    """A server, and a caller of every face of it."""

    def __init__(
        self,
        url: str,
        http: httpx2.AsyncClient,
        waiting: Callable[[], int] = int,
        clock: AheadClock | None = None,
    ) -> None:
        """`waiting` says how many calls wait in the server, where that is known; `clock` is the server's."""
        self.url, self.http, self.waiting, self.clock = url, http, waiting, clock or AheadClock()
        self.tools = Agent(http, f"{url}/mcp", None)
        """A program: it gets whole answers."""

    async def tool(self, tool: str, **arguments: Any) -> Any:
        """What a tool answers, arrays unwrapped."""
        return unwrapped(await self.tools.call(tool, **spelled(arguments)))

    async def tool_no(self, tool: str, **arguments: Any) -> No:
        """How a tool refuses."""
        answer = await self.tools.ask(tool, **spelled(arguments))
        assert answer.failed, answer.value
        return said(200, answer.result["structuredContent"])

    async def action(self, action: str, **fields: Any) -> Any:
        answer = await self.http.post(f"{self.url}/api/room", json={"action": action, **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def action_no(self, action: str, **fields: Any) -> No:
        answer = await self.http.post(f"{self.url}/api/room", json={"action": action, **fields})
        assert answer.status_code >= 400, answer.text
        return said(answer.status_code, answer.json())

    async def native(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Below `/api/v1`."""
        answer = await self.http.request(method, f"{self.url}/api/v1{path}", json=body, params=query or None)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    async def native_no(self, method: str, path: str, body: Any = None, **query: Any) -> No:
        answer = await self.http.request(method, f"{self.url}/api/v1{path}", json=body, params=query or None)
        assert answer.status_code >= 400, answer.text
        return said(answer.status_code, answer.json())

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        return await self.http.get(f"{self.url}{path}", headers=headers)

    async def stream(self, code: str, count: int, after: int = 0) -> list[dict[str, Any]]:
        """So many events of the room's stream."""
        found: list[dict[str, Any]] = []
        async with self.http.stream("GET", f"{self.url}/rooms/{code}/stream", params={"after": after}) as answer:
            assert answer.status_code == 200
            lines = answer.aiter_lines()
            while len(found) < count:
                line = await anext(lines)
                if line.startswith("data: "):
                    found.append(json.loads(line.removeprefix("data: ")))
        return found

    async def room(self, topic: str = "Cache bug", host: str = "Nova") -> "Room":
        """A room of this host, who is in it."""
        made = await self.tool("room_create", topic=topic, name=host)
        return Room(self, made["code"], host, made["hostKey"], {host: made["seatKey"]})


class Room:
    """One room of the house, by its code."""

    def __init__(self, house: House, code: str, host: str = "", host_key: str = "", keys: Any = None) -> None:
        self.house, self.code, self.host, self.host_key = house, code, host, host_key
        self.keys: dict[str, str] = keys or {}

    async def tool(self, tool: str, **arguments: Any) -> Any:
        return await self.house.tool(tool, **self._named(tool), **arguments)

    async def tool_no(self, tool: str, **arguments: Any) -> No:
        return await self.house.tool_no(tool, **self._named(tool), **arguments)

    def _named(self, tool: str) -> dict[str, str]:
        return {"code" if is_talk(tool) else "roomId": self.code}

    async def hosted(self, tool: str, **arguments: Any) -> Any:
        """A tool, called by the host with its key."""
        return await self.tool(tool, name=self.host, hostKey=self.host_key, **arguments)

    async def action(self, action: str, **fields: Any) -> Any:
        return await self.house.action(action, code=self.code, **fields)

    async def action_no(self, action: str, **fields: Any) -> No:
        return await self.house.action_no(action, code=self.code, **fields)

    async def host_action(self, action: str, **fields: Any) -> Any:
        return await self.action(action, requesterName=self.host, hostKey=self.host_key, **fields)

    async def wish(self, command: str, by: str = "", *, host: bool = False, **wish: Any) -> Any:
        """A command of the native API."""
        return await self.house.native("POST", self._command(command), self._body(by, host, wish))

    async def wish_no(self, command: str, by: str = "", *, host: bool = False, **wish: Any) -> No:
        return await self.house.native_no("POST", self._command(command), self._body(by, host, wish))

    def _command(self, command: str) -> str:
        return f"/rooms/{self.code}/commands/{command}"

    def _body(self, by: str, host: bool, wish: dict[str, Any]) -> dict[str, Any]:
        return {"by": self.host if host else by, "host_key": self.host_key if host else "", "wish": wish}

    async def native(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        return await self.house.native(method, f"/rooms/{self.code}{path}", body, **query)

    async def native_no(self, method: str, path: str, body: Any = None, **query: Any) -> No:
        return await self.house.native_no(method, f"/rooms/{self.code}{path}", body, **query)

    async def after(self, minutes: float, *present: str) -> None:
        """So much later, these members show a sign of life, and the room says what time has ended."""
        self.house.clock.ahead_ms += int(minutes * 60_000)
        for name in present:
            await self.tool("heartbeat", agentId=name)
        await self.action("sweep")

    async def join(self, name: str, client: str = "cc") -> None:
        """Through `/api/room`: as an agent, or (client web) as a person."""
        who = {"name": name, "client": client, "role": "", "color": "#10B981", "initials": name[:2].upper()}
        joined = await self.action("join", participant=who, wantSeatKey=True)
        self.keys[name] = joined["seatKey"]

    async def say(self, name: str, text: str, **fields: Any) -> Any:
        """Through `/api/room`."""
        return await self.action("send", message={"name": name, "text": text}, seatKey=self.keys.get(name), **fields)

    async def entries(self, after: int = 0) -> list[dict[str, Any]]:
        """The log, by the native API."""
        return (await self.native("GET", "/entries", after=after, limit=1000))["entries"]

    async def position(self) -> int:
        return int((await self.native("GET", ""))["position"])

    async def events(self, after: int = 0) -> list[dict[str, Any]]:
        """By the Room Protocol's `read_events`, oldest first."""
        found: list[dict[str, Any]] = []
        while page := await self.tool("read_events", after=after, order="oldest", limit=PAGE):
            found += page
            after = page[-1]["position"]
        return found

    async def lines(self, cursor: int = 0) -> list[dict[str, Any]]:
        """The transcript, by `/api/room`."""
        return (await self.action("messages", cursor=cursor))["messages"]

    async def page(self) -> dict[str, Any]:
        """The room's page as data."""
        answer = await self.house.get(f"/r/{self.code}?format=json")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def html(self) -> str:
        """The room's page."""
        answer = await self.house.get(f"/r/{self.code}", accept="text/html")
        assert answer.status_code == 200, answer.text
        return answer.text

    async def shown_lines(self) -> list[int]:
        """Positions of the lines on the page, from its anchors."""
        return [int(found) for found in re.findall(r'<li id="line-(\d+)"', await self.html())]


def is_talk(tool: str) -> bool:
    """Whether a tool is one of the conversation's, which name the room by `code`."""
    return tool.startswith("room_")


def spelled(arguments: dict[str, Any]) -> dict[str, Any]:
    """`from_` stands for `from`."""
    return {("from" if name == "from_" else name): value for name, value in arguments.items()}


def unwrapped(value: Any) -> Any:
    return value["result"] if isinstance(value, dict) and set(value) == {"result"} else value


def said(status: int, body: dict[str, Any]) -> No:
    """A refusal in whatever form a face gives it."""
    told = body["error"] if isinstance(body["error"], dict) else {"code": body["error"], **body}
    name = body["error"] if isinstance(body["error"], str) else told["code"]
    return No(status, name, told["message"], told.get("hint", ""))
