"""Calling tools over plain HTTP, as programs do."""

from typing import Any

import httpx2

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


class ToolError(Exception):
    """A tool's isError result."""


class Tools:
    """One caller's connection."""

    def __init__(self, http: httpx2.AsyncClient, url: str, room: str = "demo", **headers: str) -> None:
        self._http, self._url, self._room, self._headers = http, url, room, {**HEADERS, **headers}

    async def call(self, tool: str, **arguments: Any) -> Any:
        """The structured answer; arrays unwrapped. Raises ToolError."""
        params = {"name": tool, "arguments": {"roomId": self._room, **arguments}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = await self._http.post(f"{self._url}/mcp", json=message, headers=self._headers)
        assert answer.status_code == 200, answer.text
        text = answer.text
        if text.startswith(("event:", ":")):
            text = [line for line in text.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
        result = httpx2.Response(200, content=text).json()["result"]
        if result["isError"]:
            raise ToolError(result["content"][0]["text"])
        value = result["structuredContent"]
        return value["result"] if set(value) == {"result"} else value
