"""One agent's connection to a server, as its client speaks: tools in, decoded answers out, both halves compared."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.wire.mcp.raw import LEGACY, MODERN, Raw

LINE_BYTES = 8_000
"""A default answer stays under this, each half by itself (design §8)."""


@dataclass
class Answer:
    """A tool's result."""

    value: dict[str, Any]
    failed: bool
    result: dict[str, Any]

    @property
    def note(self) -> str:
        """What was left out, and which call has it."""
        return str(self.result["structuredContent"].get("note", ""))

    @property
    def bytes(self) -> int:
        """Of the larger half."""
        texts = "".join(part.get("text", "") for part in self.result["content"])
        structured = json.dumps(self.result["structuredContent"], ensure_ascii=False, separators=(",", ":"))
        return max(len(texts.encode()), len(structured.encode()))


class Agent:
    """Calls tools as one client; `version` None is a program that names no revision and gets whole answers."""

    def __init__(self, http: httpx2.AsyncClient, url: str, version: str | None = MODERN, **headers: str) -> None:
        self.http, self.url, self.headers = http, url, headers
        self._raw = Raw(http, url, version)

    def at(self, query: str) -> "Agent":
        """The same client at a bound endpoint."""
        return Agent(self.http, f"{self.url}?{query}", self._raw.version, **self.headers)

    async def ask(self, tool: str, **arguments: Any) -> Answer:
        """Whatever the tool answers; the text half is the structured half, except for the note of a cut."""
        answer = await self._raw.ask("tools/call", {"name": tool, "arguments": arguments}, **self.headers)
        return read(answer["result"])

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A success."""
        answer = await self.ask(tool, **arguments)
        assert not answer.failed, answer.value
        return answer.value

    async def no(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A failure: an object that says what, and what next."""
        answer = await self.ask(tool, **arguments)
        assert answer.failed, answer.value
        if "hint" in answer.value:
            assert answer.value["hint"]
            assert answer.value["message"]
        return answer.value

    async def room(self, name: str = "Nova", topic: str = "Cache bug", **more: Any) -> dict[str, Any]:
        """A new room, and its host in it."""
        return await self.call("room_create", topic=topic, name=name, **more)

    async def tools(self, profile: str) -> list[dict[str, Any]]:
        """What a profile lists."""
        answer = await self.at(f"profile={profile}")._raw.ask("tools/list", {}, **self.headers)
        return list(answer["result"]["tools"])

    async def texts(self, code: str, since: int = 0) -> list[str]:
        """What was said in a room, oldest first, by whomever."""
        heard = await self.call("room_listen", code=code, since=since, timeoutMs=0)
        return [one["text"] for one in heard["messages"] if one["type"] == "msg"]


def read(result: dict[str, Any]) -> Answer:
    """A result, once its halves agree (trap 54)."""
    structured = result["structuredContent"]
    value = json.loads(result["content"][0]["text"]) if result["content"][0]["text"].startswith("{") else structured
    added = ("truncated", "note") if structured.get("truncated") else ()
    assert value == {name: part for name, part in structured.items() if name not in added}, "the halves disagree"
    return Answer(value, result["isError"], result)


async def gather(*calls: Any) -> list[Any]:
    """Calls at once; their results in their order."""
    return list(await asyncio.gather(*calls))


__all__ = ["LEGACY", "MODERN", "Agent", "Answer", "gather", "read"]
