"""One room as a client sees it: tool calls in, decoded answers out. In process, with time that moves by hand."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from stateroom.engine.access import Caller
from stateroom.engine.engine import Engine
from stateroom.faces.mcp.eras import LATEST_LEGACY, MODERN, Peer
from stateroom.faces.mcp.server import Ask, Server, read_message
from stateroom.log.codec import encode_state
from stateroom.testing.simulated_time import HandClock

PROGRAM = Peer(LATEST_LEGACY, named=False)
"""Posts single calls and expects complete answers (decision 4)."""
MODEL = Peer(MODERN[0], named=True, client="a-model")
"""Speaks a revision of MCP and gets at most 8 KB by default."""


def promise(*ids: str) -> pytest.MarkDecorator:
    """This test shows these promises (promises.py)."""
    return pytest.mark.promise(*ids)


class ToolError(Exception):
    """A tool said no: `text` as the client reads it, `code` from the structured half."""

    def __init__(self, text: str, code: str, result: dict[str, Any]) -> None:
        super().__init__(text)
        self.text, self.code, self.result = text, code, result

    @property
    def sentence(self) -> str:
        """The text without the prefix that clients strip."""
        return self.text.removeprefix("Error: ")

    @property
    def issues(self) -> list[dict[str, Any]]:
        """What is wrong with which argument."""
        return list(self.result["structuredContent"]["error"].get("issues", []))


@dataclass
class Answer:
    """A successful result: its value, and how each half reads."""

    value: Any
    result: dict[str, Any]

    @property
    def cut(self) -> bool:
        """Whether it says that something was left out."""
        return bool(self.result["structuredContent"].get("truncated", False))

    @property
    def note(self) -> str:
        """What was left out, and which call has it."""
        return str(self.result["structuredContent"].get("note", ""))

    def halves(self) -> tuple[int, int]:
        """Bytes of the text half (all its parts) and of the structured half."""
        texts = "".join(part["text"] for part in self.result["content"])
        structured = json.dumps(self.result["structuredContent"], ensure_ascii=False, separators=(",", ":"))
        return len(texts.encode()), len(structured.encode())


@dataclass
class Room:
    """A seat from which one room is used."""

    engine: Engine
    server: Server
    clock: HandClock
    caller: Caller
    id: str = "demo"
    peer: Peer = PROGRAM
    without_room: bool = field(default=False, repr=False)

    def named(self) -> "Room":
        """The same room, used by a model: answers are cut to 8 KB by default."""
        return replace(self, peer=MODEL)

    def at(self, room_id: str) -> "Room":
        """Another room of the same team."""
        return replace(self, id=room_id)

    def of_team(self, team: str) -> "Room":
        """A room of the same id in another team."""
        return replace(self, caller=Caller(team, f"key:{team}"))

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        """The value a tool answers with, arrays unwrapped. `from_` stands for `from`. Raises ToolError."""
        return (await self.ask(tool, **arguments)).value

    async def ask(self, tool: str, /, **arguments: Any) -> Answer:
        """The whole answer of a tool. Raises ToolError."""
        spelled = {("from" if name == "from_" else name): value for name, value in arguments.items()}
        if not self.without_room and "roomId" not in spelled and "room_id" not in spelled:
            spelled["roomId"] = self.id
        return await self.raw(tool, json.dumps(spelled))

    async def raw(self, tool: str, arguments: str | None) -> Answer:
        """A call with exactly these arguments as JSON text, or with none at all. Raises ToolError."""
        params = f'{{"name":{json.dumps(tool)}' + (f',"arguments":{arguments}}}' if arguments is not None else "}")
        body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'
        message = read_message(body.encode())
        ask = Ask("tools/call", message.arguments(), self.peer, self.caller, "full")
        return _answer(json.loads(await self.server.answer(ask)))

    async def refusal(self, tool: str, /, **arguments: Any) -> ToolError:
        """The error that a call must end in."""
        with pytest.raises(ToolError) as caught:
            await self.call(tool, **arguments)
        return caught.value

    async def raw_refusal(self, tool: str, arguments: str | None) -> ToolError:
        """The error that a call with exactly these arguments must end in."""
        with pytest.raises(ToolError) as caught:
            await self.raw(tool, arguments)
        return caught.value

    async def events(self) -> list[dict[str, Any]]:
        """Everything the room was told, oldest first, without touching a cursor."""
        found: list[dict[str, Any]] = []
        while page := await self.call(
            "read_events", limit=100, order="oldest", after=found[-1]["position"] if found else 0
        ):
            found += page
        return found

    async def newest(self) -> dict[str, Any]:
        """The event the room was told last."""
        return (await self.call("read_events", limit=1))[0]

    async def types(self) -> list[str]:
        """The types of everything the room was told, oldest first."""
        return [event["type"] for event in await self.events()]

    async def state(self) -> bytes:
        """The room's state as bytes, to show that nothing has changed."""
        card = await self.engine.find(self.caller, self.id)
        return b"" if card is None else await self.engine.view(card, encode_state)

    async def add(self, title: str = "a task", **more: Any) -> str:
        """A new task's id."""
        return str((await self.call("add_task", title=title, description="", **more))["id"])

    async def note(self, text: str = "a note", author: str = "ann", **more: Any) -> str:
        """A new note's id."""
        written = {"summary": text, "consuming_agents": [], "payload": {"text": text}, **more}
        return str((await self.call("write_context", type="note", author=author, **written))["id"])

    async def post(self, type: str = "ping", from_: str = "ann", to: str = "all", **more: Any) -> dict[str, Any]:
        """A posted event."""
        payload = more.pop("payload", {})
        posted = await self.call("post_event", type=type, from_=from_, to=to, payload=payload, **more)
        return dict(posted)


def _answer(result: dict[str, Any]) -> Answer:
    """Both halves say the same, whatever is asked."""
    text, structured = result["content"][0]["text"], result["structuredContent"]
    if result["isError"]:
        raise ToolError(text, structured["error"]["code"], result)
    value = json.loads(text)
    added = ("truncated", "note") if structured.get("truncated") else ()
    plain = {key: part for key, part in structured.items() if key not in added}
    assert (value if isinstance(value, dict) else {"result": value}) == plain, "the two halves disagree"
    return Answer(value, result)


async def gather(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    """Make calls at once; results and errors in their order."""
    return list(await asyncio.gather(*calls, return_exceptions=True))


async def until(condition: Callable[[], bool]) -> None:
    """Let others run until a condition holds."""
    while not condition():
        await asyncio.wait([asyncio.ensure_future(_nothing())])


async def _nothing() -> None:
    """One turn of the event loop."""
