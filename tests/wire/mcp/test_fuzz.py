"""A thousand requests that are almost right: each gets an answer, and none of them a fault of ours."""

import asyncio
import random

import httpx2
import pytest

from stateroom.faces.mcp import listen
from stateroom.settings import Settings
from tests.serving import serving
from tests.wire.mcp.mutations import mutated
from tests.wire.mcp.raw import Raw, body

INTERNAL_ERROR = -32603
SEEDS, EACH = range(5), 200


async def answer(http, url, content, headers):
    """(HTTP status, JSON-RPC error code or None, whether there is a result); Raises for what is no JSON."""
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    response = await http.post(url, content=content, headers=encoded)
    said = body(response) if response.content else {}
    error = said.get("error", {})
    return response.status_code, error.get("code") if isinstance(error, dict) else None, "result" in said


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_mutated_request_is_never_our_fault(monkeypatch, seed):
    """No status of 500 or above, no internal error, and afterwards the server works as before."""
    monkeypatch.setattr(listen, "STREAM_S", 0.01)
    chance = random.Random(seed)
    requests = [mutated(chance) for _ in range(EACH)]
    limits = httpx2.Limits(max_connections=10)
    async with serving(Settings(store="memory://")) as server, httpx2.AsyncClient(timeout=30, limits=limits) as http:
        url = f"{server.url}/mcp"
        answers = await asyncio.gather(*(answer(http, url, *request) for request in requests))
        task = {"roomId": "after", "title": "t", "description": ""}
        assert not (await Raw(http, url, "2025-11-25").call("add_task", task))[0]
    faults = [one for one in zip(requests, answers, strict=True) if one[1][0] >= 500 or one[1][1] == INTERNAL_ERROR]
    assert not faults
    assert sum(result for _, _, result in answers) > EACH / 3, "too few got as far as a tool"
