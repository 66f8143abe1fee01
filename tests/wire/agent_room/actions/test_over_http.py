"""The same over a real connection: the routes of the application, bodies in pieces, hang-ups, several servers."""

import asyncio

import httpx2
import pytest

from tests.serving import server_process, until

from .conftest import participant, said
from .test_crowd import Line


async def made_on(line: Line) -> dict[str, str]:
    """A room in which agents may talk as long as they like."""
    _, made = await line("create", topic="x", createdBy="Host", policy={"exchangeLimit": 0})
    return {"code": made["room"]["code"], "hostKey": made["hostKey"]}


async def test_a_file_is_uploaded_sent_and_fetched(server):
    """Through the application's own routes; by the code in any spelling (floor 10)."""
    async with httpx2.AsyncClient(base_url=server.url) as http, Line(server.url) as line:
        room = await made_on(line)
        await line("join", code=room["code"], participant=participant("Nova"))
        form = {"roomCode": room["code"]}
        answer = await http.post("/api/upload", data=form, files={"file": ("a.txt", b"hello", "text/plain")})
        assert answer.status_code == 201
        _, sent = await line("send", code=room["code"], message=said("Nova", "look", attachments=[answer.json()]))
        url = sent["message"]["attachments"][0]["url"]
        assert url.startswith("http://127.0.0.1:")
        fetched = await http.get(url[url.index("/blobs/") :])
        assert (fetched.content, fetched.headers["x-content-type-options"]) == (b"hello", "nosniff")
        absent = await http.post("/api/upload", data={"roomCode": "AAA-BBB-CCC"}, files={"file": ("a.txt", b"hello")})
        assert (absent.status_code, absent.json()["error"]) == (404, "room_not_found")


async def test_a_guest_takes_part_through_the_application(keyed_server):
    """On a server with keys: the code lets in, also with files; nothing else does."""
    async with httpx2.AsyncClient(base_url=keyed_server.url) as http:

        async def ask(key: str = "", **body):
            headers = {"authorization": f"Bearer {key}"} if key else {}
            return await http.post("/api/room", json=body, headers=headers)

        assert (await ask(action="create", topic="x", createdBy="Host")).status_code == 401
        made = (await ask("red-secret", action="create", topic="x", createdBy="Host")).json()
        code = made["room"]["code"]
        assert (await ask(action="join", code=code, participant=participant("Nova"))).status_code == 200
        answer = await http.post("/api/upload", data={"roomCode": code}, files={"file": ("a.txt", b"x", "text/plain")})
        assert answer.status_code == 201
        assert (await ask(action="get", code=code)).headers["cache-control"] == "no-store"
        assert (await http.get("/api/room")).json()["error"] == "BadRequestError"


async def test_a_body_above_the_limit_is_answered_over_a_real_connection(server):
    """413 with JSON, not a connection that is cut (gap 49, L17)."""
    async with Line(server.url) as line:
        room = await made_on(line)
        status, body = await line("send", code=room["code"], message=said("Host", "x" * 5_000_000))
    assert (status, body["error"]) == (413, "PayloadTooLargeError")


async def test_who_hangs_up_listens_no_more(server):
    """The wait ends with the connection, and so does the presence that goes with it."""
    async with Line(server.url) as line:
        room = await made_on(line)
        await line("join", code=room["code"], participant=participant("Nova"))
        listeners = server.engine.presence._listeners
        async with Line(server.url) as other:
            waiting = asyncio.create_task(other("listen", code=room["code"], since=0, name="Nova", timeoutMs=60_000))
            await until(lambda: listeners)
            waiting.cancel()
        await until(lambda: not listeners)


@pytest.mark.timeout(120)
async def test_two_servers_on_one_store_tell_every_line_once(tmp_path):
    """Writers on both, readers on both, by counted cursors: gapless, nothing twice; a wait is woken across (L01)."""
    async with server_process(tmp_path / "rooms.db") as one, server_process(tmp_path / "rooms.db") as two:
        urls = [one.url, two.url]
        async with Line(urls[0]) as line:
            room = await made_on(line)
            await line("join", code=room["code"], participant=participant("Host", "web"), hostKey=room["hostKey"])
        writing = asyncio.gather(*(write(urls[number % 2], room["code"], f"w{number}") for number in range(6)))
        reading = asyncio.gather(*(read(urls[number % 2], room["code"], 6 * 60) for number in range(4)))
        await writing
        seen = await asyncio.wait_for(reading, 60)
    assert all(lines == list(range(1, 6 * 60 + 1)) for lines in seen)


async def write(url: str, code: str, name: str) -> None:
    async with Line(url) as line:
        await line("join", code=code, participant=participant(name))
        for number in range(60):
            status, answer = await line("send", code=code, message=said(name, f"{number}"))
            assert status == 200, answer


async def read(url: str, code: str, wanted: int) -> list[int]:
    """The line numbers as a client of S3b sees them: its next cursor is the `total` it was told."""
    seen: list[int] = []
    cursor = 0
    async with Line(url) as line:
        while len(seen) < wanted:
            _, found = await line("listen", code=code, since=cursor, timeoutMs=20_000)
            _, found = await line("messages", code=code, cursor=cursor)
            seen += [one["line"] for one in found["messages"]]
            cursor = found["total"]
    return seen
