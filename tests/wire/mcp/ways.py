"""Every way into the server, each as one function from (method, params) to the answer on the wire."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

import fastmcp
import httpx2
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from stateroom.settings import Settings
from tests.serving import environment, serving
from tests.wire.mcp.piped import INITIALIZE, stdio
from tests.wire.mcp.raw import LEGACY, MODERN, Raw
from tests.wire.mcp.script import Ask

Way = Callable[[Path], AbstractAsyncContextManager[Ask]]
"""A fresh server with its store in a folder, and how to ask it."""
METHODS = {
    "tools/list": "list_tools",
    "tools/call": "call_tool",
    "resources/list": "list_resources",
    "resources/templates/list": "list_resource_templates",
    "resources/read": "read_resource",
    "prompts/list": "list_prompts",
    "prompts/get": "get_prompt",
}


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[str]:
    async with serving(Settings(store=f"sqlite:///{folder / 'rooms.db'}")) as server:
        yield f"{server.url}/mcp"


@asynccontextmanager
async def by_hand(version: str | None, folder: Path) -> AsyncIterator[Ask]:
    async with served(folder) as url, httpx2.AsyncClient(timeout=20) as http:
        yield Raw(http, url, version).ask


@asynccontextmanager
async def by_pipe(modern: bool, folder: Path) -> AsyncIterator[Ask]:
    async with stdio(folder) as agent:
        if not modern:
            await agent.answer(agent.ask("initialize", INITIALIZE))

        async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
            return await agent.answer(agent.ask(method, params, modern=modern))

        yield ask


@asynccontextmanager
async def official(mode: Literal["auto", "legacy"], folder: Path) -> AsyncIterator[Ask]:
    async with served(folder) as url, Client(url, mode=mode) as client:
        yield partial(_asked, client, "")


@asynccontextmanager
async def official_stdio(mode: Literal["auto", "legacy"], folder: Path) -> AsyncIterator[Ask]:
    arguments = ["-m", "stateroom", "mcp", "--store", f"sqlite:///{folder / 'rooms.db'}"]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environment())
    async with Client(stdio_client(parameters), mode=mode) as client:
        yield partial(_asked, client, "")


@asynccontextmanager
async def fast(folder: Path) -> AsyncIterator[Ask]:
    async with served(folder) as url, fastmcp.Client(url) as client:
        yield partial(_asked, client, "_mcp")


async def _asked(client: Any, suffix: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """A client's method for a method of the protocol; its answer as it was on the wire."""
    try:
        result = await getattr(client, METHODS[method] + suffix)(*params.values())
    except MCPError as error:
        return {"error": error.error.model_dump(by_alias=True, mode="json", exclude_unset=True)}
    return {"result": result.model_dump(by_alias=True, mode="json", exclude_unset=True)}


WAYS: dict[str, Way] = {
    **{f"raw HTTP {version}": partial(by_hand, version) for version in (MODERN, *LEGACY)},
    "raw HTTP without a version": partial(by_hand, None),
    "raw stdio, modern": partial(by_pipe, True),
    "raw stdio, legacy": partial(by_pipe, False),
    "official client, auto": partial(official, "auto"),
    "official client, legacy": partial(official, "legacy"),
    "official client on stdio, auto": partial(official_stdio, "auto"),
    "official client on stdio, legacy": partial(official_stdio, "legacy"),
    "fastmcp's client": fast,
}
