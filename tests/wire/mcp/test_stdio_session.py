"""The stdio transport around toys: lines, ids, cancelling, and the ends it can come to."""

import asyncio
import json
import os
import pty
import signal
import sys
from contextlib import asynccontextmanager

import pytest

from stateroom.faces.mcp.server import Server
from stateroom.faces.mcp.stdio import CHUNK_BYTES, MAX_LINE_BYTES, TOO_LONG, StdioSession, lines
from tests.serving import environment, until
from tests.wire.mcp.raw import META
from tests.wire.mcp.toys import SECRET

SERVE = """
import asyncio
from stateroom.faces.mcp import stdio
from stateroom.faces.mcp.server import Server
from tests.wire.mcp.toys import Toys
async def main():
    await stdio.serve(Server(Toys()), "")
asyncio.run(main())
"""
COMMAND = (sys.executable, "-c", SERVE)
DEADLINE_S = 20.0


def message(method, params=None, id=1, **more):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}, **more}).encode()


def call(tool, id=1, meta=None, **arguments):
    return message("tools/call", {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}, id)


class Talk:
    """A session in this process, and what it has said."""

    def __init__(self, toys):
        self.said = []
        self.session = StdioSession(Server(toys), "", "", self._write)

    async def _write(self, line):
        self.said.append(json.loads(line))

    async def tell(self, *messages):
        for one in messages:
            await self.session.take(one)

    async def heard(self, count=1):
        """The next answers, oldest first."""
        await until(lambda: len(self.said) >= count)
        heard, self.said = self.said[:count], self.said[count:]
        return heard


@pytest.fixture
def talk(toys):
    """A session that has not shaken hands yet."""
    return Talk(toys)


async def read(*chunks):
    """The lines of a pipe into which these chunks are written, one after another."""
    source, end = os.pipe()

    def write():
        for chunk in chunks:
            os.write(end, chunk)
        os.close(end)

    writing = asyncio.create_task(asyncio.to_thread(write))
    try:
        return [line async for line in lines(source)]
    finally:
        await writing
        os.close(source)


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ((b"a\nb\n",), [b"a", b"b"]),
        ((b"a", b"b\nc", b"\n"), [b"ab", b"c"]),
        ((b"a\r\nb",), [b"a\r", b"b"]),
        (("€\n".encode()[:2], "€\n".encode()[2:]), ["€".encode()]),
        ((), []),
        ((b"\n\n",), [b"", b""]),
    ],
)
async def test_a_line_is_a_line_however_it_arrives(chunks, expected):
    """Chunks and lines have nothing to do with each other; the last line needs no end."""
    assert await read(*chunks) == expected


async def test_a_line_at_the_limit_is_read(toys):
    """One byte more is not."""
    assert await read(b"a" * MAX_LINE_BYTES + b"\n", b"b\n") == [b"a" * MAX_LINE_BYTES, b"b"]
    assert await read(b"a" * (MAX_LINE_BYTES + 1) + b"\n", b"b\n") == [TOO_LONG, b"b"]


async def test_no_part_of_a_line_that_is_too_long_is_taken_for_a_message(talk):
    """Whatever stands after the limit, the line is one refusal, and the next line is read."""
    smuggled = message("tools/call", {"name": "add", "arguments": {"a": 1}}, "smuggled")
    filling = b" " * (MAX_LINE_BYTES + CHUNK_BYTES)
    whole = await read(filling, smuggled, filling, smuggled, b"\n", message("ping", id=2) + b"\n")
    await talk.tell(*whole)
    refused, pinged = await talk.heard(2)
    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    assert str(MAX_LINE_BYTES) in refused["error"]["message"]
    assert pinged == {"jsonrpc": "2.0", "id": 2, "result": {}}


async def test_a_fault_is_answered_and_the_session_goes_on(talk, caplog):
    """A tool that breaks is an internal error for its call alone."""
    await talk.tell(call("broken"), call("add", 2, a=1))
    broken, added = sorted(await talk.heard(2), key=lambda answer: answer["id"])
    assert broken["error"]["code"] == -32603
    assert SECRET not in str(broken)
    assert SECRET in caplog.text
    assert added["result"]["structuredContent"] == {"sum": 1}


async def test_a_fault_in_a_subscription_is_its_answer(talk, toys):
    """The client learns that nothing more will come."""
    wanted = {"notifications": {"resourceSubscriptions": ["toy://ball"]}, "_meta": META}
    await talk.tell(message("subscriptions/listen", wanted, "s"))
    await talk.heard()
    toys.moved.put_nowait(None)
    (last,) = await talk.heard()
    assert (last["id"], last["error"]["code"]) == ("s", -32603)


async def test_an_id_is_in_use_until_it_is_answered(talk, toys):
    """A second request under the same id would make answers ambiguous; afterwards the id is free again."""
    await talk.tell(call("wait", "x"))
    await until(lambda: toys.waiting == 1)
    await talk.tell(call("add", "x", a=1))
    (refused,) = await talk.heard()
    assert (refused["id"], refused["error"]["code"]) == ("x", -32600)
    toys.go.set()
    (waited,) = await talk.heard()
    assert waited["result"]["structuredContent"] == {"waited": True}
    await talk.tell(call("add", "x", a=1))
    assert (await talk.heard())[0]["result"]["structuredContent"] == {"sum": 1}


@pytest.mark.parametrize("meta", [None, META])
async def test_a_cancelled_call_stops_and_is_not_answered(talk, toys, meta):
    """In either era; odd notices about it do nothing."""
    await talk.tell(call("wait", 7, meta))
    await until(lambda: toys.waiting == 1)
    for odd in ({"requestId": {"a": 1}}, {"requestId": [7]}, {"requestId": "7"}, {"requestId": None}, {}, [7]):
        notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": odd}
        await talk.tell(json.dumps(notice).encode())
    assert toys.waiting == 1
    await talk.tell(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}')
    await until(lambda: toys.cancelled == 1)
    await talk.tell(message("ping", id=8))
    assert [answer["id"] for answer in await talk.heard()] == [8]


async def test_a_call_that_is_cancelled_before_it_began_is_forgotten(talk, toys):
    """Both lines came at once: nothing is called, and the id is free."""
    await talk.tell(call("wait", 7), b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}')
    await talk.tell(message("ping", id=8))
    assert [answer["id"] for answer in await talk.heard()] == [8]
    await talk.tell(message("ping", id=7))
    assert [answer["id"] for answer in await talk.heard()] == [7]
    assert toys.cancelled == 0


async def test_a_subscription_can_be_cancelled(talk, toys):
    """Then nobody watches any more."""
    wanted = {"notifications": {"resourceSubscriptions": ["toy://ball"]}, "_meta": META}
    await talk.tell(message("subscriptions/listen", wanted, "s"))
    await talk.heard()
    toys.moved.put_nowait([])
    toys.moved.put_nowait(["toy://ball"])
    assert (await talk.heard())[0]["params"]["uri"] == "toy://ball"
    await talk.tell(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}')
    await until(lambda: toys.subscribed == 0)


async def test_a_handshake_is_a_handshake_even_in_a_modern_envelope(talk):
    """`initialize` exists in the old era only, so the client means that one (mcp-and-clients §4, Claude Code)."""
    await talk.tell(message("initialize", {"protocolVersion": "2025-06-18", "_meta": META}))
    assert (await talk.heard())[0]["result"]["protocolVersion"] == "2025-06-18"
    await talk.tell(message("ping", id=2))
    assert (await talk.heard())[0]["result"] == {}


async def test_a_probe_without_an_envelope_is_told_so(talk):
    """An error, upon which clients fall back to the handshake (trap 61)."""
    await talk.tell(message("server/discover"))
    assert (await talk.heard())[0]["error"]["code"] == -32602


async def test_an_unknown_version_is_told_the_known_ones(talk):
    """-32022 with everything that is served."""
    await talk.tell(call("add", 1, {**META, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}, a=1))
    error = (await talk.heard())[0]["error"]
    assert (error["code"], "2026-07-28" in error["data"]["supported"]) == (-32022, True)


async def test_at_the_end_calls_that_work_are_finished_and_those_that_wait_are_cancelled(talk, toys):
    """The work is answered; whoever waits for others has nobody to tell."""
    await talk.tell(call("wait", 1))
    await until(lambda: toys.waiting == 1)
    await talk.tell(call("add", 2, a=1))
    await talk.session.finish()
    assert [answer["id"] for answer in talk.said] == [2]
    assert (toys.waiting, toys.cancelled) == (0, 1)


@asynccontextmanager
async def running(stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE):
    """Toys on the standard streams of a process of their own."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*COMMAND, stdin=stdin, stdout=stdout, stderr=pipe, env=environment())
    try:
        async with asyncio.timeout(DEADLINE_S):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_the_input_may_be_a_file(tmp_path):
    """Every line of it is answered, on lines of JSON-RPC and nothing else, and then the process ends well."""
    script = tmp_path / "script.jsonl"
    script.write_bytes(b"\n".join([b"hello", call("add", 1, a=1), b"", call("big", 2)]))
    with script.open("rb") as source:
        async with running(stdin=source) as process:
            out, err = await process.communicate()
    answers = [json.loads(line) for line in out.splitlines()]
    assert {answer["id"] for answer in answers} == {None, 1, 2}
    assert (process.returncode, err) == (0, b"")


async def test_the_input_may_be_a_terminal_and_control_c_ends_it():
    """A line is answered at once; an interrupt ends the process although the terminal stays open."""
    terminal, stdin = pty.openpty()
    try:
        async with running(stdin=stdin) as process:
            os.write(terminal, message("ping") + b"\n")
            assert json.loads(await process.stdout.readline())["result"] == {}
            process.send_signal(signal.SIGINT)
            await process.wait()
    finally:
        os.close(terminal)
        os.close(stdin)


async def test_a_client_that_has_stopped_reading_is_no_fault():
    """Its output is closed: calls end in nothing, and at the end of the input so does the process, without a word."""
    source, end = os.pipe()
    async with running(stdout=end) as process:
        os.close(end)
        os.close(source)
        _, err = await process.communicate(b"".join(call("add", id, a=id) + b"\n" for id in range(1, 5)))
    assert (process.returncode, err) == (0, b"")
