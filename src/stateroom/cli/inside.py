"""A client of the application in this very process: how commands read a store on which no server runs.

The same application answers in the same shapes; only the socket is missing.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2

from stateroom.app import StateroomApp, make_app
from stateroom.cli.errors import spoken
from stateroom.client import Client
from stateroom.log.seam import Unavailable
from stateroom.settings import DEFAULT_HOST, Settings, SettingsError

BASE = "http://127.0.0.1"


@asynccontextmanager
async def inside(settings: Settings) -> AsyncIterator[Client]:
    """Open the settings' store for as long as the context lasts. Raises CliError."""
    with spoken(SettingsError, Unavailable):
        app = make_app(replace(settings, host=DEFAULT_HOST))  # it listens nowhere, so any host is as safe
        transport = InsideTransport(app)
        async with app.engine.running(), Client(BASE, settings.api_key, transport=transport) as client:
            yield client


class InsideTransport(httpx2.AsyncBaseTransport):
    """Hands requests to an application. Unlike httpx2's own it does not wait for an answer's end, so events can be
    followed."""

    def __init__(self, app: StateroomApp) -> None:
        self._app = app

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        call = _Call(await request.aread())
        task = asyncio.create_task(self._app(_scope(request), call.receive, call.send))
        task.add_done_callback(call.end)
        start = await call.sent.get()
        if start is None:
            raise httpx2.ReadError("the application ended without an answer") from task.exception()
        return httpx2.Response(start["status"], headers=start["headers"], stream=_Body(call, task))


class _Call:
    """Both ends of one request."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.sent: asyncio.Queue[Any] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        if self._body is None:
            await asyncio.Event().wait()  # nobody hangs up: the task is cancelled instead
        body, self._body = self._body, None
        return {"type": "http.request", "body": body}

    async def send(self, event: Any) -> None:
        await self.sent.put(event)

    def end(self, task: "asyncio.Task[None]") -> None:
        self.sent.put_nowait(None)


class _Body(httpx2.AsyncByteStream):
    def __init__(self, call: _Call, task: "asyncio.Task[None]") -> None:
        self._call, self._task = call, task

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (event := await self._call.sent.get()) is not None:
            yield event.get("body", b"")

    async def aclose(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def _scope(request: httpx2.Request) -> dict[str, Any]:
    return {
        "type": "http",
        "method": request.method,
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "query_string": request.url.query,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
        "asgi": {"version": "3.0"},
    }
