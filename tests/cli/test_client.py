"""The client: what a server says in the native shapes, what it refuses as a Problem, and a stream that goes on."""

import asyncio

import httpx2
import pytest

from stateroom.client import Client, Problem, Unreachable
from stateroom.client.sse import Frame, frames
from tests.cli.running import fill
from tests.serving import free_port


async def test_a_room_is_made_filled_and_read(server):
    """Health, rooms, commands, views, log and inbox, each in its shape; a repeated request has its effect once."""
    async with Client(server.url) as client:
        assert (await client.health()).ok
        await fill(client, "demo")
        (room,) = await client.rooms()
        assert room == await client.room(room.code)
        assert (room.tasks, room.tasks_done, room.members) == (1, 1, 2)
        wish = {"type": "note", "to": "all", "payload": {}}
        first = await client.command("demo", "post-message", wish, by="a", request_id="r-1")
        again = await client.command("demo", "post-message", wish, by="a", request_id="r-1")
        assert (first.replayed, again.replayed) == (False, True)
        assert [task["state"] for task in await client.plan("demo")] == ["done"]
        assert {one.name for one in await client.members("demo")} == {"backend", "frontend", "a"}
        page = await client.entries("demo", after=2, limit=3)
        assert [entry.position for entry in page.entries] == [3, 4, 5]
        assert await client.context("demo", type="note") == []
        assert await client.view("demo", "variables") == {}
        assert (await client.inbox("demo", "b", peek=True, limit=1))["events"][0]["type"] == "task_added"


async def test_a_refusal_is_a_problem_with_code_hint_and_status(server):
    """What the server says in its one error shape arrives in one exception."""
    async with Client(server.url) as client:
        with pytest.raises(Problem) as caught:
            await client.room("nowhere")
    problem = caught.value
    assert (problem.status, bool(problem.code), bool(str(problem)), bool(problem.hint)) == (404, True, True, True)


async def test_nobody_there_says_what_to_do(tmp_path):
    """No server, and no URL: Unreachable, whose sentence names the URL and the command that starts one."""
    nobody = f"http://127.0.0.1:{free_port()}"
    async with Client(nobody) as client:
        with pytest.raises(Unreachable, match=f"{nobody}.*stateroom up"):
            await client.health()
        with pytest.raises(Unreachable):
            await anext(client.follow("demo"))
    for wrong in ("", "127.0.0.1:7373", "ftp://here", "http://", "http://[::1"):
        with pytest.raises(Unreachable, match="should look like"):
            Client(wrong)


async def test_another_server_is_not_taken_for_ours():
    """Something else answers: a Problem that says so, whatever it answered."""

    def answer(request):
        return httpx2.Response(200 if request.url.path == "/health" else 500, text="<html>hello</html>")

    async with Client("http://127.0.0.1:1", transport=httpx2.MockTransport(answer)) as client:
        with pytest.raises(Problem, match="something else than Stateroom"):
            await client.health()
        with pytest.raises(Problem, match="HTTP 500"):
            await client.rooms()


async def test_following_goes_on_where_a_cut_connection_was():
    """Each new connection names the last position heard, so that nothing is missed and nothing comes twice."""
    asked = []

    async def part(after):
        for position in (after + 1, after + 2):
            yield b'id: %d\nevent: message\ndata: {"position": %d}\n\n' % (position, position)
        raise httpx2.ReadError("cut")

    def answer(request):
        asked.append(request.headers["last-event-id"])
        if len(asked) == 2:
            raise httpx2.ConnectError("starting again")
        return httpx2.Response(200, stream=Chunks(part(int(asked[-1]))))

    async with Client("http://127.0.0.1:1", transport=httpx2.MockTransport(answer)) as client:
        following = client.follow("demo", after=4)
        async with asyncio.timeout(20):
            heard = [(await anext(following))["position"] for _ in range(5)]
        await following.aclose()
    assert heard == [5, 6, 7, 8, 9]
    assert asked == ["4", "6", "6", "8"]


async def test_following_ends_when_the_room_does_not_go_on():
    """A server that came back with another past refuses the cursor: that is raised, not tried for ever."""
    answers = iter([httpx2.Response(200, text='id: 9\ndata: {"position": 9}\n\n'), httpx2.Response(409, text="{}")])
    async with Client("http://127.0.0.1:1", transport=httpx2.MockTransport(lambda _: next(answers))) as client:
        following = client.follow("demo")
        assert (await anext(following))["position"] == 9
        with pytest.raises(Problem):
            await anext(following)


class Chunks(httpx2.AsyncByteStream):
    def __init__(self, chunks):
        self._chunks = chunks

    async def __aiter__(self):
        async for chunk in self._chunks:
            yield chunk


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
async def test_frames_are_found_however_the_bytes_come(size):
    """Cut anywhere, also inside a character; lines end at newlines only, not at U+2028 or U+0085."""
    text = ': hello\r\n\nid: 1\nevent: message\ndata: {"t":"a\u2028b\u0085c€"}\n\ndata: {}\r\n\r\nid: 3\n\n'.encode()

    async def chunks():
        for start in range(0, len(text), size):
            yield text[start : start + size]

    found = [frame async for frame in frames(chunks())]
    assert found == [Frame("1", '{"t":"a\u2028b\u0085c€"}'.encode()), Frame("1", b"{}")]
