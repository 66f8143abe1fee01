"""Whole exchanges over HTTP, kept as files: what was asked, and what was answered, volatile values masked.

`python -m tests.wire.mcp.golden` asks the requests of the files again and writes down what is answered now. Read the
difference before you commit it: these are the bytes that clients in the field were built against.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2

from stateroom import __version__
from stateroom.settings import Settings
from tests.serving import serving
from tests.wire.mcp.raw import body
from tests.wire.mcp.script import masked

FILES = sorted((Path(__file__).parent / "golden").glob("*.json"))
HEADERS = ("content-type", "allow", "cache-control", "x-accel-buffering")
"""The headers of an answer that clients go by."""


async def replayed(conversation: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same requests, in their order, to a fresh server; with its answers."""
    async with serving(Settings(store="memory://")) as server, httpx2.AsyncClient(timeout=20) as http:
        return [{**one, "response": await _answered(http, server.url, one["request"])} for one in conversation]


async def _answered(http: httpx2.AsyncClient, url: str, request: dict[str, Any]) -> dict[str, Any]:
    content = request["body"] if isinstance(request["body"], str) else json.dumps(request["body"])
    method, place = request.get("method", "POST"), f"{url}{request.get('path', '/mcp')}"
    answer = await http.request(method, place, content=content.encode(), headers=request["headers"])
    headers = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
    said = masked(body(answer)) if answer.content else None
    return {"status": answer.status_code, "headers": headers, "body": _timeless(said)}


def _timeless(value: Any) -> Any:
    """Without the version of this very build."""
    if isinstance(value, dict):
        return {
            key: "…" if key == "version" and part == __version__ else _timeless(part) for key, part in value.items()
        }
    return [_timeless(part) for part in value] if isinstance(value, list) else value


async def record() -> None:
    for file in FILES:
        conversation = await replayed(json.loads(file.read_text()))
        file.write_text(json.dumps(conversation, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    asyncio.run(record())
