"""What happens to the board when nothing happens."""

from typing import Any

from tests.wire.across.facts.shape import Fact, Seen, an_open_task
from tests.wire.across.facts.tasks import a_held_task, a_submitted_task
from tests.wire.across.house import RUN, Room


def system(fact: str, event: str, line: str, says: str, to: str = "all", **payload: Any) -> Seen:
    return Seen(fact, event, line, says, payload, "system", to)


async def a_short_lease(room: Room) -> None:
    await an_open_task(room)
    await room.tool("room_task", name="Ben", action="claim", id="T-01", leaseSeconds=60)


async def anybodys_verdict(room: Room) -> None:
    """Submitted, and nobody is named to rule on it."""
    await room.tool("room_task", name="Nova", action="create", title="Write the client", dod="green")
    await room.tool("room_task", name="Ben", action="submit", id="T-01", **RUN)


async def a_review_asked_for(room: Room) -> None:
    await an_open_task(room)
    await room.tool("request_review", targetType="task", targetId="T-01", requestedBy="Ben", reviewer="Nova")


SILENCE = [
    Fact(
        "a lease that has run out",
        {"action": lambda room: room.after(2)},
        [
            system(
                "TaskLapsed",
                "task_updated",
                "task_update",
                "T-01 is free again: the lease of Ben has run out, who was last seen at 20",
                previousStatus="in_progress",
                lapsed=True,
                holder="Ben",
            )
        ],
        (a_short_lease,),
    ),
    Fact(
        "a holder that is silent",
        {"action": lambda room: room.after(11)},
        [
            system(
                "ClaimStalled",
                "stalled_claim",
                "stalled_claim",
                "@Ben holds T-01 and has done nothing here since 20",
                "Ben",
                holder="Ben",
            )
        ],
        (a_held_task,),
    ),
    Fact(
        "a verdict asked of another",
        {"action": lambda room: room.after(31, "Dee")},
        [
            system(
                "TaskRerouted",
                "task_updated",
                "task_update",
                "The verdict on T-01 is overdue: @Dee is asked for it instead of Nova",
                "Dee",
                verifier="Dee",
                previousVerifier="Nova",
            )
        ],
        (a_submitted_task,),
    ),
    Fact(
        "a verdict that nobody can give",
        {"action": lambda room: room.after(31)},
        [
            system(
                "VerdictOverdue",
                "review_overdue",
                "review_overdue",
                "T-01 has waited for a verdict since 20",
            )
        ],
        (anybodys_verdict,),
    ),
    Fact(
        "a review asked of another",
        {"action": lambda room: room.after(31, "Dee")},
        [
            system(
                "ReviewRerouted",
                "review_requested",
                "review_requested",
                "The review R-01 of task T-01 is overdue: @Dee is asked for it instead of Nova",
                "Dee",
                previousReviewer="Nova",
            )
        ],
        (a_review_asked_for,),
    ),
    Fact(
        "a review that nobody can give",
        {"action": lambda room: room.after(31)},
        [
            system(
                "ReviewOverdue",
                "review_overdue",
                "review_overdue",
                "The review R-01 of task T-01 is overdue, and nobody is here to give it",
                "Nova",
            )
        ],
        (a_review_asked_for,),
    ),
]
