"""JSON-RPC over HTTP by hand, in any revision."""

from typing import Any

import httpx2
import msgspec

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
BOTH = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Raw:
    """One endpoint, spoken to in one revision; `version` None names none."""

    def __init__(self, http: httpx2.AsyncClient, url: str, version: str | None) -> None:
        self.http, self.url, self.version = http, url, version

    def request(self, method: str, params: dict[str, Any] | None = None, **headers: str) -> tuple[dict, dict[str, str]]:
        """Message and headers, as the revision asks."""
        params = dict(params or {})
        sent = dict(BOTH)
        if self.version:
            sent["mcp-protocol-version"] = self.version
        if self.version == MODERN:
            params["_meta"] = META
            sent["mcp-method"] = method
            if method in NAMED_BY and NAMED_BY[method] in params:
                sent["mcp-name"] = params[NAMED_BY[method]]
        return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, {**sent, **headers}

    async def send(self, method: str, params: dict[str, Any] | None = None, **headers: str) -> httpx2.Response:
        message, sent = self.request(method, params, **headers)
        return await self.http.post(self.url, json=message, headers={k: v for k, v in sent.items() if v})

    async def ask(self, method: str, params: dict[str, Any] | None = None, **headers: str) -> dict[str, Any]:
        """The JSON-RPC answer, whether it came plain or as a stream."""
        return body(await self.send(method, params, **headers))

    async def call(self, tool: str, arguments: dict[str, Any]) -> list[Any]:
        result = (await self.ask("tools/call", {"name": tool, "arguments": arguments}))["result"]
        return [result["isError"], result["structuredContent"]]


def body(answer: httpx2.Response) -> dict[str, Any]:
    text = answer.text
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        text = [line for line in text.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    return msgspec.json.decode(text)
