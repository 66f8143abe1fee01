"""A bare HTTP client for load: one keep-alive connection, one request at a time, as little of its own as possible."""

import asyncio
import json
from typing import Any


class Connection:
    """One caller's connection to a server on loopback."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._writer.close()

    async def post(self, path: str, body: bytes, headers: str = "") -> bytes:
        """The answer's body. Raises AssertionError for anything but 200."""
        await self.send(path, body, headers)
        return await self.receive()

    async def send(self, path: str, body: bytes, headers: str = "") -> None:
        head = (
            f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\ncontent-type: application/json\r\n"
            f"accept: application/json\r\ncontent-length: {len(body)}\r\n{headers}\r\n"
        )
        self._writer.write(head.encode() + body)

    async def receive(self) -> bytes:
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        return await self._reader.readexactly(int(length.partition(b":")[2]))


MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}


def modern(tool: str, arguments: dict[str, Any]) -> tuple[bytes, str]:
    """Body and headers of a `tools/call` of revision 2026-07-28."""
    params = {"name": tool, "arguments": arguments, "_meta": MODERN_META}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = f"mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n"
    return json.dumps(message).encode(), headers


def legacy(tool: str, arguments: dict[str, Any]) -> tuple[bytes, str]:
    """Body and headers of a `tools/call` of revision 2025-11-25."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    return json.dumps(message).encode(), "mcp-protocol-version: 2025-11-25\r\n"
