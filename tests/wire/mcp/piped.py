"""`stateroom mcp` as a process on two pipes, spoken to line by line."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.serving import environment
from tests.wire.mcp.raw import META

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
LINE_BYTES = 4 * 1024 * 1024


class Stdio:
    """One `stateroom mcp` process, and everything it has written."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self._ids = process, iter(range(1, 1000))
        self.lines: list[dict[str, Any]] = []

    def send(self, message: Any) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")

    def ask(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = False) -> int:
        """Send a request; its id."""
        id_ = next(self._ids)
        params = {**(params or {}), **({"_meta": META} if modern else {})}
        self.send({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})
        return id_

    def call(self, tool: str, **arguments: Any) -> int:
        return self.ask("tools/call", {"name": tool, "arguments": {"roomId": "demo", **arguments}})

    async def next(self) -> dict[str, Any]:
        """The next line; every line is JSON-RPC (L41)."""
        line = await asyncio.wait_for(self.process.stdout.readline(), 20)
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        self.lines.append(message)
        return message

    async def answer(self, id_: int) -> dict[str, Any]:
        """The answer to a request, whatever comes before it."""
        while True:
            for message in self.lines:
                if message.get("id") == id_:
                    return message
            await self.next()


@asynccontextmanager
async def stdio(tmp_path: Path, *arguments: str) -> AsyncIterator[Stdio]:
    """Such a process, with a store of its own; killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "stateroom", "mcp", "--store", f"sqlite:///{tmp_path / 'rooms.db'}", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
        limit=LINE_BYTES,
    )
    try:
        yield Stdio(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
