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


async def test_a_conversation_is_held_through_typed_calls(server):
    """A room with a host, seats and their keys, lines, floor, report and export, each in its shape."""
    async with Client(server.url) as client:
        made = await client.create_room(host="Ann", topic="Checkout API")
        assert (made.topic, made.host, made.id, bool(made.host_key)) == ("Checkout API", "Ann", made.code, True)
        ben = await client.take_seat(made.code, "Ben", role="skeptic")
        assert (ben.name, ben.renamed, ben.line, bool(ben.seat_key)) == ("Ben", False, 0, True)
        assert (await client.take_seat(made.code, "Ben")).renamed
        assert (await client.take_seat(made.code, "Ben", seat_key=ben.seat_key)).seat_key == ben.seat_key
        said = await client.say(made.code, "[DECISION] ids", "Ben", request_id="r-1")
        again = await client.say(made.code, "[DECISION] ids", "Ben", request_id="r-1")
        assert (said.replayed, again.replayed) == (False, True)
        await client.say(made.code, "ok", "Ben (2)", status=True, reply_to=said.position)
        page = await client.lines(made.code, after=1, limit=1)
        assert (page.next, page.last, page.terminated, len(page.lines)) == (2, 2, "", 1)
        assert page.lines[0]["replyTo"]["text"] == "[DECISION] ids"
        floor = await client.floor(made.code, "Ben")
        assert (floor.turn, floor.standing["canISpeakNow"]) == (None, True)
        frozen = await client.export(made.code, "Ben", seat_key=ben.seat_key)
        assert (await client.frozen(frozen.id)).report == frozen.report
        assert (await client.report(made.code, "adr")).markdown.startswith("# Checkout API")
        assert (await client.report(made.code)).report["decisions"] == ["Ben: ids"]


async def test_a_worker_takes_submits_and_verifies_tasks(server):
    """What a worker's script needs: the next task with its token, commands that bring it on, and what is owed."""
    run = {"file_listing": "a.py", "file_excerpt": "x = 1", "run_output": "1 passed", "exit_code": 0}
    async with Client(server.url) as client:
        await client.command("demo", "open-task", {"title": "one", "verifier": "ben"}, by="ann")
        given = await client.next_task("demo", "ann", 60, request_id="r-1")
        again = await client.next_task("demo", "ann", 60, request_id="r-1")
        assert (given.task["id"], given.token, given.resumed, given.documents) == ("T-01", 1, False, [])
        assert (again.replayed, again.token, again.lease_until > given.task["lease"]["granted_at"]) == (True, 1, True)
        with pytest.raises(Problem) as caught:
            await client.command("demo", "submit-task", {"task": "T-01", "token": 2, **run}, by="ann")
        assert (caught.value.code, caught.value.status) == ("token_stale", 409)
        await client.command("demo", "submit-task", {"task": "T-01", "token": given.token, **run}, by="ann")
        owed = await client.duties("demo", "ben")
        assert ([task["id"] for task in owed.to_verify], owed.current, owed.queued) == (["T-01"], [], [])
        await client.command("demo", "verify-task", {"task": "T-01", "verdict": "done"}, by="ben")
        assert (await client.duties("demo", "ben")).to_verify == []
        assert (await client.next_task("demo", "ann")).task is None


async def test_listening_ends_with_the_room_and_not_before_its_last_line(server):
    """More lines than one answer holds come page by page; the last one says why there is no more."""
    async with Client(server.url) as client:
        made = await client.create_room(host="Ann", topic="Long")
        await client.take_seat(made.code, "Ann", "human", host_key=made.host_key)
        for number in range(150):
            await client.say(made.code, str(number), "Ann")
        await client.command(made.code, "end-room", {}, by="Ann", host_key=made.host_key)
        async with asyncio.timeout(20):
            pages = [page async for page in client.listen(made.code)]
    numbers = [line["line"] for page in pages for line in page.lines]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 150
    assert pages[-1].terminated == "room_ended"


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


async def test_listening_goes_on_where_a_lost_answer_was():
    """Away, and a store that is away: asked again from the same line. Any other refusal is raised."""
    asked = []

    def answer(request):
        asked.append(int(request.url.params["after"]))
        if len(asked) == 2:
            raise httpx2.ReadError("cut")
        if len(asked) == 3:
            return httpx2.Response(503, text="{}")
        if len(asked) == 5:
            return httpx2.Response(403, text="{}")
        return httpx2.Response(200, json={"lines": [{"line": asked[-1] + 1}], "next": asked[-1] + 1, "last": 9})

    async with Client("http://127.0.0.1:1", transport=httpx2.MockTransport(answer)) as client:
        listening = client.listen("demo", after=4)
        async with asyncio.timeout(20):
            heard = [(await anext(listening)).next for _ in range(2)]
            with pytest.raises(Problem):
                await anext(listening)
    assert (heard, asked) == ([5, 6], [4, 5, 5, 5, 6])


async def test_listening_is_given_up_when_patience_is_over():
    """A server that was never reached, and one that stays away for longer than was to be borne: Unreachable."""
    answers = iter([httpx2.Response(200, json={"lines": [{}], "next": 1, "last": 1})])

    def answer(request):
        found = next(answers, None)
        if found is None:
            raise httpx2.ConnectError("gone")
        return found

    async with Client("http://127.0.0.1:1", transport=httpx2.MockTransport(answer)) as client:
        listening = client.listen("demo", patience_s=0)
        await anext(listening)
        with pytest.raises(Unreachable):
            await anext(listening)
    async with Client("http://127.0.0.1:1", transport=httpx2.MockTransport(answer)) as client:
        with pytest.raises(Unreachable):
            await anext(client.listen("demo"))


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
