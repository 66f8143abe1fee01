"""Who may speak: modes, the steps of a turn, invitations."""

from tests.wire.across.facts.shape import Fact, Seen, says
from tests.wire.across.house import Room


async def sequential(room: Room) -> None:
    """Ben leads; Cy adds."""
    await room.join("Cy")
    await room.hosted("room_admin", action="set_mode", mode="sequential", leadAgentName="Ben")


async def a_turn(room: Room) -> None:
    await sequential(room)
    await room.say("Ann", "What now?")


async def impatient(room: Room) -> None:
    """The next in line may step in at once."""
    await sequential(room)
    await room.host_action("setReplyMode", mode="sequential", config={"leadAgentName": "Ben", "leadGraceMs": 0})


async def wait_for_an_offer(room: Room) -> None:
    """Until the server has noticed by itself that the lead is silent, or is told to look."""
    await room.say("Ann", "What now?")
    await room.action("sweep")


async def an_impatient_turn(room: Room) -> None:
    await impatient(room)
    await wait_for_an_offer(room)


async def an_invitation(room: Room) -> None:
    await a_turn(room)
    await room.host_action("directInvoke", target={"name": "Cy"}, source="host")


async def moderated(room: Room) -> None:
    """Ben moderates; Cy is there too."""
    await room.join("Cy")
    await room.hosted("room_admin", action="set_mode", mode="moderator", moderatorAgentName="Ben")


async def a_moderated_turn(room: Room) -> None:
    await moderated(room)
    await room.say("Ann", "What now?")


async def hurried(room: Room) -> None:
    """Ben has a thousandth of a second to answer."""
    await room.join("Cy")
    config = {"leadAgentName": "Ben", "timeoutMs": {"lead": 1}}
    await room.host_action("setReplyMode", mode="sequential", config=config)


async def run_out_of_time(room: Room) -> None:
    """Until the server has said so by itself."""
    said = await room.say("Ann", "What now?")
    await room.native("GET", "/lines", after=said["message"]["line"], wait_ms=20_000)


async def moderated_by_nobody(room: Room) -> None:
    await room.host_action("setReplyMode", mode="moderator", config={"moderatorAgentName": "Zed"})


MODE = {"mode": "sequential", "lead": "Ben", "moderator": "", "reason": ""}


FLOOR = [
    Fact(
        "a mode",
        {
            "talk": lambda room: room.hosted("room_admin", action="set_mode", mode="sequential", leadAgentName="Ben"),
            "action": lambda room: room.host_action("setReplyMode", mode="sequential", config={"leadAgentName": "Ben"}),
            "command": lambda room: room.wish("set-mode", host=True, mode="sequential", config={"lead": "Ben"}),
        },
        [
            Seen(
                "ModeChanged",
                "mode_changed",
                "mode_changed",
                'Reply mode changed to "sequential" by Nova',
                MODE,
                "Nova",
            )
        ],
    ),
    Fact(
        "a person's message, which starts a turn",
        says("What now?", "Ann"),
        [Seen("MessageSaid", "message", "msg", "What now?", sender="Ann"), Seen("TurnStarted")],
        (sequential,),
    ),
    Fact(
        "the lead's answer, which passes the floor on",
        says("This.", "Ben"),
        [Seen("MessageSaid", "message", "msg", "This.", sender="Ben"), Seen("TurnPassed")],
        (a_turn,),
    ),
    Fact("a speaker that passes", says("__no_addition__", "Ben"), [Seen("TurnPassed")], (a_turn,)),
    Fact(
        "a speaker at work",
        says("reading", "Ben", "status"),
        [Seen("MessageSaid", "status", "msg", "reading", sender="Ben"), Seen("TurnExtended")],
        (a_turn,),
    ),
    Fact(
        "a speaker skipped",
        {
            "talk": lambda room: room.hosted("room_admin", action="skip"),
            "action": lambda room: room.host_action("skipCurrent"),
            "command": lambda room: room.wish("skip-speaker", host=True),
        },
        [
            Seen(
                "TurnPassed",
                "skipped_by_host",
                "skipped_by_host",
                "Host skipped @Ben's lead slot.",
                {"name": "Ben", "role": "lead", "currentSpeaker": "Cy"},
                "Nova",
            )
        ],
        (a_turn,),
    ),
    Fact(
        "an invitation by the host",
        {
            "talk": lambda room: room.hosted("room_admin", action="invoke", targetName="Cy"),
            "action": lambda room: room.host_action("directInvoke", target={"name": "Cy"}, source="host"),
            "command": lambda room: room.wish("invite", host=True, target="Cy"),
        },
        [
            Seen(
                "MemberInvited",
                "host_invoked",
                "host_invoked",
                "Host (Nova) directly invoked @Cy.",
                {"name": "Cy", "currentSpeaker": "Ben"},
                "Nova",
                "Cy",
            )
        ],
        (a_turn,),
    ),
    Fact(
        "stepping in for a silent lead",
        says("I know.", "Cy"),
        [
            Seen("MessageSaid", "message", "msg", "I know.", sender="Cy"),
            Seen("TurnPassed", "skipped_by_grace", "skipped_by_grace", "@Ben was silent", {"name": "Ben"}, "Cy"),
        ],
        (an_impatient_turn,),
    ),
    Fact(
        "an invitation by the moderator",
        {
            "talk": lambda room: room.tool("room_admin", name="Ben", action="invoke", targetName="Cy"),
            "action": lambda room: room.action(
                "directInvoke", requesterName="Ben", target={"name": "Cy"}, source="moderator"
            ),
            "command": lambda room: room.wish("invite", "Ben", target="Cy", source="moderator"),
        },
        [
            Seen(
                "MemberInvited",
                "moderator_dispatched",
                "moderator_dispatched",
                "Ben gave @Cy the word.",
                {"name": "Cy", "currentSpeaker": "Ben"},
                "Ben",
                "Cy",
            )
        ],
        (a_moderated_turn,),
    ),
    Fact(
        "an invitation taken",
        says("I know.", "Cy"),
        [Seen("MessageSaid", "message", "msg", "I know.", sender="Cy"), Seen("InvitationUsed")],
        (an_invitation,),
    ),
    Fact(
        "the next in line leaves",
        {
            "talk": lambda room: room.tool("room_leave", name="Cy"),
            "state": lambda room: room.tool("leave_room", agentId="Cy"),
        },
        [
            Seen("MemberLeft", "agent_left", "member_left", "Cy has left.", {"agentId": "Cy"}, "Cy"),
            Seen("QueueShortened"),
        ],
        (a_turn,),
    ),
    Fact(
        "a lead that is silent",
        {"action": wait_for_an_offer},
        [Seen("MessageSaid", "message", "msg", "What now?", sender="Ann"), Seen("TurnStarted"), Seen("TurnOffered")],
        (impatient,),
    ),
    Fact(
        "the end of the room in a turn",
        {"talk": lambda room: room.hosted("room_end"), "action": lambda room: room.host_action("end")},
        [Seen("RoomEnded", "room_ended", "room_ended", "ended by Nova", sender="Nova"), Seen("TurnClosed")],
        (a_turn,),
    ),
    Fact(
        "a message off the floor, kept as a status note",
        says("Me!", "Cy"),
        [Seen("MessageSaid", "status", "msg", "Me!", {"text": "Me!", "kind": "status"}, "Cy")],
        (a_moderated_turn,),
    ),
    Fact(
        "a speaker out of time",
        {"action": run_out_of_time},
        [
            Seen("MessageSaid", "message", "msg", "What now?", sender="Ann"),
            Seen("TurnStarted"),
            Seen("TurnPassed", "timed_out", "timed_out", "@Ben's lead slot", {"name": "Ben", "role": "lead"}, "system"),
        ],
        (hurried,),
    ),
    Fact(
        "a moderator that is not there",
        says("What now?", "Ann"),
        [
            Seen("MessageSaid", "message", "msg", "What now?", sender="Ann"),
            Seen("ModeratorMissed", "moderator_absent", "moderator_absent", "Zed", {"name": "Zed"}, "system"),
        ],
        (moderated_by_nobody,),
    ),
    Fact(
        "a moderator that leaves",
        {
            "talk": lambda room: room.tool("room_leave", name="Ben"),
            "state": lambda room: room.tool("leave_room", agentId="Ben"),
            "action": lambda room: room.action("removeParticipant", requesterName="Ben", targetName="Ben"),
            "command": lambda room: room.wish("leave", "Ben"),
        },
        [
            Seen("MemberLeft", "agent_left", "member_left", "Ben has left.", {"agentId": "Ben"}, "Ben"),
            Seen(
                "ModeratorReplaced",
                "moderator_handoff",
                "moderator_handoff",
                "moderates now",
                {"previous": "Ben", "reason": "left"},
                "system",
                "Nova",
            ),
        ],
        (a_moderated_turn,),
    ),
    Fact(
        "a lead that leaves",
        {
            "talk": lambda room: room.tool("room_leave", name="Ben"),
            "state": lambda room: room.tool("leave_room", agentId="Ben"),
        },
        [
            Seen("MemberLeft", "agent_left", "member_left", "Ben has left.", {"agentId": "Ben"}, "Ben"),
            Seen(
                "ModeChanged",
                "mode_changed",
                "lead_left",
                "the room is open",
                {"mode": "open", "reason": "lead_left"},
                "Ben",
            ),
        ],
        (a_turn,),
    ),
]
