"""What the host does, who comes and goes; variables, leases, files and reports."""

from tests.wire.across.facts.shape import Fact, Seen
from tests.wire.across.house import Room


async def muted(room: Room) -> None:
    await room.hosted("room_admin", action="mute", targetName="Ben")


async def ended(room: Room) -> None:
    await room.hosted("room_end")


HOSTING = [
    Fact(
        "a voice taken",
        {
            "talk": lambda room: room.hosted("room_admin", action="mute", targetName="Ben"),
            "action": lambda room: room.host_action("setMuted", targetName="Ben", muted=True),
            "command": lambda room: room.wish("mute-member", host=True, target="Ben"),
        },
        [
            Seen(
                "MemberMuted",
                "member_muted",
                "member_muted",
                "Ben was muted by the host.",
                {"agentId": "Ben"},
                "Nova",
                "Ben",
            )
        ],
    ),
    Fact(
        "a voice given back",
        {
            "talk": lambda room: room.hosted("room_admin", action="unmute", targetName="Ben"),
            "action": lambda room: room.host_action("setMuted", targetName="Ben", muted=False),
            "command": lambda room: room.wish("mute-member", host=True, target="Ben", muted=False),
        },
        [
            Seen(
                "MemberUnmuted",
                "member_unmuted",
                "member_unmuted",
                "Ben may speak again.",
                {"agentId": "Ben"},
                "Nova",
                "Ben",
            )
        ],
        (muted,),
    ),
    Fact(
        "a policy",
        {
            "talk": lambda room: room.hosted("room_admin", action="set_policy", exchangeLimit=5),
            "action": lambda room: room.host_action("setPolicy", exchangeLimit=5),
            "command": lambda room: room.wish("set-policy", host=True, exchange_limit=5),
        },
        [
            Seen(
                "PolicySet",
                "policy_changed",
                "policy_changed",
                "changed by Nova",
                {"identity": "", "exchangeLimit": 5},
                "Nova",
            )
        ],
    ),
    Fact(
        "a member put out",
        {
            "talk": lambda room: room.hosted("room_admin", action="kick", targetName="Ben"),
            "action": lambda room: room.host_action("removeParticipant", targetName="Ben"),
            "command": lambda room: room.wish("remove-member", host=True, target="Ben"),
        },
        [
            Seen(
                "MemberRemoved",
                "agent_left",
                "member_removed",
                "Ben was removed by the host.",
                {"agentId": "Ben", "removed": True},
                "Nova",
            )
        ],
    ),
    Fact(
        "the end of the room",
        {
            "talk": lambda room: room.hosted("room_end"),
            "action": lambda room: room.host_action("end"),
            "command": lambda room: room.wish("end-room", host=True),
        },
        [Seen("RoomEnded", "room_ended", "room_ended", "ended by Nova", sender="Nova")],
    ),
    Fact(
        "its reopening",
        {
            "talk": lambda room: room.hosted("room_admin", action="reactivate"),
            "action": lambda room: room.host_action("reactivate"),
            "command": lambda room: room.wish("reactivate-room", host=True),
        },
        [Seen("RoomReactivated", "room_reactivated", "room_reactivated", "reopened by Nova", sender="Nova")],
        (ended,),
    ),
    Fact(
        "a template",
        {
            "state": lambda room: room.house.tool(
                "create_room_from_template", templateId="bug-fix", roomId=room.code, agentId="Ben"
            ),
            "command": lambda room: room.wish("apply-template", "Ben", template="bug-fix"),
        },
        [
            *[Seen("TaskOpened")] * 3,
            Seen(
                "TemplateApplied",
                "room_templated",
                "room_templated",
                "Set up as bug-fix. 3 tasks were added.",
                {"templateId": "bug-fix", "taskCount": 3},
                "Ben",
            ),
        ],
    ),
]


COMING_AND_GOING = [
    Fact(
        "a seat taken",
        {
            "talk": lambda room: room.tool("room_join", name="Eve"),
            "action": lambda room: room.join("Eve"),
            "api": lambda room: room.native("POST", "/seats", {"name": "Eve"}),
        },
        [Seen("MemberSeated")],
    ),
    Fact(
        "a first sign of life",
        {
            "state": lambda room: room.tool("heartbeat", agentId="Eve"),
            "api": lambda room: room.native("POST", "/members/Eve/heartbeat"),
            "command": lambda room: room.wish("join", "Eve"),
        },
        [Seen("MemberJoined")],
    ),
    Fact(
        "a member's leaving",
        {
            "talk": lambda room: room.tool("room_leave", name="Ben"),
            "state": lambda room: room.tool("leave_room", agentId="Ben"),
            "action": lambda room: room.action("removeParticipant", requesterName="Ben", targetName="Ben"),
            "command": lambda room: room.wish("leave", "Ben"),
            "api": lambda room: room.native("DELETE", "/members/Ben"),
        },
        [Seen("MemberLeft", "agent_left", "member_left", "Ben has left.", {"agentId": "Ben"}, "Ben")],
    ),
]


async def lapse(room: Room) -> None:
    """A lease of the shortest kind, until it is over."""
    await room.tool("acquire_lock", agentId="Ben", resource="file", ttlSeconds=1)
    await room.native("GET", "/entries", after=await room.position(), wait_ms=20_000)


async def upload(room: Room) -> None:
    form = {"roomCode": room.code}
    answer = await room.house.http.post(
        f"{room.house.url}/api/upload", data=form, files={"file": ("a.txt", b"x", "text/plain")}
    )
    assert answer.status_code == 201


async def a_lock(room: Room) -> None:
    await room.tool("acquire_lock", agentId="Ben", resource="file")


SMALL = [
    Fact(
        "a variable",
        {
            "state": lambda room: room.tool("set_shared_var", agentId="Ben", key="port", value="80"),
            "command": lambda room: room.wish("set-variable", "Ben", key="port", value="80"),
        },
        [Seen("VariableSet", "shared_var_set", payload={"key": "port", "value": "80"}, sender="Ben")],
    ),
    Fact(
        "a lease taken",
        {
            "state": lambda room: room.tool("acquire_lock", agentId="Ben", resource="file"),
            "command": lambda room: room.wish("take-lease", "Ben", resource="file", seconds=60),
        },
        [Seen("LeaseTaken")],
    ),
    Fact(
        "a lease given back",
        {
            "state": lambda room: room.tool("release_lock", agentId="Ben", resource="file"),
            "command": lambda room: room.wish("release-lease", "Ben", resource="file"),
        },
        [Seen("LeaseReleased")],
        (a_lock,),
    ),
    Fact(
        "a lease renewed",
        {
            "state": lambda room: room.tool("acquire_lock", agentId="Ben", resource="file", ttlSeconds=300),
            "command": lambda room: room.wish("take-lease", "Ben", resource="file", seconds=300),
        },
        [Seen("LeaseRenewed")],
        (a_lock,),
    ),
    Fact("a lease run out", {"state": lapse}, [Seen("LeaseTaken"), Seen("LeaseLapsed")]),
    Fact("a file uploaded", {"upload": upload}, [Seen("AttachmentStored")]),
    Fact(
        "a report",
        {
            "talk": lambda room: room.tool("room_minutes", name="Ben", export=True),
            "action": lambda room: room.action("createReport", name="Ben"),
            "api": lambda room: room.native("POST", "/reports", {"by": "Ben"}),
        },
        [Seen("ReportKept")],
    ),
]
