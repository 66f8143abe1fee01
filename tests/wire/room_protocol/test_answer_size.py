"""The 8 KB rule (decision 4, design §8): what a model gets by default, and that nothing is lost by it."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from .crowded import ENTRIES, LOCKS, ME, MEMBERS, REVIEWS, REVISIONS, ROOMS, TASKS, VARIABLES, agent
from .harness import Answer, Room, promise

LIMIT = 8_192
ANY = agent(7)


def within(answer: Answer) -> Answer:
    """Both halves stay under 8 KB."""
    assert max(answer.halves()) < LIMIT, answer.halves()
    return answer


def called(note: str) -> tuple[str, dict[str, Any]]:
    """The call that a note names, as tool and arguments."""
    match = re.search(r"(\w+)\(([^)]*)\)", note)
    assert match, note
    pairs = [pair.split(": ", 1) for pair in match[2].split(", ") if pair]
    return match[1], {name: int(value) if value.isdigit() else value.strip('"') for name, value in pairs}


async def page_through(model: Room, first: Answer, items: Callable[[Any], list[Any]]) -> list[Any]:
    """Everything, by following the note of each answer to the next."""
    answer, found = within(first), items(first.value)
    while answer.cut:
        tool, arguments = called(answer.note)
        answer = within(await model.ask(tool, **arguments))
        assert items(answer.value), "a page without anything leads nowhere"
        found += items(answer.value)
    return found


def key(name: str) -> Callable[[Any], list[Any]]:
    """The list under a key of the answer."""
    return lambda value: list(value[name])


PAGED: list[tuple[str, dict[str, Any], Callable[[Any], list[Any]], int]] = [
    ("read_plan", {}, key("tasks"), TASKS),
    ("get_my_tasks", {"agentId": ME}, list, TASKS // 5),
    ("get_unblocked_tasks", {}, list, 300),
    ("get_unblocked_tasks", {"agentId": ME}, list, 300),
    ("list_context", {}, list, ENTRIES),
    ("list_context", {"type": "note", "author": agent(3)}, list, 29),
    ("get_context_history", {"id": "C-01"}, key("history"), REVISIONS),
    ("list_reviews", {}, list, REVIEWS),
    ("list_reviews", {"status": "pending"}, list, REVIEWS),
    ("get_presence", {}, list, MEMBERS),
    ("list_locks", {}, list, LOCKS),
    ("list_shared_vars", {}, key("vars"), VARIABLES),
    ("list_rooms", {}, key("rooms"), ROOMS + 1),
]


@promise("8KB")
@pytest.mark.parametrize(
    ("tool", "arguments", "items", "total"), PAGED, ids=[f"{tool}-{len(arguments)}" for tool, arguments, _, _ in PAGED]
)
async def test_a_long_list_is_cut_and_its_notes_lead_through_all_of_it(
    crowd: Room, tool: str, arguments: dict[str, Any], items: Callable[[Any], list[Any]], total: int
) -> None:
    """Each page is under 8 KB, says that it was cut, and names the call that has the next one."""
    first = await crowd.named().ask(tool, **arguments)
    assert first.cut
    found = await page_through(crowd.named(), first, items)
    whole = items(await crowd.call(tool, **arguments, **({"limit": 500} if tool == "get_context_history" else {})))
    assert found == whole
    assert len(found) == total


@promise("8KB")
@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_reading_events_goes_on_by_position(crowd: Room, order: str) -> None:
    """The default answer is the newest twenty, or fewer; following its notes reads the whole log, once."""
    model = crowd.named()
    found = await page_through(model, await model.ask("read_events", order=order), list)
    positions = [event["position"] for event in found]
    assert positions == sorted(set(positions), reverse=order == "newest")
    assert len(found) == (await crowd.call("get_room_info"))["eventCount"]


async def drain(model: Room, agent: str, take: Callable[[], Awaitable[Answer]]) -> list[int]:
    """The positions of everything unread, taken until nothing is left."""
    found: list[int] = []
    while True:
        answer = within(await take())
        events = answer.value.get("events", answer.value.get("unreadEvents"))
        if not events:
            return found
        left = answer.value.get("more", answer.value.get("moreEvents", 0))
        assert ("get_unread_events" in answer.note) is bool(left)
        found += [event["position"] for event in events]


@promise("8KB")
@pytest.mark.parametrize("tool", ["get_unread_events", "wait_for_events", "get_my_summary"])
async def test_a_consuming_call_consumes_only_what_it_shows(crowd: Room, tool: str) -> None:
    """Drained through short answers, every event comes once and in order."""
    model = crowd.named()
    all_of_them = [event["position"] for event in await crowd.events()]
    found = await drain(
        model, ANY, lambda: model.ask(tool, agentId=ANY, **({"timeoutMs": 1} if "wait" in tool else {}))
    )
    assert found == all_of_them


@promise("8KB")
async def test_a_summary_of_a_crowded_room_fits_and_says_what_is_missing(crowd: Room) -> None:
    """Tasks, events and agents are each cut; every one of its notes leads to the rest."""
    summary = within(await crowd.named().ask("get_my_summary", agentId=ME))
    assert summary.cut
    assert summary.value["newContextCount"] == ENTRIES
    assert len(summary.value["myTasks"]) + summary.value["moreTasks"] == TASKS // 5
    for part in ("myTasks", "unreadEvents", "presence"):
        assert summary.value[part], part
    for call in ("get_unread_events", f'get_my_tasks(agentId: "{ME}", offset: 0)', "get_presence(offset: 0)"):
        assert call in summary.note


@promise("8KB")
async def test_who_is_online_comes_first_where_not_everybody_fits(crowd: Room) -> None:
    """In a summary and after a heartbeat; get_presence has the order of arrival."""
    crowd.clock.advance(121)
    answer = within(await crowd.named().ask("heartbeat", agentId=agent(299)))
    assert answer.cut
    assert answer.value["presence"][0] == {
        "agentId": agent(299),
        "status": "online",
        "lastSeen": "2026-01-01T00:02:01.000Z",
    }
    assert len(await page_through(crowd.named(), await crowd.named().ask("get_presence"), list)) == MEMBERS


@promise("8KB")
async def test_leaving_a_crowd_does_not_list_it(crowd: Room) -> None:
    """The remaining agents are cut, and get_presence has them."""
    left = within(await crowd.named().ask("leave_room", agentId=ANY))
    assert (left.cut, "get_presence" in left.note) == (True, True)


@promise("8KB")
async def test_search_hits_are_cut_where_they_are_wide(crowd: Room) -> None:
    """Snippets of three-byte characters; with a limit all hits come, as many as were asked for."""
    for number in range(60):
        await crowd.note(f"登録 {number} " + "利用者は登録のあとに確認のメールを受け取る。" * 10)
    short = within(await crowd.named().ask("search", q="登録"))
    assert (short.cut, len(short.value["hits"]) < 20) == (True, True)
    tool, arguments = called(short.note)
    whole = await crowd.named().ask(tool, q="登録", **arguments)
    assert (whole.cut, len(whole.value["hits"])) == (False, 20)
    assert len((await crowd.named().ask("search", q="登録", limit=50)).value["hits"]) == 50


@promise("8KB")
async def test_receipts_and_figures_are_cut_too(crowd: Room) -> None:
    """Readers of an event by pages; owners of tasks by who has most."""
    (event,) = await crowd.call("read_events", order="oldest", limit=1)
    for number in range(MEMBERS, 2 * MEMBERS):
        await crowd.call("mark_event_read", eventId=event["id"], agentId=f"another-agent-with-a-long-name-{number}")
    first = await crowd.named().ask("get_event_reads", eventId=event["id"])
    assert len(await page_through(crowd.named(), first, key("readBy"))) == 2 * MEMBERS
    for number in range(TASKS // 2):
        owner = f"another-agent-with-a-long-name-{number}"
        await crowd.call("update_task", taskId=f"T-{number + 1:02}", status="done", owner=owner, takeover=True)
    figures = within(await crowd.named().ask("get_room_analytics"))
    assert (figures.cut, "read_plan(offset: 0)" in figures.note) == (True, True)
    assert figures.value["tasks"]["total"] == TASKS


@promise("8KB")
@pytest.mark.parametrize(
    ("tool", "arguments", "count"),
    [
        ("read_plan", {"limit": 500}, TASKS),
        ("list_context", {"limit": 200}, ENTRIES),
        ("read_events", {"limit": 100}, 100),
        ("get_unread_events", {"agentId": ANY, "limit": 100}, 100),
        ("wait_for_events", {"agentId": ANY, "limit": 100}, 100),
        ("get_presence", {"limit": 300}, MEMBERS),
        ("get_my_tasks", {"agentId": ME, "limit": 100}, TASKS // 5),
        ("list_reviews", {"limit": 100}, REVIEWS),
    ],
)
async def test_an_explicit_limit_is_honoured_in_full(
    crowd: Room, tool: str, arguments: dict[str, Any], count: int
) -> None:
    """However large the answer becomes."""
    answer = await crowd.named().ask(tool, **arguments)
    value = answer.value
    items = value if isinstance(value, list) else value.get("tasks", value.get("events"))
    assert (len(items), answer.cut) == (count, False)
    assert max(answer.halves()) > LIMIT


@promise("8KB")
@pytest.mark.parametrize("tool", ["read_plan", "list_context", "get_presence", "get_my_tasks", "list_reviews"])
async def test_a_program_gets_everything(crowd: Room, tool: str) -> None:
    """A caller that names no revision of MCP counts elements and expects all of them."""
    answer = await crowd.ask(tool, **({"agentId": ME} if tool == "get_my_tasks" else {}))
    assert not answer.cut
    assert len(answer.result["content"]) == 1
    assert max(answer.halves()) > LIMIT
