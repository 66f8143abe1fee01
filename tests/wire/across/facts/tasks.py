"""What happens to a task."""

from typing import Any

from tests.wire.across.facts.shape import Fact, Seen, an_open_task
from tests.wire.across.house import RUN, Room


def task(event: str, says: str, sender: str = "Ben", fact: str = "", **payload: Any) -> Seen:
    return Seen(fact, event, "task_update", says, payload, sender)


ALL_DONE = Seen("BoardCompleted", "", "board_completed", "Nothing is left to do on the board: 1 done")
"""What is said besides, when the last task has come to an end."""


async def a_held_task(room: Room) -> None:
    await an_open_task(room)
    await room.tool("update_task", taskId="T-01", status="in_progress", owner="Ben")


async def a_leased_task(room: Room) -> None:
    await an_open_task(room)
    await room.tool("room_task", name="Ben", action="claim", id="T-01", leaseSeconds=900)


async def a_proven_task(room: Room) -> None:
    """It has a verifier, and Ben has it."""
    await room.tool("room_task", name="Nova", action="create", title="Write the client", verifier="Nova")
    await room.tool("room_task", name="Ben", action="claim", id="T-01")


async def a_submitted_task(room: Room) -> None:
    await a_proven_task(room)
    await room.tool("room_task", name="Ben", action="submit", id="T-01", **RUN)


async def a_rejected_task(room: Room) -> None:
    await a_submitted_task(room)
    await room.tool("room_task", name="Nova", action="verify", id="T-01", verdict="rejected")


async def a_cancelled_task(room: Room) -> None:
    await an_open_task(room)
    await room.tool("room_task", name="Nova", action="cancel", id="T-01")


async def two_tasks(room: Room) -> None:
    await an_open_task(room)
    await an_open_task(room)


TASKS = [
    Fact(
        "a task opened",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="create", title="Docs"),
            "state": lambda room: room.tool("add_task", title="Docs", description="", agentId="Ben"),
            "action": lambda room: room.action("taskCreate", requesterName="Ben", title="Docs"),
            "command": lambda room: room.wish("open-task", "Ben", title="Docs"),
        },
        [task("task_added", 'T-01 "Docs" added by Ben (now todo)', fact="TaskOpened")],
    ),
    Fact(
        "a task claimed",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="claim", id="T-01"),
            "state": lambda room: room.tool("update_task", taskId="T-01", status="in_progress", owner="Ben"),
            "action": lambda room: room.action("taskClaim", name="Ben", id="T-01"),
            "command": lambda room: room.wish("claim-task", "Ben", task="T-01"),
        },
        [
            task(
                "task_updated",
                "claimed by Ben, owner Ben (now in_progress)",
                fact="TaskClaimed",
                previousStatus="pending",
            )
        ],
        (an_open_task,),
    ),
    Fact(
        "a task finished",
        {
            "state": lambda room: room.tool("update_task", taskId="T-01", status="done", agentId="Ben"),
            "command": lambda room: room.wish("move-task", "Ben", task="T-01", to="done"),
        },
        [task("task_updated", "finished by Ben", fact="TaskFinished", previousStatus="in_progress"), ALL_DONE],
        (a_held_task,),
    ),
    Fact(
        "a task given back",
        {
            "state": lambda room: room.tool("update_task", taskId="T-01", status="pending", agentId="Ben"),
            "command": lambda room: room.wish("move-task", "Ben", task="T-01", to="open"),
        },
        [task("task_updated", "given back by Ben", fact="TaskReturned", previousStatus="in_progress")],
        (a_held_task,),
    ),
    Fact(
        "a task submitted",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="submit", id="T-01", **RUN),
            "action": lambda room: room.action("taskSubmit", name="Ben", id="T-01", evidence=RUN),
            "command": lambda room: room.wish(
                "submit-task", "Ben", task="T-01", file_listing="a", file_excerpt="b", run_output="c", exit_code=0
            ),
        },
        [task("task_updated", "(now awaiting_review)", fact="TaskSubmitted", previousStatus="in_progress")],
        (a_proven_task,),
    ),
    Fact(
        "a task verified",
        {
            "talk": lambda room: room.tool("room_task", name="Nova", action="verify", id="T-01", verdict="done"),
            "action": lambda room: room.action("taskVerify", name="Nova", id="T-01", verdict="done"),
            "command": lambda room: room.wish("verify-task", "Nova", task="T-01", verdict="done"),
        },
        [task("task_updated", "verified by Nova", "Nova", "TaskVerified", previousStatus="in_progress"), ALL_DONE],
        (a_submitted_task,),
    ),
    Fact(
        "a task rejected",
        {
            "talk": lambda room: room.tool("room_task", name="Nova", action="verify", id="T-01", verdict="rejected"),
            "action": lambda room: room.action("taskVerify", name="Nova", id="T-01", verdict="rejected"),
            "command": lambda room: room.wish("verify-task", "Nova", task="T-01", verdict="rejected"),
        },
        [task("task_updated", "(now rejected)", "Nova", "TaskRejected", previousStatus="in_progress")],
        (a_submitted_task,),
    ),
    Fact(
        "a task blocked",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="block", id="T-01", reason="no key"),
            "state": lambda room: room.tool("update_task", taskId="T-01", status="blocked", agentId="Ben"),
            "action": lambda room: room.action("taskBlock", requesterName="Ben", id="T-01", reason="no key"),
            "command": lambda room: room.wish("block-task", "Ben", task="T-01", reason="no key"),
        },
        [task("task_updated", "(now blocked)", fact="TaskBlocked", previousStatus="pending")],
        (an_open_task,),
    ),
    Fact(
        "a task cancelled",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="cancel", id="T-01"),
            "action": lambda room: room.action("taskCancel", requesterName="Ben", id="T-01"),
            "command": lambda room: room.wish("cancel-task", "Ben", task="T-01"),
        },
        [task("task_deleted", "(now cancelled)", fact="TaskCancelled", taskId="T-01")],
        (an_open_task,),
    ),
    Fact(
        "a cancelled task reopened",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="reopen", id="T-01"),
            "action": lambda room: room.action("taskReopen", requesterName="Ben", id="T-01"),
            "command": lambda room: room.wish("reopen-task", "Ben", task="T-01"),
        },
        [task("task_added", "reopened by Ben", fact="TaskReopened")],
        (a_cancelled_task,),
    ),
    Fact(
        "a rejected task reopened",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="reopen", id="T-01"),
            "action": lambda room: room.action("taskReopen", requesterName="Ben", id="T-01"),
            "command": lambda room: room.wish("reopen-task", "Ben", task="T-01"),
        },
        [task("task_updated", "reopened by Ben", fact="TaskReopened", previousStatus="in_progress")],
        (a_rejected_task,),
    ),
    Fact(
        "a task asked for",
        {
            "talk": lambda room: room.tool("room_task", name="Nova", action="handoff", id="T-01"),
            "action": lambda room: room.action("taskHandoff", name="Nova", id="T-01"),
            "command": lambda room: room.wish("request-handoff", "Nova", task="T-01"),
        },
        [
            Seen(
                "TaskHandoffRequested",
                "task_handoff_requested",
                "task_handoff_requested",
                "Nova asks @Ben for T-01",
                {"requestedBy": "Nova"},
                "Nova",
                "Ben",
            )
        ],
        (a_held_task,),
    ),
    Fact(
        "a task handed over",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="grant", id="T-01", owner="Nova"),
            "action": lambda room: room.action("taskGrant", name="Ben", id="T-01", to="Nova"),
            "command": lambda room: room.wish("grant-handoff", "Ben", task="T-01", to="Nova"),
        },
        [task("task_updated", "handed over by Ben, owner Nova (now in_progress)", fact="TaskHandedOver")],
        (a_held_task,),
    ),
    Fact(
        "a lease on a task renewed",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="renew", id="T-01", token=1),
            "action": lambda room: room.action("taskRenew", name="Ben", id="T-01", token=1),
            "command": lambda room: room.wish("renew-task", "Ben", task="T-01", token=1),
        },
        [Seen("TaskRenewed")],
        (a_leased_task,),
    ),
    Fact(
        "a task given back under its lease",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="release", id="T-01", token=1),
            "action": lambda room: room.action("taskRelease", name="Ben", id="T-01", token=1),
            "command": lambda room: room.wish("release-task", "Ben", task="T-01", token=1),
        },
        [task("task_updated", "given back by Ben", fact="TaskReturned", previousStatus="in_progress")],
        (a_leased_task,),
    ),
    Fact(
        "the best task taken",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="next"),
            "action": lambda room: room.action("taskNext", name="Ben"),
            "command": lambda room: room.wish("next-task", "Ben"),
        },
        [task("task_updated", "claimed by Ben, owner Ben (now in_progress)", fact="TaskClaimed")],
        (an_open_task,),
    ),
    Fact(
        "a newer commit",
        {
            "talk": lambda room: room.tool("room_task", name="Ben", action="commit", id="T-01", commit="ABCDEF0"),
            "action": lambda room: room.action("taskCommit", name="Ben", id="T-01", commit="ABCDEF0"),
            "command": lambda room: room.wish("report-commit", "Ben", task="T-01", commit="ABCDEF0"),
        },
        [task("task_updated", "WARNING: it names no commit", fact="TaskCommitReported", commit="abcdef0")],
        (a_submitted_task,),
    ),
    Fact(
        "a task given to another",
        {
            "talk": lambda room: room.tool("room_task", name="Nova", action="reassign", id="T-01", owner="Dee"),
            "action": lambda room: room.action("taskReassign", requesterName="Nova", id="T-01", owner="Dee"),
            "command": lambda room: room.wish("reassign-task", "Nova", task="T-01", owner="Dee"),
        },
        [task("task_updated", "changed by Nova, owner Dee", "Nova", "TaskReassigned")],
        (a_held_task,),
    ),
    Fact(
        "a verifier named",
        {
            "talk": lambda room: room.tool("room_task", name="Nova", action="reassign", id="T-01", verifier="Dee"),
            "action": lambda room: room.action("taskReassign", requesterName="Nova", id="T-01", verifier="Dee"),
            "command": lambda room: room.wish("reassign-task", "Nova", task="T-01", verifier="Dee"),
        },
        [task("task_updated", "changed by Nova", "Nova", "TaskVerifierNamed")],
        (a_held_task,),
    ),
    Fact(
        "a note on a task",
        {
            "state": lambda room: room.tool("update_task", taskId="T-01", status="in_progress", owner="Ben", note="n"),
            "command": lambda room: room.wish("move-task", "Ben", task="T-01", to="held", note="n"),
        },
        [task("task_updated", "changed by Ben", fact="TaskDescribed")],
        (a_held_task,),
    ),
    Fact(
        "a task that waits for another",
        {
            "state": lambda room: room.tool("add_dependency", taskId="T-02", dependsOn="T-01", agentId="Ben"),
            "command": lambda room: room.wish("link-task", "Ben", task="T-02", depends_on="T-01"),
        },
        [task("task_updated", "T-02", fact="TaskLinked")],
        (two_tasks,),
    ),
    Fact(
        "a task's priority",
        {
            "state": lambda room: room.tool("set_task_priority", taskId="T-01", priority=1, agentId="Ben"),
            "command": lambda room: room.wish("prioritize-task", "Ben", task="T-01", priority=1),
        },
        [task("task_updated", "changed by Ben", fact="TaskPrioritized")],
        (an_open_task,),
    ),
    Fact(
        "a task removed",
        {
            "state": lambda room: room.tool("delete_task", taskId="T-01", agentId="Ben"),
            "command": lambda room: room.wish("remove-task", "Ben", task="T-01"),
        },
        [task("task_deleted", "removed by Ben", fact="TaskRemoved", taskId="T-01")],
        (an_open_task,),
    ),
]
