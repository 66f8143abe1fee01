"""Every client, era and transport gets the same answers to the same script."""

import msgspec
import pytest

from tests.wire.mcp.raw import LEGACY, MODERN
from tests.wire.mcp.script import STEPS, compared, masked, play
from tests.wire.mcp.ways import WAYS, by_hand, official


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_in_gives_the_same_answers(way, tmp_path):
    """Equal results, modulo times and the fields of an era: what one can do does not depend on how one came in."""
    async with WAYS[way](tmp_path) as ask, by_hand(MODERN, tmp_path / "reference") as ask_reference:
        answers, expected = await play(ask), await play(ask_reference)
    for step, answer, reference in zip(STEPS, answers, expected, strict=True):
        assert answer == reference, step


async def test_the_script_has_successes_refusals_and_errors(tmp_path):
    """So that equal answers are worth something."""
    async with by_hand(MODERN, tmp_path) as ask:
        answers = await play(ask)
    kinds = ["error" if "error" in one else one["result"].get("isError") for one in answers]
    assert {kind: kinds.count(kind) for kind in kinds} == {False: 12, True: 4, None: 8, "error": 2}


@pytest.mark.parametrize("version", [MODERN, LEGACY[-1]])
async def test_either_half_of_a_result_is_enough(tmp_path, version):
    """The text half is the value itself; the structured half says the same (trap 54)."""
    async with by_hand(version, tmp_path) as ask:
        for method, params in STEPS:
            result = (await ask(method, params)).get("result", {})
            if method != "tools/call":
                continue
            text, structured = result["content"][0]["text"], result["structuredContent"]
            if result["isError"]:
                assert structured["error"]["message"] in text
                assert structured["error"].get("hint", "") in "\n".join(part["text"] for part in result["content"])
            else:
                value = structured["result"] if set(structured) == {"result"} else structured
                assert masked(msgspec.json.decode(text)) == masked(value)


@pytest.mark.parametrize("half", ["content", "structuredContent"])
async def test_an_agent_gets_its_work_done_with_either_half_alone(tmp_path, half):
    """Room, task, hand-over and reply with nothing but the text, or nothing but the structure, to go by."""
    async with by_hand(MODERN, tmp_path) as ask:

        async def call(tool, **arguments):
            params = {"name": tool, "arguments": {"roomId": "demo", **arguments}}
            found = (await ask("tools/call", params))["result"][half]
            return msgspec.json.decode(found[0]["text"]) if half == "content" else found

        task = await call("add_task", title="auth API", description="")
        await call("update_task", taskId=task["id"], status="in_progress", owner="backend")
        entry = await call(
            "write_context", type="note", summary="s", payload={"text": "t"}, author="backend", consuming_agents=["ui"]
        )
        news = (await call("get_unread_events", agentId="ui"))["events"]
        assert entry["id"] in str(news)
        reply = {"replyToId": news[-1]["id"], "type": "ack", "from": "ui", "to": "backend", "payload": {}}
        await call("reply_to_event", **reply)
        replies = (await call("get_unread_events", agentId="backend"))["events"]
        assert [one["type"] for one in replies if one["from"] == "ui"] == ["ack"]
        done = await call("update_task", taskId=task["id"], status="done", owner="backend")
        assert done["status"] == "done"


async def test_a_client_that_was_told_of_a_resource_can_read_it(tmp_path):
    """What resources/list names is what resources/read takes, through a real client."""
    async with official("auto", tmp_path) as ask:
        await ask("tools/call", {"name": "add_task", "arguments": {"roomId": "demo", "title": "t", "description": ""}})
        for resource in (await ask("resources/list", {}))["result"]["resources"]:
            contents = compared(await ask("resources/read", {"uri": resource["uri"]}))["result"]["contents"]
            assert [one["uri"] for one in contents] == [resource["uri"]]
            assert "as JSON" in contents[0]["text"]
