"""An agent that uses the conversation's tools through the official MCP client."""

import json
from typing import Any

from mcp.client import Client

from tests.wire.across.house import spelled, unwrapped


class Official:
    """One connection; its client has shaken hands in the era it was told to."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def __call__(self, tool: str, **arguments: Any) -> Any:
        """What a tool answers; both halves of it, which agree."""
        failed, value = await self._ask(tool, arguments)
        assert not failed, value
        return value

    async def no(self, tool: str, **arguments: Any) -> Any:
        """How a tool refuses."""
        failed, value = await self._ask(tool, arguments)
        assert failed, value
        return value

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, Any]:
        result = await self._client.call_tool(tool, spelled(arguments))
        structured = result.structured_content
        assert structured is not None
        text = result.content[0].text
        if not result.is_error and not structured.get("truncated"):
            assert json.loads(text) == unwrapped(structured), "the halves disagree"
        return bool(result.is_error), unwrapped(structured)
