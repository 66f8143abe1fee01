"""Files go with a message, and are read again (agent-room §14)."""

import base64
import io
import zipfile
from typing import Any

import pytest

from stateroom.faces.mcp.agent_room.files import File
from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_speaking import crowd

PNG = base64.b64encode(
    base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
).decode()


def file(name: str = "a.txt", mime: str = "text/plain", data: bytes | str = b"hello") -> dict[str, str]:
    """An attachment as it is sent."""
    content = data if isinstance(data, str) else base64.b64encode(data).decode()
    return {"name": name, "mime": mime, "content_base64": content}


async def send(agent: Agent, code: str, *files: Any, **more: Any) -> dict[str, Any]:
    """A message of Iris's with these files."""
    return await agent.call("room_send", code=code, name="Iris", text="look", attachments=list(files), **more)


async def test_a_file_goes_with_its_message_and_is_read_by_anybody(agent: Agent) -> None:
    """By id, by URL, by name; with the message it came with (§9.3)."""
    code = (await crowd(agent, "Iris"))["code"]
    await send(agent, code, file("notes.md", "text/markdown", b"# Notes\nall of them"))
    (line,) = (await agent.call("room_listen", code=code, since=0, timeoutMs=0))["messages"]
    (attached,) = line["attachments"]
    assert (attached["name"], attached["size"]) == ("notes.md", 19)
    for asked in ({"id": attached["id"]}, {"url": attached["url"]}, {"name": "notes.md"}):
        found = await agent.call("room_attachment_read", code=code, **asked)
        assert (found["ok"], found["source"], found["text"]) == (True, "stored_extractedText", "# Notes\nall of them")
        assert found["attachment"]["id"] == attached["id"]
        assert (found["message"]["id"], found["message"]["name"]) == (line["id"], "Iris")


async def test_the_address_of_a_file_is_whole_and_serves_it(agent: Agent) -> None:
    """Absolute, at this server (floor 10, L27)."""
    code = (await crowd(agent, "Iris"))["code"]
    await send(agent, code, file())
    (line,) = (await agent.call("room_listen", code=code, since=0, timeoutMs=0))["messages"]
    assert line["attachments"][0]["url"].startswith("http://")


@pytest.mark.parametrize(
    "content", ["aGVsbG8=", " aGVs\nbG8= ", "data:text/plain;base64,aGVsbG8=", "data:;base64,aGVsbG8="]
)
async def test_base64_may_come_wrapped(agent: Agent, content: str) -> None:
    """White space and a data prefix are taken off."""
    code = (await crowd(agent, "Iris"))["code"]
    await send(agent, code, file(data=content))
    assert (await agent.call("room_attachment_read", code=code, name="a.txt"))["text"] == "hello"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (file(name=""), "missing_name"),
        (file(mime=" "), "missing_mime"),
        (file(data=""), "empty_content"),
        (file(data="data:text/plain;base64,"), "empty_content"),
        (file(data="aGVsbG8"), "bad_base64"),
        (file(data="aGVs-G8="), "bad_base64"),
        (file(data="aG=VsbG8"), "bad_base64"),
        (file(data="????"), "bad_base64"),
        (file(mime="application/x-sh"), "mime_not_allowed"),
        (file("a.png", "image/png", b"no picture"), "type_mismatch"),
        ({}, "missing_name"),
    ],
)
async def test_a_file_that_can_not_be_taken_stops_the_message(agent: Agent, wrong: dict[str, str], why: str) -> None:
    """With the code of §14; a good file before it is not stored either (gap 91)."""
    code = (await crowd(agent, "Iris"))["code"]
    arguments = {"code": code, "name": "Iris", "text": "look", "attachments": [file("good.txt"), wrong]}
    said = await agent.no("room_send", **arguments)
    assert (said["sent"], said["error"], said["code"]) == (False, "attachment_upload_failed", why)
    assert await agent.texts(code) == []
    assert (await agent.no("room_attachment_read", code=code, name="good.txt"))["candidates"] == []


async def test_a_message_takes_five_files(agent: Agent) -> None:
    """Not six."""
    code = (await crowd(agent, "Iris"))["code"]
    await send(agent, code, *(file(f"{number}.txt") for number in range(5)))
    six = [file(f"{number}.txt") for number in range(6)]
    said = await agent.no("room_send", code=code, name="Iris", text="look", attachments=six)
    assert said["code"] == "too_many"


async def test_a_repeated_request_with_files_is_the_same_request(agent: Agent, server) -> None:
    """A file the room has is not stored again."""
    code = (await crowd(agent, "Iris"))["code"]
    first = await send(agent, code, file(), requestId="r-1")
    again = await send(agent, code, file(), requestId="r-1")
    assert (again["id"], again["replayed"]) == (first["id"], True)
    found = await agent.no("room_attachment_read", code=code, name="nothing")
    assert len(found["candidates"]) == 1


async def test_a_file_alone_says_something(agent: Agent) -> None:
    """Without a word."""
    code = (await crowd(agent, "Iris"))["code"]
    assert (await agent.call("room_send", code=code, name="Iris", text="", attachments=[file()]))["appended"]


async def test_a_picture_is_shown(agent: Agent) -> None:
    """As image content beside both halves (§9.3 `image_url`)."""
    code = (await crowd(agent, "Iris"))["code"]
    await send(agent, code, file("dot.png", "image/png", PNG))
    answer = await agent.ask("room_attachment_read", code=code, name="dot.png")
    assert answer.value["source"] == "image_url"
    assert answer.result["content"][1] == {"type": "image", "data": PNG, "mimeType": "image/png"}


async def test_a_file_without_text_says_so(agent: Agent) -> None:
    """And where it is."""
    code = (await crowd(agent, "Iris"))["code"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.txt", "x")
    await send(agent, code, file("a.zip", "application/zip", packed.getvalue()))
    found = await agent.call("room_attachment_read", code=code, name="a.zip")
    assert found["source"] in ("unsupported", "stored_extractedText")
    assert "warning" in found or "inner.txt" in found["text"]


async def test_a_long_text_comes_in_parts(agent: Agent) -> None:
    """Under 8 KB by default, as asked for otherwise; the parts put together are the text (trap 8)."""
    code = (await crowd(agent, "Iris"))["code"]
    whole = "".join(f"line {number} “ä”\n" for number in range(2_000))
    await send(agent, code, file("long.txt", data=whole.encode()))
    read, offset = "", 0
    while True:
        answer = await agent.ask("room_attachment_read", code=code, name="long.txt", offset=offset)
        assert answer.bytes < 8_000
        read += answer.value["text"]
        offset = len(read)
        if "more" not in answer.value:
            break
        assert f"offset: {offset}" in answer.note
    assert read == whole
    for chars in (30_000, 1_000):
        asked = await agent.call("room_attachment_read", code=code, name="long.txt", maxChars=chars)
        assert asked["text"] == whole[:chars]


async def test_an_unknown_file_names_what_there_is(agent: Agent) -> None:
    """Up to 20, newest first (§9.3)."""
    code = (await crowd(agent, "Iris"))["code"]
    for number in range(5):
        await send(agent, code, *(file(f"{number}-{part}.txt", data=f"{number}{part}".encode()) for part in range(5)))
    found = await agent.no("room_attachment_read", code=code, id="nope")
    assert (found["ok"], found["error"]) == (False, "attachment_not_found")
    assert len(found["candidates"]) == 20
    assert found["candidates"][0]["name"] == "4-4.txt"


def test_a_file_is_described_as_the_client_sends_it() -> None:
    """Names of §9.1."""
    assert File.__struct_fields__ == ("name", "mime", "content_base64")
