"""Listening: woken at once, told why it ends, given what fits, quiet in few words (agent-room §9.3 to §9.5)."""

import asyncio
import json
from typing import Any

import bpe_openai
import pytest

from stateroom.engine.access import Caller
from stateroom.engine.clock import loop_clock
from stateroom.engine.engine import Engine
from stateroom.faces.mcp.agent_room.windows import Window, kind, window
from stateroom.faces.mcp.application import StateroomApplication
from stateroom.faces.mcp.eras import Peer
from stateroom.faces.mcp.server import Ask, Server
from stateroom.stores.memory import MemoryStore
from stateroom.testing.simulated_time import run
from tests.serving import until
from tests.wire.agent_room.mcp.harness import Agent, gather, read
from tests.wire.agent_room.mcp.test_speaking import crowd, in_mode

LONG = {"timeoutMs": 20_000}


def tokens(value: Any) -> int:
    """As a model would read it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(bpe_openai.get_encoding("o200k_base").encode_ordinary(text))


async def while_listening(server: Any, agent: Agent, code: str, what: Any, **listen: Any) -> dict[str, Any]:
    """What a listen answers that waits while this happens."""
    waiting = asyncio.create_task(agent.call("room_listen", code=code, **{**LONG, **listen}))
    await until(lambda: waiting.done() or server.engine.rooms.bells.waiting())
    await what
    return await waiting


async def test_a_message_wakes_whoever_listens(agent: Agent, server) -> None:
    """With the line, the next cursor and how one stands (§9.3)."""
    code = (await crowd(agent, "Iris"))["code"]
    say = agent.call("room_send", code=code, name="Nova", text="hello")
    heard = await while_listening(server, agent, code, say, name="Iris", since=0)
    assert [one["text"] for one in heard["messages"]] == ["hello"]
    assert (heard["cursor"], heard["replyMode"], heard["canISpeakNow"]) == (1, "open", True)
    assert heard["nextAction"]["arguments"] == {"code": code, "since": 1, "name": "Iris"}
    assert "timedOut" not in heard


async def test_a_quiet_answer_costs_next_to_nothing(agent: Agent) -> None:
    """Under 40 tokens (L29), in a room that takes turns too."""
    made = await crowd(agent, "Iris")
    quiet = await agent.call("room_listen", code=made["code"], name="Iris", since=0, timeoutMs=1)
    assert quiet == {"messages": [], "cursor": 0, "timedOut": True}
    assert tokens(quiet) < 40
    await in_mode(agent, made, "sequential", leadAgentName="Iris")
    turned = await agent.call("room_listen", code=made["code"], name="Iris", since=1, timeoutMs=1)
    assert turned == {"messages": [], "cursor": 1, "timedOut": True, "canISpeakNow": False}
    assert tokens(turned) < 40


async def test_a_timeout_of_zero_only_reads(agent: Agent) -> None:
    """From any cursor, by anybody who has the code (§9.1)."""
    code = (await crowd(agent, "Iris"))["code"]
    for word in ("one", "two"):
        await agent.call("room_send", code=code, name="Nova", text=word)
    assert await agent.texts(code) == ["one", "two"]
    assert await agent.texts(code, since=1) == ["two"]


async def test_the_end_of_the_room_ends_every_wait_at_once(agent: Agent, server) -> None:
    """`terminated: room_ended`, and again for whoever asks afterwards (check 1)."""
    made = await crowd(agent, "Iris")
    code = made["code"]
    end = agent.call("room_end", code=code, name="Nova", hostKey=made["hostKey"])
    heard = await while_listening(server, agent, code, end, name="Iris", since=0)
    assert (heard["terminated"], heard["listenStatus"]) == ("room_ended", "ended")
    assert "nextAction" not in heard
    assert (await agent.call("room_listen", code=code, name="Iris", since=heard["cursor"]))["terminated"]


async def test_a_removed_member_is_told_at_once(agent: Agent, server) -> None:
    """`terminated: kicked` (check 2); who was never here is a stranger."""
    made = await crowd(agent, "Iris")
    host = {"code": made["code"], "name": "Nova", "hostKey": made["hostKey"], "targetName": "Iris"}
    kick = agent.call("room_admin", action="kick", **host)
    heard = await while_listening(server, agent, made["code"], kick, name="Iris", since=0)
    assert (heard["terminated"], heard["listenStatus"]) == ("kicked", "removed")
    assert (await agent.call("room_listen", code=made["code"], name="iris", since=0))["terminated"] == "kicked"
    stranger = await agent.no("room_listen", code=made["code"], name="Eve", since=0)
    assert stranger["error"] == "not_participant"
    assert (await agent.no("room_send", code=made["code"], name="Iris", text="hi"))["error"] == "not_participant"


async def test_being_given_the_word_ends_the_wait(agent: Agent, server) -> None:
    """Also without a line that says so (§5.4)."""
    made = await crowd(agent, "Iris", "Ada")
    await in_mode(agent, made, "sequential", leadAgentName="Iris")
    ask = agent.call("room_send", code=made["code"], name="Nova", text="what now?")
    heard = await while_listening(server, agent, made["code"], ask, name="Iris", since=1, wakeOn="addressed")
    assert heard["canISpeakNow"] is True
    assert heard["myRoleInTurn"] == "lead"
    assert heard["currentSpeaker"]["name"] == "Iris"


async def test_whoever_wants_only_what_is_addressed_sleeps_through_the_rest(agent: Agent, server) -> None:
    """What does not wake is held, and comes with what does: nothing is lost (§7.3)."""
    code = (await crowd(agent, "Iris", "Ada"))["code"]
    status = agent.call("room_send", code=code, name="Ada", text="working", kind="status")

    async def talk() -> None:
        await status
        await agent.call("room_send", code=code, name="Ada", text="see @Iris")

    heard = await while_listening(server, agent, code, talk(), name="Iris", since=0, wakeOn="addressed")
    assert [one["text"] for one in heard["messages"]] == ["working", "see @Iris"]
    assert heard["addressedYou"] is True
    await agent.call("room_send", code=code, name="Ada", text="more", kind="status")
    held = await agent.call("room_listen", code=code, name="Iris", since=2, wakeOn="addressed", timeoutMs=1)
    assert [one["text"] for one in held["messages"]] == ["more"]
    assert held["timedOut"] is True
    assert "addressedYou" not in held


async def test_ones_own_message_wakes_nobody_but_the_others(agent: Agent) -> None:
    """It is not news to its writer."""
    code = (await crowd(agent, "Iris"))["code"]
    await agent.call("room_send", code=code, name="Iris", text="mine")
    heard = await agent.call("room_listen", code=code, name="Iris", since=0, timeoutMs=1)
    assert heard["timedOut"] is True


async def test_long_talk_comes_in_answers_that_fit(agent: Agent) -> None:
    """Whole lines, each once, in order; how many follow, and the call that has them (trap 56)."""
    code = (await crowd(agent, "Iris"))["code"]
    said = [f"{number:03d} " + "ä" * (number * 13 % 700) for number in range(80)]
    for text in said:
        await agent.call("room_send", code=code, name="Nova", text=text, kind="status")
    seen: list[str] = []
    cursor = 0
    while True:
        answer = await agent.ask("room_listen", code=code, name="Iris", since=cursor)
        assert answer.bytes < 8_000
        seen += [one["text"] for one in answer.value["messages"]]
        assert answer.value["cursor"] == len(seen)
        cursor = answer.value["cursor"]
        if "more" not in answer.value:
            break
        assert answer.value["more"] == 80 - len(seen)
        assert f"since: {cursor}" in answer.note
    assert seen == said


async def test_only_what_was_delivered_counts_as_heard(agent: Agent) -> None:
    """A first page is read, then something said: the answer goes on where the page ended (L06)."""
    code = (await crowd(agent, "Iris"))["code"]
    for number in range(20):
        await agent.call("room_send", code=code, name="Nova", text=f"{number:02d} " + "x" * 900, kind="status")
    page = await agent.call("room_listen", code=code, name="Iris", since=0)
    said = await agent.call("room_send", code=code, name="Iris", text="a question")
    assert said["messages"][0]["text"].startswith(f"{page['cursor']:02d} ")
    assert page["cursor"] + len(said["messages"]) + said["unread"] == 20


async def test_a_program_gets_everything_at_once(program: Agent) -> None:
    """Who names no revision is no model (decision 4)."""
    code = (await crowd(program, "Iris"))["code"]
    for _ in range(40):
        await program.call("room_send", code=code, name="Nova", text="x" * 1_000, kind="status")
    assert len(await program.texts(code)) == 40


@pytest.mark.parametrize("text", ["x" * 30_000, "€" * 20_000, "\u0001" * 9_000, '"\\\n' * 9_000])
async def test_a_line_that_is_too_large_comes_cut_with_the_call_that_has_it_whole(agent: Agent, text: str) -> None:
    """Its id, its beginning, and a note; whole on request, also after it was delivered (trap 8)."""
    code = (await crowd(agent, "Iris"))["code"]
    await agent.call("room_send", code=code, name="Nova", text="before")
    sent = await agent.call("room_send", code=code, name="Nova", text=text)
    await agent.call("room_send", code=code, name="Nova", text="after")
    first = await agent.call("room_listen", code=code, name="Iris", since=0)
    assert [one["text"] for one in first["messages"]] == ["before"]
    answer = await agent.ask("room_listen", code=code, name="Iris", since=1)
    (line,) = answer.value["messages"]
    assert answer.bytes < 8_000
    assert line["cut"] is True
    assert line["id"] == sent["id"]
    assert text.startswith(line["text"])
    assert len(line["text"]) > 500
    assert answer.value["cursor"] == 2
    assert "since: 1, timeoutMs: 0, full: true" in answer.note
    whole = await agent.call("room_listen", code=code, since=1, timeoutMs=0, full=True)
    assert whole["messages"][0]["text"] == text
    assert whole["messages"][0]["id"] == sent["id"]


@pytest.mark.parametrize("since", [1, 10**9])
async def test_a_cursor_beyond_the_end_is_refused_with_the_range(agent: Agent, since: int) -> None:
    """No silent replay, no silent wait (L32)."""
    code = (await crowd(agent, "Iris"))["code"]
    wrong = await agent.no("room_listen", code=code, name="Iris", since=since)
    assert wrong["error"] == "bad_cursor"
    assert "0 to 0" in wrong["message"]


@pytest.mark.parametrize("since", [-1, "0", 1.5, None, [0]])
async def test_a_cursor_is_a_number_of_lines(agent: Agent, since: Any) -> None:
    """Nothing else (L18)."""
    code = (await crowd(agent, "Iris"))["code"]
    assert (await agent.ask("room_listen", code=code, name="Iris", since=since)).failed


async def test_many_listeners_are_all_woken(agent: Agent, server) -> None:
    """By one message, each under its own name."""
    names = [f"agent-{number}" for number in range(20)]
    code = (await crowd(agent, *names))["code"]
    listens = [asyncio.create_task(agent.call("room_listen", code=code, name=n, since=0, **LONG)) for n in names]
    await until(lambda: server.engine.rooms.bells.waiting() >= 20)
    joined = await agent.call("room_join", code=code, name="late")
    assert [one["presence"] for one in joined["participants"][1:-1]] == ["listening"] * 20
    await agent.call("room_send", code=code, name="Nova", text="all of you")
    assert [heard["messages"][0]["text"] for heard in await gather(*listens)] == ["all of you"] * 20


@pytest.mark.parametrize(
    ("client", "known"),
    [
        ("claude-code/2.1.317 (cli)", "claude-code"),
        ("Claude Code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("claude-ai", "claude-desktop"),
        ("cursor-vscode", "cursor"),
        ("Visual Studio Code", "copilot"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("antigravity-client", "antigravity"),
        ("windsurf-client", "windsurf"),
        ("Cline", "cline"),
        ("python-httpx", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_client_is_known_by_what_it_calls_itself(client: str, known: str) -> None:
    """Names and user agents (§9.5, gap 22)."""
    assert kind(client) == known


@pytest.mark.parametrize(
    ("client", "asked", "waits"),
    [
        ("", None, Window(25_000, cut=False)),
        ("claude-code", None, Window(25_000, cut=False)),
        ("", 45_000, Window(45_000, cut=False)),
        ("", 45_001, Window(45_000, cut=True)),
        ("cursor", 240_000, Window(45_000, cut=True)),
        ("claude-desktop", 240_000, Window(45_000, cut=True)),
        ("claude-code", 240_000, Window(240_000, cut=False)),
        ("codex", 10**12, Window(270_000, cut=True)),
        ("codex", 0, Window(0, cut=False)),
        ("codex", -5, Window(0, cut=False)),
    ],
)
def test_a_window_is_as_long_as_the_client_survives(client: str, asked: int | None, waits: Window) -> None:
    """25 s by default, 45 s at most, 270 s for those known to survive it (design §8)."""
    assert window(client, asked) == waits


@pytest.mark.parametrize(
    ("client", "asked", "waits_s", "told"),
    [
        ("", {}, 25, {}),
        ("", {"timeoutMs": 240_000}, 45, {"timeoutMs": 45_000}),
        ("codex-mcp-client", {"timeoutMs": 240_000}, 240, {}),
        ("codex-mcp-client", {"timeoutMs": 900_000}, 270, {"timeoutMs": 270_000}),
    ],
)
def test_a_wait_lasts_as_long_as_its_window(client: str, asked: dict[str, Any], waits_s: int, told: dict) -> None:
    """In simulated time; a window that was cut says how long it was."""

    async def listen() -> tuple[float, dict[str, Any]]:
        async with Engine(MemoryStore(loop_clock), loop_clock).running() as engine:
            server = Server(StateroomApplication(engine))

            async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                params = {"name": tool, "arguments": json.dumps(arguments).encode()}
                peer = Peer("2025-11-25", named=True, client=client)
                answer = await server.answer(Ask("tools/call", params, peer, Caller("open", "open"), ""))
                return read(json.loads(answer)).value

            code = (await call("room_create", topic="t", name="Nova"))["code"]
            begun = asyncio.get_running_loop().time()
            quiet = await call("room_listen", code=code, name="Nova", since=0, **asked)
            return asyncio.get_running_loop().time() - begun, quiet

    took_s, quiet = run(listen())
    assert round(took_s, 1) == waits_s
    assert quiet == {"messages": [], "cursor": 0, "timedOut": True, **told}


async def test_the_client_is_known_in_every_era(agent: Agent, server, http) -> None:
    """By `clientInfo` in the modern one, by its user agent where no handshake is remembered."""
    assert (await agent.room())["clientKind"] == "unknown"
    for version in ("2025-11-25", "2025-03-26", None):
        legacy = Agent(http, f"{server.url}/mcp", version, **{"user-agent": "claude-code/2.1 (cli)"})
        assert (await legacy.room())["clientKind"] == "claude-code"
