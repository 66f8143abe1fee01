"""The task board by `room_task` (agent-room §6, §9.3)."""

from typing import Any

import pytest

from tests.wire.agent_room.mcp.harness import Agent, gather
from tests.wire.agent_room.mcp.test_speaking import crowd

RUN = {"fileListing": "a.py", "fileExcerpt": "x = 1", "runOutput": "1 passed", "exitCode": 0}
CHECKED = {"fileListing": "a.md", "fileExcerpt": "text", "checks": "read it twice"}


class Board:
    """A room's board, used by several members."""

    def __init__(self, agent: Agent, made: dict[str, Any]) -> None:
        self.agent, self.made, self.code = agent, made, made["code"]

    async def do(self, name: str, action: str, id: str = "T-01", **more: Any) -> dict[str, Any]:
        """A change that is made."""
        return await self.agent.call("room_task", code=self.code, name=name, action=action, id=id, **more)

    async def no(self, name: str, action: str, id: str = "T-01", **more: Any) -> str:
        """The error's name of a change that is not made; the board stays as it was."""
        before = await self.list()
        failed = await self.agent.no("room_task", code=self.code, name=name, action=action, id=id, **more)
        assert failed["ok"] is False
        assert await self.list() == before
        return str(failed["error"])

    async def list(self, **more: Any) -> dict[str, Any]:
        """The board as anybody sees it."""
        return await self.agent.call("room_task", code=self.code, action="list", **more)


async def board(agent: Agent) -> Board:
    """A board of three members, with a task that Iris verifies."""
    made = await crowd(agent, "Iris", "Ada")
    await agent.call("room_task", code=made["code"], name="Nova", action="create", title="Fix the key", verifier="Iris")
    return Board(agent, made)


async def test_a_task_goes_from_open_to_done_by_anothers_verdict(agent: Agent) -> None:
    """Create, claim, submit, verify, each answered with task, board, hint (§9.3, check 9)."""
    there = await board(agent)
    listed = await there.list()
    assert listed["board"]["tasks"][0] | {"needsProof": 0} == {
        "id": "T-01",
        "title": "Fix the key",
        "state": "todo",
        "verifier": "Iris",
        "needsProof": 0,
    }
    assert "1 todo" in listed["hint"]
    for name, action, state, more in (
        ("Ada", "claim", "in_progress", {}),
        ("Ada", "submit", "awaiting_review", RUN),
        ("Iris", "verify", "rejected", {"verdict": "rejected", "note": "no test"}),
        ("Ada", "submit", "awaiting_review", CHECKED),
        ("Iris", "verify", "done", {"verdict": "done"}),
    ):
        changed = await there.do(name, action, **more)
        assert (changed["ok"], changed["code"], changed["task"]["state"]) == (True, there.code, state)
        assert changed["board"]["tasks"][0]["state"] == state
        assert changed["hint"]


@pytest.mark.parametrize(
    ("name", "action", "more", "error"),
    [
        ("Iris", "claim", {}, "VerifierCannotClaimError"),
        ("Ada", "claim", {"id": "T-99"}, "TaskNotFoundError"),
        ("Ada", "create", {"id": "T-01", "title": "again"}, "TaskExistsError"),
        ("Ada", "create", {"id": "a b", "title": "odd"}, "bad_request"),
        ("Ada", "create", {"id": "", "title": "t", "owner": "Ada", "verifier": "ada"}, "TaskStateError"),
        ("Ada", "create", {"id": "", "title": "  "}, "bad_request"),
        ("Ada", "claim", {"id": ""}, "bad_request"),
        ("Ada", "submit", {"fileListing": "a"}, "EvidenceIncompleteError"),
        ("Ada", "verify", {"verdict": "done"}, "TaskStateError"),
        ("Ada", "verify", {}, "bad_request"),
        ("Ada", "verify", {"verdict": "fine"}, "bad_request"),
        ("Ada", "reassign", {}, "bad_request"),
        ("Ada", "reopen", {}, "TaskStateError"),
        ("Ada", "block", {}, "bad_request"),
        ("Ada", "dance", {}, "bad_request"),
        ("Eve", "claim", {}, "not_participant"),
        ("Eve", "create", {"id": "", "title": "t"}, "not_participant"),
        ("", "claim", {}, "bad_request"),
    ],
)
async def test_what_the_board_refuses_has_a_name(
    agent: Agent, name: str, action: str, more: dict[str, Any], error: str
) -> None:
    """The names of §3.2; nothing changes (L13)."""
    there = await board(agent)
    assert await there.no(name, action, **{"id": "T-01", **more}) == error


async def test_work_in_progress_is_not_taken_over(agent: Agent) -> None:
    """Nor submitted by another, nor verified by its owner under another spelling (gaps 60, 61, 63)."""
    there = await board(agent)
    await there.do("Ada", "claim")
    assert await there.no("Nova", "claim") == "TaskStateError"
    assert await there.no("Nova", "submit", **RUN) == "TaskStateError"
    await there.do("Ada", "submit", **{**RUN, "exitCode": 1})
    assert await there.no("ADA", "verify", verdict="done") == "OwnerCannotVerifyError"
    assert await there.no("Nova", "verify", verdict="done") == "NotVerifierError"
    assert await there.no("Iris", "verify", verdict="done") == "VerifyNoteRequiredError"
    done = await there.do("iris", "verify", verdict="done", note="known failure")
    assert done["task"]["verdict"]["note"] == "known failure"
    assert await there.no("Ada", "submit", **RUN) == "TaskDoneImmutableError"


async def test_tasks_change_hands_stop_and_come_back(agent: Agent) -> None:
    """Reassign, block, cancel, reopen (§6.6 to §6.8, gap 71)."""
    there = await board(agent)
    given = await there.do("Nova", "reassign", owner="Ada", verifier="Nova")
    assert (given["task"]["owner"], given["task"]["verifier"]) == ("Ada", "Nova")
    assert (await there.do("Ada", "block", reason="no access"))["task"]["state"] == "blocked"
    assert (await there.do("Nova", "cancel", reason="not needed"))["task"]["state"] == "cancelled"
    assert (await there.do("Nova", "reopen"))["task"]["state"] == "todo"


async def test_what_somebody_still_has_to_do_is_told_on_joining(agent: Agent) -> None:
    """`yourTasks`: a board event is a line that whoever comes back never sees (gap 68)."""
    there = await board(agent)
    await there.do("Ada", "claim")
    await there.do("Ada", "submit", **CHECKED)
    mine = await there.list(name="Iris")
    (owed,) = mine["yourTasks"]["toVerify"]
    assert (owed["id"], owed["state"]) == ("T-01", "awaiting_review")
    assert 'room_task(action: "verify", id: "T-01"' in mine["yourTasks"]["hint"]
    joined = await agent.call("room_join", code=there.code, name="New")
    assert "yourTasks" not in joined


async def test_sixteen_claims_have_one_winner(agent: Agent) -> None:
    """The others are told who holds it (L02)."""
    names = [f"agent-{number}" for number in range(16)]
    made = await crowd(agent, *names)
    await agent.call("room_task", code=made["code"], name="Nova", action="create", title="one")
    claims = [agent.ask("room_task", code=made["code"], name=name, action="claim", id="T-01") for name in names]
    answers = await gather(*claims)
    assert sum(not answer.failed for answer in answers) == 1


async def test_writes_on_the_board_tell_what_is_unread(agent: Agent) -> None:
    """A count, and the top line addressed to the writer (trap 5)."""
    there = await board(agent)
    await agent.call("room_send", code=there.code, name="Nova", text="@Ada leave that")
    changed = await there.do("Ada", "claim")
    assert changed["unread"] == 2  # the task's own line, and Nova's
    assert changed["top"] == {"line": 2, "name": "Nova", "text": "@Ada leave that"}


async def test_a_repeated_request_is_one_task(agent: Agent) -> None:
    """The same requestId, the same task (W-73)."""
    there = await board(agent)
    asked = {"id": "", "title": "once", "requestId": "r-1"}
    first, again = await there.do("Ada", "create", **asked), await there.do("Ada", "create", **asked)
    assert first["task"]["id"] == again["task"]["id"] == "T-02"
    assert again["replayed"] is True


async def test_a_large_board_comes_in_parts(agent: Agent, program: Agent) -> None:
    """What is to do first; under 8 KB; a program gets it whole."""
    made = await crowd(agent, "Iris")
    for number in range(120):
        title = f"{number:03d} {'t' * 200}"
        await agent.call("room_task", code=made["code"], name="Iris", action="create", title=title, dod="d" * 400)
    seen: list[str] = []
    while True:
        answer = await agent.ask("room_task", code=made["code"], action="list", offset=len(seen))
        assert answer.bytes < 8_000
        seen += [task["id"] for task in answer.value["board"]["tasks"]]
        if "more" not in answer.value["board"]:
            break
        assert f"offset: {len(seen)}" in answer.note
    assert len(set(seen)) == len(seen) == 120
    whole = await program.call("room_task", code=made["code"], action="list")
    assert whole["board"]["tasks"][0]["dod"] == "d" * 400
    changed = await agent.ask("room_task", code=made["code"], name="Iris", action="claim", id="T-07")
    assert changed.bytes < 8_000


async def test_long_evidence_is_cut_and_whole_on_request(agent: Agent) -> None:
    """Under 8 KB by default, with the call that has all of it (trap 8)."""
    there = await board(agent)
    await there.do("Ada", "claim")
    long = {name: name[0] * 15_000 for name in ("fileListing", "fileExcerpt", "runOutput")}
    submitted = await agent.ask(
        "room_task", code=there.code, name="Ada", action="submit", id="T-01", exitCode=0, **long
    )
    assert submitted.bytes < 8_000
    assert 'action: "list", id: "T-01", full: true' in submitted.note
    whole = await there.list(id="T-01", full=True)
    assert whole["task"]["evidence"]["runOutput"] == "r" * 15_000
