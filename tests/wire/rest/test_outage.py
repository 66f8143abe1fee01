"""A store that does not answer: said as such, everywhere, and nothing is lost or done twice over it."""

import asyncio
import logging

import httpx2
import pytest
import pytest_asyncio

from stateroom.app import StateroomApp
from stateroom.engine.access import Access, parse_keys
from stateroom.engine.clock import system_clock
from stateroom.engine.engine import Engine
from stateroom.faces.rest import health
from stateroom.settings import Settings
from stateroom.stores.memory import MemoryStore
from tests.serving import serving
from tests.wire.rest.conftest import Api
from tests.wire.rest.outage import SENTENCE, Outage


@pytest.fixture
def store():
    return Outage(MemoryStore(system_clock))


@pytest_asyncio.fixture
async def api(store):
    """A keyed server on that store, with a room."""
    keys = "red:red-secret"
    engine = Engine(store, system_clock, Access(parse_keys(keys)))
    async with (
        serving(Settings(api_keys=keys), StateroomApp(engine, Settings(api_keys=keys))) as served,
        httpx2.AsyncClient(
            base_url=served.url, timeout=20, headers={"authorization": "Bearer red-secret"}, trust_env=False
        ) as http,
    ):
        api = Api(http)
        await api.wish("open-task", {"title": "before"})
        yield api


async def test_every_kind_of_request_says_that_the_store_is_away(api, store):
    """503 with when to come back and what to do, never a word about keys (W-52)."""
    store.down = True
    first = await api.wish("open-task", {"title": "t"})  # from here on the room has to be read again
    others = [await api.get("/rooms"), await api.get("/rooms/demo/plan"), await api.http.get("/rooms/demo/stream")]
    for answer in (first, *others, await api.post("/rooms/demo/inbox/bob")):
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["message"]) == (503, "store_unavailable", SENTENCE)
        assert (int(answer.headers["retry-after"]), bool(error["hint"])) == (1, True)
    wrong = await api.http.get("/api/v1/rooms", headers={"authorization": "Bearer nonsense"})
    assert wrong.status_code == 401


async def test_a_request_repeated_after_an_outage_has_its_effect_once(api, store):
    """Same request id, same effect: whether it was done before the answer was lost or not."""
    store.down = True
    assert (await api.wish("open-task", {"title": "t"}, request_id="r")).status_code == 503
    store.down = False
    for replayed in (False, True):
        answer = (await api.wish("open-task", {"title": "t"}, request_id="r")).json()
        assert answer["replayed"] is replayed
    assert [task["title"] for task in (await api.get("/rooms/demo/plan")).json()] == ["before", "t"]


async def test_health_says_that_it_is_unwell_and_why(api, store):
    """503 and a sentence while the store fails, 200 again afterwards; no key is asked for."""
    async with httpx2.AsyncClient(base_url=api.http.base_url) as http:
        store.down = True
        unwell = await http.get("/health")
        assert (unwell.status_code, unwell.json()["ok"], unwell.json()["problem"]) == (503, False, SENTENCE)
        assert unwell.headers["retry-after"] == "1"
        store.down = False
        assert (await http.get("/health")).json()["ok"] is True


async def test_a_store_that_never_answers_is_unwell_too(api, store, monkeypatch):
    """Health does not hang with it."""
    monkeypatch.setattr(health, "PATIENCE_S", 0.01)
    store.mute = True
    unwell = await api.http.get("/health")
    store.mute = False
    assert (unwell.status_code, unwell.json()["problem"]) == (503, "The store has not answered for 0.01 s.")


async def test_a_stream_that_loses_its_store_ends_and_goes_on_later(api, store, caplog):
    """It ends in good order, not as a fault of ours; a client that comes back with the last id misses nothing."""
    with caplog.at_level(logging.ERROR):
        async with api.http.stream("GET", "/rooms/demo/stream") as answer:
            lines = answer.aiter_lines()
            last = await id_after(lines)
            store.down = True
            await api.wish("open-task", {"title": "lost"})
            async with asyncio.timeout(15):
                assert [line async for line in lines if line][-1] == ": interrupted"
    assert caplog.records == []
    store.down = False
    await api.wish("open-task", {"title": "after"})
    async with api.http.stream("GET", "/rooms/demo/stream", headers={"last-event-id": last}) as answer:
        assert await id_after(answer.aiter_lines()) == str(int(last) + 1)


async def id_after(lines):
    """The id of the next frame, read to its end."""
    async with asyncio.timeout(15):
        while not (line := await anext(lines)).startswith("id: "):
            pass
        while await anext(lines):
            pass
    return line.removeprefix("id: ")


async def test_a_fault_of_ours_has_the_one_shape_and_no_details(api, monkeypatch, caplog):
    """500 in JSON with a request id; what went wrong is for the server's own log."""

    def broken(*_):
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(Engine, "rooms_of", broken)
    with caplog.at_level(logging.CRITICAL):
        answer = await api.get("/rooms")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "http_500")
    assert "secret" not in answer.text
    assert answer.headers["x-request-id"]
