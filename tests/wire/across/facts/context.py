"""What happens to context, and what is asked to be reviewed."""

from tests.wire.across.facts.shape import Fact, Seen, an_open_task
from tests.wire.across.house import Room

NOTE = {"type": "note", "payload": {"text": "t"}}


async def a_note_for_dee(room: Room) -> None:
    await room.tool("write_context", **NOTE, summary="old", consuming_agents=["Dee"], author="Ben")


async def a_note_for_nobody(room: Room) -> None:
    await room.tool("write_context", **NOTE, summary="old", consuming_agents=[], author="Ben")


async def a_decision(room: Room) -> None:
    await room.say("Ann", "[DECISION] ship it")


async def decision_of(room: Room) -> str:
    return str((await room.native("GET", "/report"))["report"]["artifacts"][0]["id"])


async def a_review(room: Room) -> None:
    await an_open_task(room)
    asked = {"targetType": "task", "targetId": "T-01", "requestedBy": "Ben", "reviewer": "Dee"}
    await room.tool("request_review", **asked)


async def keep_by_action(room: Room) -> None:
    await room.action("decisionToContext", artifactId=await decision_of(room), name="Ben")


async def keep_by_tool(room: Room) -> None:
    await room.tool("room_minutes", name="Ben", keepDecision=await decision_of(room))


async def keep_by_api(room: Room) -> None:
    await room.native("POST", f"/decisions/{await decision_of(room)}/context", {"by": "Ben"})


CONTEXT = [
    Fact(
        "context for somebody",
        {
            "state": lambda room: room.tool(
                "write_context", **NOTE, summary="login", consuming_agents=["Dee"], author="Ben"
            ),
            "command": lambda room: room.wish("write-context", "Ben", **NOTE, summary="login", consumers=["Dee"]),
        },
        [
            Seen(
                "ContextWritten",
                "context_available",
                "context_update",
                "C-01 (note) written by Ben: login. For Dee.",
                {"contextId": "C-01", "contextType": "note", "summary": "login", "consuming_agents": ["Dee"]},
                "Ben",
                "Dee",
            )
        ],
    ),
    Fact(
        "context for nobody in particular",
        {
            "state": lambda room: room.tool("write_context", **NOTE, summary="s", consuming_agents=[], author="Ben"),
            "command": lambda room: room.wish("write-context", "Ben", **NOTE, summary="s"),
        },
        [Seen("ContextWritten")],
    ),
    Fact(
        "context revised for somebody",
        {
            "state": lambda room: room.tool("update_context", id="C-01", author="Ben", summary="new"),
            "command": lambda room: room.wish("revise-context", "Ben", context="C-01", summary="new"),
        },
        [
            Seen(
                "ContextRevised",
                "context_updated",
                "context_update",
                "C-01 (note) revised by Ben: new. For Dee.",
                {"previousVersion": "1.0", "version": "1.1"},
                "Ben",
                "Dee",
            )
        ],
        (a_note_for_dee,),
    ),
    Fact(
        "context revised for nobody",
        {
            "state": lambda room: room.tool("update_context", id="C-01", author="Ben", summary="new"),
            "command": lambda room: room.wish("revise-context", "Ben", context="C-01", summary="new"),
        },
        [Seen("ContextRevised")],
        (a_note_for_nobody,),
    ),
    Fact(
        "context withdrawn from somebody",
        {
            "state": lambda room: room.tool("delete_context", id="C-01", agentId="Ben"),
            "command": lambda room: room.wish("withdraw-context", "Ben", context="C-01"),
        },
        [
            Seen(
                "ContextWithdrawn",
                "context_deleted",
                "context_update",
                "withdrawn by Ben",
                {"contextId": "C-01"},
                "Ben",
            )
        ],
        (a_note_for_dee,),
    ),
    Fact(
        "context withdrawn that nobody was told of",
        {
            "state": lambda room: room.tool("delete_context", id="C-01", agentId="Ben"),
            "command": lambda room: room.wish("withdraw-context", "Ben", context="C-01"),
        },
        [Seen("ContextWithdrawn", "context_deleted", payload={"contextId": "C-01"}, sender="Ben")],
        (a_note_for_nobody,),
    ),
    Fact(
        "a decision kept as context",
        {"talk": keep_by_tool, "action": keep_by_action, "api": keep_by_api},
        [Seen("ContextWritten")],
        (a_decision,),
    ),
]


REVIEWS = [
    Fact(
        "a review asked for",
        {
            "state": lambda room: room.tool(
                "request_review", targetType="task", targetId="T-01", requestedBy="Ben", reviewer="Dee"
            ),
            "command": lambda room: room.wish(
                "request-review", "Ben", target_type="task", target="T-01", reviewer="Dee"
            ),
        },
        [
            Seen(
                "ReviewRequested",
                "review_requested",
                "review_requested",
                "Ben asks @Dee to review task T-01 (R-01)",
                sender="Ben",
                to="Dee",
            )
        ],
        (an_open_task,),
    ),
    Fact(
        "a review approved",
        {
            "state": lambda room: room.tool("approve", agentId="Dee", reviewId="R-01"),
            "command": lambda room: room.wish("resolve-review", "Dee", review="R-01", verdict="approved"),
        },
        [
            Seen(
                "ReviewApproved",
                "review_approved",
                "review_approved",
                "Dee approved task T-01 (R-01)",
                sender="Dee",
                to="Ben",
            )
        ],
        (a_review,),
    ),
    Fact(
        "a review rejected",
        {
            "state": lambda room: room.tool("reject", agentId="Dee", reviewId="R-01"),
            "command": lambda room: room.wish("resolve-review", "Dee", review="R-01", verdict="rejected"),
        },
        [
            Seen(
                "ReviewRejected",
                "review_rejected",
                "review_rejected",
                "Dee rejected task T-01 (R-01)",
                sender="Dee",
                to="Ben",
            )
        ],
        (a_review,),
    ),
]
