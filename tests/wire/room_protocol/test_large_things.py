"""Things that are too large for a short answer by themselves: shown without what makes them large, never lost."""

import re
from typing import Any

import pytest

from .harness import Answer, Room, promise
from .shapes import RESULTS, faults
from .test_answer_size import called, within

LARGE = "x" * 60_000
NOTE = {"type": "note", "author": "ann", "summary": "s", "consuming_agents": ["bob"]}


async def in_full(room: Room, left_out: str) -> Any:
    """What the call that a slim thing names has: a single thing."""
    tool, arguments = called(left_out)
    value = (await room.named().ask(tool, **arguments)).value
    return value[0] if isinstance(value, list) else value


@promise("8KB")
@pytest.mark.parametrize("tool", ["get_unread_events", "wait_for_events", "get_my_summary", "read_events"])
async def test_a_large_event_is_delivered_without_its_payload(room: Room, tool: str) -> None:
    """It says what was left out; the call that it names has the event as it was posted."""
    posted = await room.post(payload={"text": LARGE})
    await room.post("small")
    answer = within(await room.named().ask(tool, agentId="bob"))
    events = answer.value if tool == "read_events" else answer.value.get("events", answer.value.get("unreadEvents"))
    (large,) = [event for event in events if event["id"] == posted["id"]]
    assert large["payload"] == {}
    assert large["left_out"].startswith("payload: read_events(")
    assert await in_full(room, large["left_out"]) == posted


@promise("8KB")
async def test_an_explicit_limit_delivers_a_large_event_in_full(room: Room) -> None:
    """Whoever says how many gets them whole."""
    posted = await room.post(payload={"text": LARGE})
    for tool in ("get_unread_events", "wait_for_events"):
        answer = await room.named().ask(tool, agentId=tool, limit=1)
        assert answer.value["events"] == [posted]


@promise("8KB")
async def test_a_large_entry_is_listed_without_its_payload(room: Room) -> None:
    """read_context has it, always complete."""
    written = await room.call("write_context", **NOTE, payload={"text": LARGE})
    (entry,) = within(await room.named().ask("list_context")).value
    assert (entry["payload"], entry["summary"], entry["version"]) == ({}, "s", "1.0")
    assert await in_full(room, entry["left_out"]) == written
    assert (await room.named().ask("list_context", limit=1)).value == [written]


@promise("8KB")
async def test_writing_something_large_does_not_echo_it(room: Room) -> None:
    """The writer has just said it: the answer names what was stored, and where to read it."""
    model, payload = room.named(), {"text": LARGE}
    entry = within(await model.ask("write_context", **NOTE, payload=payload)).value
    revised = within(
        await model.ask("update_context", id=entry["id"], author="ann", payload={"text": LARGE + "!"})
    ).value
    event = {"type": "t", "from_": "ann", "to": "all", "payload": payload}
    posted = within(await model.ask("post_event", **event)).value
    reply = within(await model.ask("reply_to_event", **event, replyToId=posted["id"])).value
    for slim in (entry, revised, posted, reply):
        assert slim["payload"] == {}
        assert (await in_full(room, slim["left_out"]))["payload"]["text"].startswith(LARGE)


@promise("8KB")
async def test_a_task_with_a_long_story_is_shown_without_it(room: Room) -> None:
    """Its notes are left out first, then its description is clipped; get_task has all of it."""
    id = await room.add()
    for number in range(5):
        note = f"{number}" * 5_000
        answer = within(await room.named().ask("update_task", taskId=id, status="in_progress", owner="ann", note=note))
    assert "notes" in answer.value["left_out"]
    whole = await room.named().call("get_task", taskId=id)
    assert (len(whole["notes"]), len(whole["description"])) == (5, 5_000)
    await room.call("update_task", taskId=id, status="in_progress", note="d" * 16_000)
    for tool in ("read_plan", "get_my_tasks", "get_my_summary"):
        answer = within(await room.named().ask(tool, agentId="ann"))
        tasks = (
            answer.value if isinstance(answer.value, list) else answer.value.get("tasks", answer.value.get("myTasks"))
        )
        assert tasks[0]["description"] == "d" * 200 + "…"
        assert await in_full(room, tasks[0]["left_out"]) == await room.call("get_task", taskId=id)


async def revised(room: Room, before: dict[str, Any], after: dict[str, Any], summary: str = "s") -> str:
    """An entry with two versions."""
    id = await room.note(summary, payload=before)
    await room.call("update_context", id=id, author="ann", summary=summary[::-1], payload=after)
    return id


def keys(prefix: str, count: int) -> dict[str, Any]:
    """A note's payload with many fields."""
    return {"text": "t", **{f"{prefix}-{number:04}": number for number in range(count)}}


@promise("8KB")
@pytest.mark.parametrize(
    ("before", "after", "summary"),
    [
        ({"text": LARGE}, {"text": LARGE + "!"}, "s"),
        (keys("old", 2_000), keys("new", 2_000), "ab" * 2_000),
        ({"text": "t", "k": list(range(5_000))}, {"text": "t", "k": list(range(0, 10_000, 2))}, "s"),
        ({"text": "t", "k" * 5_000: 1}, {"text": "t", "k" * 5_001: 1}, "é" * 4_000),
    ],
    ids=["huge texts", "many keys", "many paths", "huge keys"],
)
async def test_a_comparison_fits_whatever_is_compared(
    room: Room, before: dict[str, Any], after: dict[str, Any], summary: str
) -> None:
    """It has every field, says what is missing, and names the two calls that have the two versions in full."""
    id = await revised(room, before, after, summary)
    answer = within(await room.named().ask("diff_context", id=id))
    assert answer.cut
    assert faults(answer.value, RESULTS["diff_context"]) == []
    newest, previous = re.findall(r"\w+\([^)]*\)", answer.note)
    assert (await in_full(room, newest))["payload"] == after
    tool, arguments = called(previous)
    assert (await room.named().call(tool, **arguments))["history"][0]["payload"] == before
    complete = await room.call("diff_context", id=id)
    assert complete["current"]["payload"] == after


@promise("8KB")
async def test_a_cut_comparison_still_counts_all_paths(room: Room) -> None:
    """`morePaths` has those that do not fit as well; what breaks is kept before all else."""
    id = await revised(room, keys("old", 2_000), keys("new", 2_000))
    complete, short = await room.call("diff_context", id=id), await room.named().call("diff_context", id=id)
    for diff in (complete["diff"], short["diff"]):
        assert len(diff["paths"]) + diff["morePaths"] == 4_000


@promise("8KB")
async def test_a_history_of_large_versions_fits(room: Room) -> None:
    """Each is shown without its payload; the call that it names has that one version in full."""
    id = await room.note(payload={"text": LARGE})
    for number in range(30):  # versions 1.1 to 1.30; the first one has no number
        await room.call("update_context", id=id, author="ann", payload={"text": LARGE + str(number)})
    answer = within(await room.named().ask("get_context_history", id=id))
    assert answer.value["current"]["payload"] == {}
    for place, entry in enumerate(answer.value["history"]):
        tool, arguments = called(entry["left_out"])
        (whole,) = (await room.named().call(tool, **arguments))["history"]
        text = LARGE + (str(28 - place) if place < 29 else "")
        assert (whole["version"], whole["payload"]) == (entry["version"], {"text": text})


@promise("8KB")
async def test_a_review_with_long_notes_fits(room: Room) -> None:
    """Both notes at their bound, in wide characters."""
    asked = {"targetType": "task", "targetId": await room.add(), "requestedBy": "ann", "reviewer": "bob"}
    review = await room.call("request_review", **asked, note="世" * 4_000)
    answer = within(await room.named().ask("approve", reviewId=review["id"], agentId="bob", note="界" * 4_000))
    assert (await in_full(room, answer.value["left_out"]))["resolutionNote"] == "界" * 4_000
    assert isinstance(within(await room.named().ask("list_reviews")), Answer)
