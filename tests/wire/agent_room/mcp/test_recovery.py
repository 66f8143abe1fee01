"""What a printed call may do, and what is told of it: in the sender's name and no other, at once, within 8 KB."""

import base64
import json
from typing import Any

import pytest

from stateroom.faces.mcp.agent_room.legacy import OLD
from stateroom.faces.mcp.profiles import CALLABLE
from tests.corpus.leaked import FORMS
from tests.wire.agent_room.mcp.harness import LINE_BYTES, Agent, Answer
from tests.wire.agent_room.mcp.test_board import Board, board
from tests.wire.agent_room.mcp.test_speaking import in_mode

PEOPLE = ("name", "agentId", "author", "from", "requestedBy")
CLAIM = '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01"}}'


def printed(tool: str, arguments: dict[str, Any]) -> str:
    """A call as JSON."""
    return json.dumps({"name": tool, "arguments": arguments})


async def send(there: Board, text: str, name: str = "Ada", **more: Any) -> Answer:
    """What a message of Ada's is answered with."""
    return await there.agent.ask("room_send", code=there.code, name=name, text=text, **more)


async def outcome(there: Board, tool: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What became of a message's only call."""
    (one,) = (await send(there, printed(tool, arguments), **more)).value["recovered"]
    assert one["tool"] == tool
    return dict(one)


@pytest.mark.parametrize("text", [one[1] for one in FORMS if one[1].count("T-01") == 1 and len(one[2]) == 1][::3])
async def test_whatever_its_form_the_call_is_carried_out(agent: Agent, text: str) -> None:
    """By who sent the message, and its markup is not posted."""
    there = await board(agent)
    answer = await send(there, text)
    assert [one["ok"] for one in answer.value["recovered"]] == [True]
    assert (await there.list(id="T-01"))["task"]["owner"] == "Ada"
    assert not any("room_task" in said for said in await agent.texts(there.code))


async def test_line_breaks_that_were_spelled_out_do_not_hide_a_call(agent: Agent) -> None:
    """A model that escapes twice prints calls, too (§16.2)."""
    there = await board(agent)
    answer = await send(there, f"I'll take it.\\n<tool_call>\\n{CLAIM}\\n</tool_call>")
    assert answer.value["recovered"][0]["ok"] is True
    assert await agent.texts(there.code) == ["I'll take it."]


async def test_who_and_where_need_not_be_said(agent: Agent) -> None:
    """A call that says the one or the other is completed as one that says nothing."""
    there = await board(agent)
    for given in (
        {"code": there.code},
        {"roomId": there.code},
        {"name": " ADA "},
        {"agentId": "Ada"},
        {"agent_id": ""},
    ):
        told = await outcome(there, "room_task", {"action": "create", "title": "t", **given})
        assert told["ok"] is True, given
    created = await agent.call("read_events", roomId=there.code, limit=100)
    assert "anonymous" not in json.dumps(created)


async def test_values_in_tags_are_read_as_what_the_tool_takes(agent: Agent) -> None:
    """Numbers, truths, lists and objects, from texts; a text stays one."""
    there = await board(agent)
    given = {"action": "create", "title": "7", "priority": "3", "dependsOn": '["T-01"]'}
    tags = "".join(f'<parameter name="{name}">{value}</parameter>' for name, value in given.items())
    await send(there, f'<invoke name="room_task">{tags}</invoke>')
    task = (await there.list(id="T-02"))["task"]
    assert (task["title"], task["dependsOn"]) == ("7", ["T-01"])


async def test_every_host_action_is_left_to_a_real_call(agent: Agent) -> None:
    """By its new and its old names, also where the caller is the host without a key."""
    await agent.call("post_event", roomId="plain", type="note", to="all", payload={}, **{"from": "Ada"})
    await agent.call("room_join", code="plain", name="Ada")
    needs = {"action": "set_mode", "mode": "sequential", "leadAgentName": "Ada", "targetName": "Ada"}
    tools = ["room_end", "room_admin", *(old for old, (tool, _) in OLD.items() if tool in ("room_admin", "room_end"))]
    for tool in tools:
        (known,) = [one for one in CALLABLE if one.name == tool]
        given = {name: value for name, value in needs.items() if name in known.arguments.__struct_fields__}
        said = await agent.call("room_send", code="plain", name="Ada", text=printed(tool, given))
        assert [(one["ok"], one["error"]) for one in said["recovered"]] == [(False, "not_authorized")], tool
    heard = await agent.call("room_listen", code="plain", since=0, timeoutMs=0)
    assert (heard["replyMode"], heard["listenStatus"]) == ("open", "active")


@pytest.mark.parametrize("tool", [one.name for one in CALLABLE], ids=str)
async def test_no_tool_is_called_in_another_members_name(agent: Agent, tool: str) -> None:
    """Whichever argument says who acts; nor in another room."""
    there = await board(agent)
    (known,) = [one for one in CALLABLE if one.name == tool]
    schema = known.listing()["inputSchema"]
    needs = {name: example(schema["properties"][name]) for name in schema.get("required", ())}
    for name in PEOPLE:
        if name in schema["properties"] and tool != "room_attachment_read":  # there a name is a file's
            told = await outcome(there, tool, {**without(needs), name: "Iris"})
            assert (told["ok"], told["error"]) in ((False, "not_authorized"), (False, "skipped")), name
    for name in ("code", "roomId"):
        if name in schema["properties"]:
            told = await outcome(there, tool, {**without(needs), name: "AAA-BBB-CCC"})
            assert (told["ok"], told["error"]) in ((False, "not_authorized"), (False, "skipped")), name


def without(needs: dict[str, Any]) -> dict[str, Any]:
    """Without what the message says."""
    return {name: value for name, value in needs.items() if name not in (*PEOPLE, "code", "roomId")}


def example(schema: dict[str, Any]) -> Any:
    """A value that fits."""
    if "enum" in schema:
        return schema["enum"][0]
    return {"integer": 1, "array": [], "object": {}, "boolean": True}.get(schema.get("type", ""), "x")


async def test_to_a_guest_an_id_names_no_room(red: Agent, blue: Agent) -> None:
    """A code used as an id would make a room of that name in the guest's own team."""
    made = await red.room()
    seat = (await blue.call("room_join", code=made["code"], name="Ada"))["seatKey"]
    text = printed("set_shared_var", {"key": "k", "value": "v"})
    said = await blue.call("room_send", code=made["code"], name="Ada", text=text, seatKey=seat)
    assert [one["error"] for one in said["recovered"]] == ["not_authorized"]
    assert made["code"] not in json.dumps(await blue.call("list_rooms"))


async def test_the_seat_key_of_the_message_is_the_calls(agent: Agent) -> None:
    """In a keyed room; and a wrong one is refused before anything is done."""
    there = await board(agent)
    seat = (await agent.call("room_join", code=there.code, name="Kim"))["seatKey"]
    host = {"code": there.code, "name": "Nova", "hostKey": there.made["hostKey"], "seatKey": there.made["seatKey"]}
    await agent.call("room_admin", action="set_policy", identity="keyed", **host)
    assert (await send(there, CLAIM, "Kim", seatKey="0" * 32)).value["error"] == "seat_key_needed"
    assert (await there.list(id="T-01"))["task"]["state"] == "todo"
    assert (await outcome(there, "room_task", {"action": "claim", "id": "T-01"}, name="Kim", seatKey=seat))[
        "ok"
    ] is True


async def test_a_refused_message_does_nothing(agent: Agent) -> None:
    """Out of turn nothing is said, and nothing is called; a call alone takes no turn."""
    there = await board(agent)
    await in_mode(agent, there.made, "sequential", leadAgentName="Iris")
    await agent.call("room_send", code=there.code, name="Nova", text="what now?")
    refused = await send(there, f"I'll take it.\n<tool_call>{CLAIM}</tool_call>")
    assert (refused.failed, refused.value["error"]) == (True, "not_your_turn")
    assert (await there.list(id="T-01"))["task"]["state"] == "todo"
    alone = await send(there, CLAIM)
    assert (alone.value["sent"], alone.value["recovered"][0]["ok"]) == (False, True)


async def test_a_strangers_calls_are_refused_as_its_words_are(agent: Agent) -> None:
    """Even those that the tool itself would not mind."""
    there = await board(agent)
    refused = await send(there, printed("set_shared_var", {"key": "k", "value": "v"}), "Stranger")
    assert (refused.failed, refused.value["error"]) == (True, "not_participant")
    assert (await agent.call("list_shared_vars", roomId=there.code))["count"] == 0


async def test_who_leaves_with_a_call_is_told_so(agent: Agent) -> None:
    """The words are said first, then it goes; what follows is refused."""
    there = await board(agent)
    answer = await send(there, "Done for today.\n" + printed("room_leave", {}))
    assert not answer.failed
    assert (answer.value["sent"], answer.value["recovered"][0]["result"]["wasHere"]) == (True, True)
    assert "carried out" in answer.value["hint"]


async def test_a_printed_message_is_said_and_not_looked_through_again(agent: Agent) -> None:
    """What it says is text, even if it is a call."""
    there = await board(agent)
    answer = await send(there, printed("room_send", {"text": CLAIM}))
    assert answer.value["recovered"][0]["result"]["sent"] is True
    assert await agent.texts(there.code) == [CLAIM]
    assert (await there.list(id="T-01"))["task"]["state"] == "todo"


async def test_no_line_is_lost_to_a_call_whose_answer_is_cut(agent: Agent) -> None:
    """Lines and events that were waiting come with this answer, or are still waiting."""
    there = await board(agent)
    for letter in "abcdefghijkl":
        await agent.call("room_send", code=there.code, name="Iris", text=f"{letter} " + "x" * 300, kind="status")
    await agent.call(
        "post_event", roomId=there.code, type="ask", to="Ada", payload={"text": "y" * 3_500}, **{"from": "Iris"}
    )
    asked = {"roomId": there.code, "agentId": "Ada"}
    waiting = (await agent.call("get_unread_events", **asked, peek=True, limit=100))["events"]
    calls = [
        printed("room_send", {"text": "mine"}),
        printed("room_listen", {"since": 0}),
        printed("get_unread_events", {}),
    ]
    answer = await send(there, "\n".join([*calls, printed("get_my_summary", {}), printed("wait_for_events", {})]))
    assert [one["ok"] for one in answer.value["recovered"]] == [True, True, True, False, True]
    said = [one["text"][:1] for one in answer.value["messages"] if one["name"] == "Iris"]
    rest = await agent.call("room_listen", code=there.code, name="Ada", since=answer.value["cursor"], timeoutMs=0)
    said += [one["text"][:1] for one in rest["messages"] if one["name"] == "Iris"]
    assert said == list("abcdefghijkl")
    unread = (await agent.call("get_unread_events", **asked, limit=100))["events"]
    assert [one["id"] for one in unread][: len(waiting)] == [one["id"] for one in waiting]


async def test_nothing_waits_for_what_may_come(agent: Agent) -> None:
    """Not for a second, and surely not for longer than a client does."""
    there = await board(agent)
    await agent.call("get_unread_events", roomId=there.code, agentId="Ada", limit=100)
    waiting = printed("wait_for_events", {"timeoutMs": 30_000})
    made = printed("room_create", {"topic": "t", "name": "Ada", "listenAfterJoin": True})
    seen = await send(there, f"{waiting}\n{made}\n{waiting}")
    assert [one["ok"] for one in seen.value["recovered"]] == [True] * 3


async def test_a_file_is_read_by_its_name(agent: Agent) -> None:
    """There a name is a file's, not a member's."""
    there = await board(agent)
    attached = [{"name": "a.txt", "mime": "text/plain", "content_base64": base64.b64encode(b"hello").decode()}]
    await send(there, "see", attachments=attached)
    assert (await outcome(there, "room_attachment_read", {"name": "a.txt"}))["ok"] is True


async def test_files_are_posted_though_no_word_is_left(agent: Agent) -> None:
    """They are something to say."""
    there = await board(agent)
    attached = [{"name": "a.txt", "mime": "text/plain", "content_base64": base64.b64encode(b"hello").decode()}]
    answer = await send(there, CLAIM, attachments=attached)
    assert (answer.value["sent"], answer.value["recovered"][0]["ok"]) == (True, True)


async def test_an_answer_with_twenty_calls_stays_small(agent: Agent) -> None:
    """Refusals, long answers and unread lines together."""
    there = await board(agent)
    for _ in range(8):
        await agent.call("room_send", code=there.code, name="Iris", text="x" * 900, kind="status")
    refused = printed("update_task", {"taskId": "T-" + "9" * 60, "status": "done"})
    long = printed("room_minutes", {"snapshot": True})
    for text in ("\n".join([refused] * 20), "\n".join([long] * 20), "\n".join([refused, long] * 10), refused, long):
        answer = await send(there, f"I'll do it all.\n{text}")
        assert answer.bytes < LINE_BYTES
        assert len(answer.value["recovered"]) == text.count("\n") + 1


async def test_a_program_gets_short_results_too(program: Agent) -> None:
    """The answer is about the message."""
    there = await board(program)
    answer = await send(there, "\n".join([printed("room_minutes", {"snapshot": True})] * 20))
    assert len(json.dumps(answer.value["recovered"])) < LINE_BYTES


@pytest.mark.parametrize(
    "text",
    [
        r'{"name": "search", "arguments": {"q": "\ud800"}}',
        r'{"name": "search", "arguments": {"q": "\u0000"}}',
        '{"name": "search", "arguments": {"q": "x", "limit": 99999999999999999999999}}',
        '{"name": "search", "arguments": {"q": "x", "limit": 1e999}}',
        '{"name": "search", "arguments": {"q": "x", "colour": "red"}}',
        '{"name": "search", "arguments": {"q": {"$ne": ""}}}',
        '{"name": "search", "arguments": ' + '{"a":' * 3_000 + "1" + "}" * 3_000 + "}",
        '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01", "code": 7}}',
        '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01", "name": "Ada", "agentId": "Iris"}}',
        '{"name": "list_templates", "description": "All", "parameters": {"type": "object", "properties": {}}}',
        '{"name": "list_rooms", "parameters": {"type": "object"}}',
    ],
)
async def test_a_call_that_does_not_fit_is_posted_as_text(agent: Agent, text: str) -> None:
    """Crooked values, unknown names, two names for one thing."""
    there = await board(agent)
    answer = await send(there, text)
    assert (answer.value["sent"], "recovered" in answer.value) == (True, False)


async def test_hints_hold_nothing_of_the_text(agent: Agent) -> None:
    """What a peer or a model wrote is data."""
    there = await board(agent)
    answer = await send(
        there, "I'll take it. Zanzibar.\n" + printed("room_task", {"action": "create", "title": "Zanzibar"})
    )
    assert "Zanzibar" not in answer.value["hint"]
    assert "Zanzibar" not in json.dumps(answer.value["nextAction"])


async def test_a_repeated_request_calls_once(agent: Agent) -> None:
    """With words beside the call, as with none."""
    there = await board(agent)
    text = "I'll add two.\n" + "\n".join(printed("room_task", {"action": "create", "title": title}) for title in "ab")
    for _ in range(2):
        await send(there, text, requestId="r-1")
    assert [task["title"] for task in (await there.list())["board"]["tasks"]] == ["Fix the key", "a", "b"]
    assert await agent.texts(there.code) == ["I'll add two."]


async def test_a_bound_endpoint_stays_bound(agent: Agent) -> None:
    """Its calls act under its name, in its room."""
    there = await board(agent)
    bound = agent.at(f"room={there.code}&agent=Ada")
    said = await bound.call("room_send", text=CLAIM)
    assert said["recovered"][0]["ok"] is True
    assert (await there.list(id="T-01"))["task"]["owner"] == "Ada"
    other = await bound.call("room_send", text=printed("room_task", {"action": "claim", "id": "T-01", "name": "Iris"}))
    assert [one["error"] for one in other["recovered"]] == ["not_authorized"]
