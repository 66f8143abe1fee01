"""The 8 KB rule at its edges: names, ids and texts at their bounds, in characters of four bytes; refusals too."""

import json
from typing import Any

import pytest

from .harness import Room, ToolError, promise
from .shapes import RESULTS, faults
from .test_answer_size import LIMIT, within

WIDE = "🚪"
NAME = WIDE * 128


def refused_within(error: ToolError) -> None:
    """Both halves of a refusal stay under 8 KB."""
    from_text = "".join(part["text"] for part in error.result["content"])
    assert len(from_text.encode()) < LIMIT
    structured = json.dumps(error.result["structuredContent"], ensure_ascii=False, separators=(",", ":"))
    assert len(structured.encode()) < LIMIT


@promise("8KB")
async def test_a_summary_with_the_widest_names_fits(crowd: Room) -> None:
    """The agent's own name stands in the answer and in its note."""
    for number in range(50):
        await crowd.call("update_task", taskId=f"T-{2 + 5 * number:02}", status="blocked", owner=NAME, takeover=True)
    for tool in (
        "get_my_summary",
        "heartbeat",
        "get_my_tasks",
        "get_unblocked_tasks",
        "get_unread_events",
        "leave_room",
    ):
        answer = within(await crowd.named().ask(tool, agentId=NAME))
        assert faults(answer.value, RESULTS[tool]) == []


@promise("8KB")
async def test_a_comparison_of_the_widest_versions_fits(room: Room) -> None:
    """Wide author, wide summaries, wide keys, and a contract that breaks in many places."""
    endpoint = {"method": "GET", "response": {}, "auth_required": False, "description": WIDE * 100}
    before: dict[str, Any] = {"service": "s", "version": "1", **{WIDE * 30 + str(n): n for n in range(100)}}
    before["endpoints"] = [{**endpoint, "path": f"/{WIDE * 10}/{n}"} for n in range(60)]
    after = {**before, "endpoints": [{**endpoint, "path": "/"}], "other": 1, WIDE * 30 + "1": 2}
    written = {"type": "api_contract", "consuming_agents": [NAME] * 50, "author": NAME}
    entry = await room.call("write_context", **written, summary=WIDE * 4_000, payload=before)
    await room.call("update_context", id=entry["id"], author=NAME, summary="🔑" * 4_000, payload=after)
    answer = within(await room.named().ask("diff_context", id=entry["id"]))
    assert faults(answer.value, RESULTS["diff_context"]) == []
    assert answer.value["diff"]["breaking"]
    for tool in ("get_context_history", "list_context"):
        within(await room.named().ask(tool, id=entry["id"]))


@promise("8KB")
async def test_a_task_with_the_widest_texts_fits(room: Room) -> None:
    """Title, description and a hundred dependencies at their bounds, none of which are on the plan."""
    depends = [f"{WIDE * 120}{number}" for number in range(100)]
    arguments = {"title": WIDE * 1_000, "description": WIDE * 10_000, "depends_on": depends}
    within(await room.named().ask("add_task", **arguments, agentId=NAME))
    await room.call("update_task", taskId="T-01", status="in_progress", owner=NAME)
    for tool in ("read_plan", "get_my_tasks", "get_my_summary", "read_events"):
        answer = within(await room.named().ask(tool, agentId=NAME))
        assert faults(answer.value, RESULTS[tool]) == []


@promise("8KB")
async def test_wide_variables_are_listed_clipped(room: Room) -> None:
    """get_shared_var has each in full, and a program's list has all of them in full."""
    for number in range(5):
        await room.call("set_shared_var", key=f"k{number}", value=WIDE * 4_000, agentId="ann")
    await room.call("set_shared_var", key="short", value="v", agentId="ann")
    answer = within(await room.named().ask("list_shared_vars"))
    assert (answer.value["count"], answer.value["vars"]["short"]) == (6, "v")
    assert answer.value["vars"]["k0"] == WIDE * 50 + "…"
    assert "get_shared_var" in answer.note
    assert (await room.named().call("get_shared_var", key="k0"))["value"] == WIDE * 4_000
    assert (await room.call("list_shared_vars"))["vars"]["k0"] == WIDE * 4_000


@promise("8KB")
async def test_deleting_what_many_wait_for_names_only_some(room: Room) -> None:
    """The plan has every one of them."""
    first = await room.add()
    for _ in range(1_200):
        await room.add(depends_on=[first])
    answer = within(await room.named().ask("delete_task", taskId=first))
    assert (answer.cut, "of 1200 dependents: read_plan(" in answer.note) == (True, True)


@promise("8KB")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_task", {"taskId": "T-01", "status": "x" * 100_000}),
        ("get_task", {"taskId": "x" * 100_000}),
        ("read_context", {"id": WIDE * 50_000}),
        ("read_plan", {"roomId": "x" * 100_000}),
        ("heartbeat", {"agentId": "x" * 100_000}),
        ("heartbeat", {"agentId": ["x" * 100_000]}),
        (
            "write_context",
            {"type": "note", "summary": "", "consuming_agents": [], "author": "a", "payload": {"x" * 9_000: 1}},
        ),
        ("x" * 100_000, {}),
        ("delete_event", {"eventId": "E-" + "9" * 5_000}),
        ("create_room_from_template", {"templateId": "x" * 100_000}),
        ("post_event", {"type": "t", "from_": "a", "to": "all", "payload": {"k" * 50_000 + "\0": 1}}),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
async def test_a_refusal_does_not_repeat_what_is_wrong_at_length(
    room: Room, tool: str, arguments: dict[str, Any]
) -> None:
    """It names the place, not the value."""
    refused_within(await (room.named() if tool in RESULTS else room).refusal(tool, **arguments))


@promise("8KB")
async def test_a_summary_shares_its_room_between_tasks_and_events(room: Room) -> None:
    """A task that would fit alone is slim where it stands beside many events."""
    await room.call("add_task", title="t", description="d" * 6_500)
    await room.call("update_task", taskId="T-01", status="in_progress", owner="ann")
    for _ in range(40):
        await room.post(payload={"text": "x" * 300})
    summary = within(await room.named().ask("get_my_summary", agentId="ann")).value
    assert summary["myTasks"][0]["left_out"].startswith("description: get_task(")
    assert summary["unreadEvents"]


@promise("8KB")
async def test_receipts_count_as_part_of_an_event(room: Room) -> None:
    """Events that a dozen agents have marked as read take more room, and fewer of them come at once."""
    ids = [(await room.post(payload={"n": number}))["id"] for number in range(40)]
    for id in ids:
        for number in range(12):
            await room.call("mark_event_read", eventId=id, agentId=f"an-agent-with-a-name-of-its-own-{number}")
    for tool in ("get_unread_events", "wait_for_events", "get_my_summary", "read_events"):
        within(await room.named().ask(tool, agentId="bob"))
