"""A client with short ways to say requests, and a room with something of everything."""

import httpx2
import pytest_asyncio

ENDPOINT = {"method": "GET", "path": "/me", "auth_required": True, "description": "d"}
BEFORE = {"service": "s", "version": "1", "endpoints": [{**ENDPOINT, "response": {"id": "string", "mail": "string"}}]}
AFTER = {"service": "s", "version": "1.1", "endpoints": [{**ENDPOINT, "response": {"id": "string"}}]}


class Api:
    """Requests below `/api/v1`."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http

    async def get(self, path, **query):
        return await self.http.get(f"/api/v1{path}", params=query or None)

    async def post(self, path, body=None):
        return await self.http.post(f"/api/v1{path}", json=body if body is not None else {})

    async def wish(self, command, wish, by="ann", request_id="", room="demo"):
        body = {"by": by, "request_id": request_id, "wish": wish}
        return await self.post(f"/rooms/{room}/commands/{command}", body)


@pytest_asyncio.fixture
async def api(server):
    async with httpx2.AsyncClient(base_url=server.url, timeout=20) as http:
        yield Api(http)


@pytest_asyncio.fixture
async def busy(api):
    """The room `demo`, in which ann and bob have done something of everything."""
    await api.wish("open-task", {"title": "one"})
    await api.wish("open-task", {"title": "two", "depends_on": ["T-01"], "priority": 1})
    await api.wish("move-task", {"task": "T-01", "to": "held", "owner": "ann"})
    contract = {"type": "api_contract", "summary": "auth", "payload": BEFORE, "consumers": ["bob"]}
    await api.wish("write-context", contract)
    await api.wish("revise-context", {"context": "C-01", "payload": AFTER})
    await api.wish("take-lease", {"resource": "file", "seconds": 60})
    await api.wish("set-variable", {"key": "k", "value": "3000"})
    await api.wish("request-review", {"target_type": "task", "target": "T-01", "reviewer": "bob"})
    await api.wish("post-message", {"type": "hello", "to": "all", "payload": {"needle": 1}}, by="bob")
    return api
