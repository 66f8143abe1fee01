"""Many callers at once, over real HTTP and a real store: nothing is lost, nothing done twice (L01)."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

CALLERS, WRITES = 16, 500


class Line:
    """One connection that is kept, for requests one after another: the quickest client there is."""

    def __init__(self, url: str) -> None:
        self._host, _, self._port = url.removeprefix("http://").partition(":")

    async def __aenter__(self) -> "Line":
        self._reader, self._writer = await asyncio.open_connection(self._host, int(self._port))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def __call__(self, action: str, **fields: Any) -> tuple[int, Any]:
        body = json.dumps({"action": action, **fields}).encode()
        head = f"POST /api/room HTTP/1.1\r\nhost: {self._host}\r\ncontent-type: application/json\r\n"
        self._writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        return int(head.split()[1]), json.loads(await self._reader.readexactly(length))


@pytest.mark.timeout(120)
async def test_sixteen_callers_lose_nothing_in_five_hundred_mixed_writes_each(server):
    """Messages, tasks, claims, presence, joins and mutes: every acknowledged one is there (L01, gaps 32 and 33)."""
    async with Line(server.url) as line:
        _, made = await line("create", topic="crowd", createdBy="Host", policy={"exchangeLimit": 0})
    code, key = made["room"]["code"], made["hostKey"]
    host = {"code": code, "requesterName": "Host", "hostKey": key}

    async def caller(number: int) -> Counter[str]:
        name, done = f"agent-{number}", Counter[str]()
        async with Line(server.url) as line:
            await line("join", code=code, participant={"name": name, "client": "cc"})
            for step in range(WRITES):
                act = act_of(step)
                status = await ACTS[act](line, host, name, step)
                assert status == 200 or (act == "claim" and status in (404, 409)), (act, status)
                done[act] += status == 200
        return done

    total = sum(await asyncio.gather(*(caller(number) for number in range(CALLERS))), Counter[str]())
    async with Line(server.url) as line:
        _, found = await line("messages", code=code, cursor=0)
        _, board = await line("taskBoard", code=code)
        _, room = await line("get", code=code)
    lines = found["messages"]
    assert [one["line"] for one in lines] == list(range(1, len(lines) + 1))
    said = [one["text"] for one in lines if one["type"] == "msg"]
    assert (len(said), len(set(said))) == (total["send"], total["send"])
    tasks = board["board"]["tasks"]
    assert len({task["id"] for task in tasks}) == len(tasks) == total["task"]
    assert sum(task["state"] == "in_progress" for task in tasks) == total["claim"]
    names = [one["name"] for one in room["room"]["participants"]]
    assert len(set(names)) == len(names) == total["guest"] + total["mute"] + CALLERS
    assert sum(one["canSpeak"] is False for one in room["room"]["participants"]) == total["mute"]


def act_of(step: int) -> str:
    """Mostly talk; now and then what makes later answers longer: tasks, guests."""
    if step % 100 in (13, 63):
        return "guest" if step % 100 == 13 else "mute"
    if step % 25 in (1, 2):
        return "task" if step % 25 == 1 else "claim"
    return "presence" if step % 5 == 4 else "send"


async def _send(line: Line, host: dict[str, Any], name: str, step: int) -> int:
    message = {"name": name, "text": f"{name} {step}", "client": "cc"}
    return (await line("send", code=host["code"], message=message))[0]


async def _task(line: Line, host: dict[str, Any], name: str, step: int) -> int:
    return (await line("taskCreate", code=host["code"], requesterName=name, title=f"{name} {step}"))[0]


async def _claim(line: Line, host: dict[str, Any], name: str, step: int) -> int:
    """A task that others want as well, and that may not be there yet."""
    return (await line("taskClaim", code=host["code"], id=f"T-{step // 25 + 1:02}", name=name, client="cc"))[0]


async def _presence(line: Line, host: dict[str, Any], name: str, step: int) -> int:
    return (await line("presence", code=host["code"], name=name, until=2**43))[0]


async def _guest(line: Line, host: dict[str, Any], name: str, step: int) -> int:
    """Somebody new, under a name that others want as well."""
    return (await line("join", code=host["code"], participant={"name": f"guest-{step}", "client": "web"}))[0]


async def _mute(line: Line, host: dict[str, Any], name: str, step: int) -> int:
    """A guest of this caller's own, by the name it was given."""
    wanted = {"name": f"silent-{name}-{step}", "client": "web"}
    _, joined = await line("join", code=host["code"], participant=wanted)
    return (await line("setMuted", **host, targetName=joined["participant"]["name"], muted=True))[0]


ACTS = {"send": _send, "task": _task, "claim": _claim, "presence": _presence, "guest": _guest, "mute": _mute}
