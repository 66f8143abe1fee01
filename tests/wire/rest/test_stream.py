"""The event stream: frames and comments of the protocol, without gaps."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
import msgspec
import pytest
import pytest_asyncio

from stateroom.faces.rest import stream
from stateroom.faces.rest.frames import KEPT


@pytest_asyncio.fixture
async def http(server):
    async with httpx2.AsyncClient(base_url=server.url, timeout=20) as http:
        await http.post("/api/v1/rooms", json={"id": "demo"})
        yield http


async def post(http, n):
    body = {"by": "ann", "wish": {"type": "n", "to": "all", "payload": {"n": n}}}
    answer = await http.post("/api/v1/rooms/demo/commands/post-message", json=body)
    return answer.json()["position"]


@asynccontextmanager
async def listening(http, query="", **headers):
    """The lines of a stream, one after another."""
    async with http.stream("GET", f"/rooms/demo/stream{query}", headers=headers) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        yield answer.aiter_lines()


async def events(lines, count):
    """The next `count` events with their ids."""
    found, id_ = [], None
    async with asyncio.timeout(15):
        while len(found) < count:
            line = await anext(lines)
            if line.startswith("id: "):
                id_ = int(line.removeprefix("id: "))
            elif line.startswith("data: "):
                found.append((id_, msgspec.json.decode(line.removeprefix("data: "))))
    return found


async def test_frames_are_those_of_the_protocol(http):
    """A comment, then `id`, `event: message` and one line of data per event (protocol §5.4)."""
    position = await post(http, 1)
    async with listening(http) as lines:
        got = [await anext(lines) for _ in range(6)]
    assert got[0] == ": connected demo"
    assert got[2:4] == [f"id: {position}", "event: message"]
    assert msgspec.json.decode(got[4].removeprefix("data: "))["payload"] == {"n": 1}
    assert got[1] == got[5] == ""


async def test_a_burst_is_delivered_whole_and_in_order(http):
    """More events than any window, some before and some after connecting: each once (W-44)."""
    await asyncio.gather(*(post(http, n) for n in range(60)))
    async with listening(http) as lines:
        first = await events(lines, 60)
        await asyncio.gather(*(post(http, n) for n in range(60, 200)))
        rest = await events(lines, 140)
    ids = [id_ for id_, _ in first + rest]
    assert ids == sorted(set(ids))
    assert sorted(event["payload"]["n"] for _, event in first + rest) == list(range(200))


@pytest.mark.parametrize("how", ["header", "query"])
async def test_a_cut_stream_goes_on_where_it_was(http, how):
    """`Last-Event-ID`, or `after`, loses nothing and repeats nothing."""
    for n in range(10):
        await post(http, n)
    async with listening(http) as lines:
        seen = await events(lines, 4)
    last = str(seen[-1][0])
    resumed = {"last-event-id": last} if how == "header" else {}
    async with listening(http, "" if how == "header" else f"?after={last}", **resumed) as lines:
        rest = await events(lines, 6)
    assert [event["payload"]["n"] for _, event in seen + rest] == list(range(10))


async def test_since_is_a_time(http):
    """Strictly later events only, in whatever spelling of UTC."""
    await post(http, 1)
    now = (await http.get("/api/v1/rooms/demo/events")).json()[-1]["timestamp"]
    async with listening(http, f"?since={now}") as lines, listening(http, f"?since={now[:-1]}000Z") as others:
        position = await post(http, 2)
        for heard in (lines, others):
            assert [id_ for id_, _ in await events(heard, 1)] == [position]
    async with listening(http, "?since=2020-01-01T00:00:00Z") as lines:
        assert [event["payload"]["n"] for _, event in await events(lines, 2)] == [1, 2]


@pytest.mark.parametrize("since", ["yesterday", "2026-13-01T00:00:00Z", "2026-12-01T00:00:00", "2026-12-01", "0"])
async def test_a_since_that_is_no_time_is_refused(http, since):
    """400, never a stream from somewhere else (W-44)."""
    bad = await http.get("/rooms/demo/stream", params={"since": since})
    assert (bad.status_code, bad.json()["error"]["code"]) == (400, "bad_since")


@pytest.mark.parametrize("cursor", ["999", "-1", "abc", "1.5", "١", "9" * 5_000])
@pytest.mark.parametrize("how", ["header", "query"])
async def test_a_cursor_outside_the_log_is_refused(http, cursor, how):
    """An explicit error with the valid range; once one of five thousand digits was a fault of ours."""
    resumed = {"headers": {"last-event-id": cursor.encode()}} if how == "header" else {"params": {"after": cursor}}
    answer = await http.get("/rooms/demo/stream", **resumed)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_cursor")


@pytest.mark.parametrize(
    ("room", "status", "text"),
    [
        ("nope", 403, "Room not found or access denied"),
        ("Nope!", 400, "Invalid roomId: use 2–64 chars of [a-z0-9_-], starting with alphanumeric"),
        ("no__pe", 400, "Invalid roomId: reserved prefix"),
    ],
)
async def test_a_room_that_is_not_there_is_denied_in_the_protocols_words(http, room, status, text):
    """The one vague text, and the two about ids (protocol §5.4)."""
    answer = await http.get(f"/rooms/{room}/stream")
    assert (answer.status_code, answer.json()) == (status, {"error": text})


async def test_a_stream_is_only_read(http):
    """Other methods are told so."""
    assert (await http.post("/rooms/demo/stream")).status_code == 405


async def test_a_large_backlog_comes_whole(http):
    """Larger than what is sent at once, or kept ready: in order, each event once."""
    body = {"by": "ann", "wish": {"type": "n", "to": "all", "payload": {"text": "x" * 2_000}}}
    for _ in range(stream.PART_BYTES // 2_000 + KEPT):
        await http.post("/api/v1/rooms/demo/commands/post-message", json=body)
    count = (await http.get("/api/v1/rooms/demo")).json()["events"]
    async with listening(http) as lines:
        ids = [id_ for id_, _ in await events(lines, count)]
    assert ids == sorted(set(ids))
    assert len(ids) == count > KEPT


async def test_a_stream_does_not_run_on_into_another_life_of_its_room(http, server):
    """A room that was dropped ends its streams; the frames of its old entries are not shown for the new ones."""
    await post(http, 1)
    card = await server.engine.find(server.engine.access.admit(""), "demo")
    async with listening(http) as lines:
        first, _ = (await events(lines, 1))[0]
        await server.engine.rooms.forget(card.key)
        async with asyncio.timeout(15):
            assert [line async for line in lines if line] == [": interrupted"]
    again = [await post(http, n) for n in (2, 3)]
    assert first in range(1, again[-1] + 1)
    async with listening(http) as lines:
        assert [event["payload"]["n"] for _, event in await events(lines, 2)] == [2, 3]


async def test_withdrawn_events_are_not_shown(http):
    """A tombstone is told, what it withdraws is not."""
    first, second = await post(http, 1), await post(http, 2)
    await http.post("/api/v1/rooms/demo/commands/withdraw-message", json={"by": "ann", "wish": {"position": first}})
    async with listening(http) as lines:
        got = await events(lines, 2)
    assert [id_ for id_, _ in got] == [second, second + 1]
    assert got[1][1]["type"] == "event_deleted"


async def test_a_quiet_stream_shows_that_it_lives_and_ends_by_itself(http, monkeypatch):
    """Heartbeat comments while nothing happens; `: timeout` at the end of its time."""
    monkeypatch.setattr(stream, "PULSE_S", 0.01)
    monkeypatch.setattr(stream, "STREAM_S", 0.1)
    async with listening(http) as lines:
        said = [line async for line in lines if line]
    assert any(line.startswith(": heartbeat 20") for line in said)
    assert said[-1] == ": timeout"


async def test_a_listener_that_hangs_up_leaves_nothing_behind(http, server):
    """The bell of a closed stream is taken down."""
    async with listening(http) as lines:
        await anext(lines)
    async with asyncio.timeout(10):
        while server.engine.rooms.bells.waiting():
            await http.get("/health")
