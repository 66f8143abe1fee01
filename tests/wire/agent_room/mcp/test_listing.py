"""What is listed: the eleven tools with their arguments, in schemas every client reads, within their budgets."""

import json
import re
from typing import Any

import pytest

from stateroom.faces.mcp.agent_room import texts
from stateroom.faces.mcp.agent_room.catalogue import TOOLS
from stateroom.faces.mcp.profiles import CORE, INSTRUCTIONS, PROFILES
from stateroom.faces.mcp.tools import schema_faults
from tests.wire.agent_room.mcp.harness import Agent

ARGUMENTS: dict[str, str] = {
    "room_create": "topic* name* role template projectId projectKey listenAfterJoin listenTimeoutMs",
    "room_join": "code* name* role hostKey seatKey listenAfterJoin listenTimeoutMs",
    "room_send": "code* name* text* kind role replyTo attachments hostKey seatKey requestId",
    "room_listen": "code* since* timeoutMs name wakeOn full seatKey",
    "room_minutes": "code* export stats format snapshot keepDecision name report offset limit seatKey",
    "room_leave": "code* name seatKey",
    "room_end": "code* name hostKey seatKey",
    "room_task": "code* action* name id title owner verifier dod fileListing fileExcerpt runOutput exitCode checks "
    "verdict note reason description dependsOn priority hostKey seatKey requestId offset full leaseSeconds token "
    "commit attachments links state",
    "room_admin": "code* name* action* mode leadAgentName moderatorAgentName modeConfig targetName identity "
    "exchangeLimit proof reviewSeconds recovery hostKey seatKey requestId",
    "room_watch": "code* enabled since name seatKey",
    "room_attachment_read": "code* id url name maxChars offset",
}
"""§9.1 and §9.4, and ours. Client kinds are taken and ignored, as in the hosted form."""
DUTIES = re.compile(
    r"(?i)must (reply|answer)|ignore|never stop|keep listening|not a loop|stay in|continue until|always "
)


async def test_the_profiles_are_those_of_the_design(agent: Agent) -> None:
    """`core` for both ways of working, `room` the eleven, `full` everything (design §8)."""
    assert [tool["name"] for tool in await agent.tools("core")] == list(CORE)
    assert [tool["name"] for tool in await agent.tools("room")] == list(ARGUMENTS)
    assert len(await agent.tools("full")) == 56
    assert [tool["name"] for tool in await agent.tools("")] == list(CORE)
    assert set(PROFILES) == {"core", "room", "state", "full"}


@pytest.mark.parametrize("name", ARGUMENTS)
async def test_a_tool_takes_the_arguments_of_the_specification(agent: Agent, name: str) -> None:
    """Each, and what is required of them."""
    (tool,) = [tool for tool in await agent.tools("room") if tool["name"] == name]
    schema = tool["inputSchema"]
    assert set(schema["properties"]) == {word.rstrip("*") for word in ARGUMENTS[name].split()}
    assert set(schema["required"]) == {word.rstrip("*") for word in ARGUMENTS[name].split() if "*" in word}


@pytest.mark.parametrize("name", ARGUMENTS)
async def test_a_schema_is_flat_and_says_what_it_may_do(agent: Agent, name: str) -> None:
    """No composition, a short name, hints on every tool (traps 51, 53)."""
    (tool,) = [tool for tool in await agent.tools("room") if tool["name"] == name]
    assert schema_faults(tool["inputSchema"]) == []
    assert "$" not in json.dumps(tool)
    assert len(name) <= 40
    assert len(tool["description"]) < 600
    assert tool["annotations"]["openWorldHint"] is False


async def test_words_are_listed_where_only_some_are_known(agent: Agent) -> None:
    """Enumerations are in the schema, also of what the tool itself refuses."""
    listed = {tool["name"]: tool["inputSchema"]["properties"] for tool in await agent.tools("room")}
    words: dict[tuple[str, str], list[str]] = {
        ("room_send", "kind"): ["message", "status"],
        ("room_listen", "wakeOn"): ["addressed", "any"],
        ("room_minutes", "format"): ["minutes", "adr", "pr", "json"],
        ("room_admin", "mode"): ["open", "sequential", "moderator"],
        ("room_task", "verdict"): ["done", "rejected"],
    }
    for (tool, argument), expected in words.items():
        assert sorted(listed[tool][argument]["enum"]) == sorted(expected)
    assert listed["room_attachment_read"]["maxChars"]["minimum"] == 1_000
    assert listed["room_listen"]["timeoutMs"]["default"] == 25_000
    files = listed["room_send"]["attachments"]["items"]
    assert (files["type"], files["required"]) == ("object", ["name", "mime", "content_base64"])


def test_the_instructions_stand_alone_where_they_are_cut() -> None:
    """512 characters end with a sentence; under 2 KB in all (mcp-and-clients §3)."""
    first, _, _ = INSTRUCTIONS.partition("\n\n")
    assert len(first) <= 512
    assert first.endswith(".")
    assert {"room_join", "room_send", "room_listen", "room_task"} <= set(re.findall(r"room_\w+", first))
    assert len(INSTRUCTIONS.encode()) < 2_048


def test_our_words_put_nobody_under_a_duty_to_answer() -> None:
    """No text of ours asks to answer, to stay or to loop (trap 41, design §7)."""
    said: list[Any] = [INSTRUCTIONS, *(tool.description for tool in TOOLS)]
    said += [value for value in vars(texts).values() if isinstance(value, str)]
    for text in said:
        assert not DUTIES.search(text.replace("is always welcome", "")), text
