"""What waits: long polls and the inbox, and what becomes of them when their client goes."""

import asyncio
from contextlib import asynccontextmanager

from tests.serving import until


async def test_a_long_poll_returns_the_moment_something_happens(busy):
    """`wait_ms` waits for the first entry and no longer."""
    last = (await busy.get("/rooms/demo")).json()["position"]
    waiting = asyncio.create_task(busy.get("/rooms/demo/entries", after=last, wait_ms=15_000))
    await busy.wish("post-message", {"type": "now", "to": "all", "payload": {}})
    assert [entry["event"] for entry in (await waiting).json()["entries"]] == ["MessagePosted"]
    assert (await busy.get("/rooms/demo/entries", after=last + 1, wait_ms=1)).json()["entries"] == []


async def test_an_inbox_waits_for_the_first_event(busy):
    """`wait_ms` answers with what comes, and with nothing when nothing comes."""
    box = "/rooms/demo/inbox/cyn"
    while (await busy.post(box)).json()["events"]:
        pass
    assert (await busy.post(box, {"wait_ms": 1})).json()["events"] == []
    waiting = asyncio.create_task(busy.post(box, {"wait_ms": 15_000}))
    await busy.wish("post-message", {"type": "now", "to": "all", "payload": {}})
    assert [event["type"] for event in (await waiting).json()["events"]] == ["now"]


@asynccontextmanager
async def hanging(server, method, path, body=b""):
    """A request that waits; at the end its client hangs up, and the server has noticed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    head = f"{method} /api/v1/rooms/demo/{path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await until(server.engine.rooms.bells.waiting)
    yield reader
    writer.close()
    await until(lambda: not server.engine.rooms.bells.waiting())


async def test_an_inbox_whose_client_hung_up_consumes_nothing(server, busy):
    """Once a member's event was lost to a connection that nobody read any more: the wait went on after the hang-up,
    took the next event off the inbox, and had nobody to give it to (W-41, trap 7)."""
    box = "/rooms/demo/inbox/cyn"
    while (await busy.post(box)).json()["events"]:
        pass
    async with hanging(server, "POST", "inbox/cyn", b'{"wait_ms":20000}'):
        pass
    await busy.wish("post-message", {"type": "precious", "to": "cyn", "payload": {}})
    assert [event["type"] for event in (await busy.post(box)).json()["events"]] == ["precious"]


async def test_a_long_poll_ends_with_its_connection(server, busy):
    """Nothing waits on for a client that is gone."""
    last = (await busy.get("/rooms/demo")).json()["position"]
    async with hanging(server, "GET", f"entries?after={last}&wait_ms=20000"):
        assert server.engine.rooms.bells.waiting() == 1
    assert server.engine.rooms.bells.waiting() == 0


async def test_the_inbox_takes_peeks_and_acknowledges(busy):
    """What is taken is gone, what is peeked at stays, what is not acknowledged comes again."""
    box = "/rooms/demo/inbox/cyn"
    peeked = (await busy.post(box, {"peek": True})).json()
    assert (await busy.post(box, {"peek": True})).json() == peeked
    some = (await busy.post(box, {"ack": 0, "limit": 2})).json()
    assert (await busy.post(box, {"ack": 0, "limit": 2})).json() == some
    rest = (await busy.post(box, {"ack": some["position"]})).json()
    taken = (await busy.post(box)).json()
    assert rest["events"] == taken["events"] == peeked["events"][2:]
    assert (await busy.post(box)).json()["events"] == []
    for outside in (-1, 10_000, 10**30):
        assert (await busy.post(box, {"ack": outside})).json()["error"]["code"] == "bad_cursor"
