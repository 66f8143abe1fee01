"""A room that goes on from a playbook, and who comes for its roles."""

from typing import Any

from tests.wire.across.facts.shape import Fact, Seen
from tests.wire.across.house import Room

DEBATE = {"templateId": "decision-debate", "agentId": "Ben"}


async def debating(room: Room) -> None:
    await room.house.tool("create_room_from_template", roomId=room.code, **DEBATE)


async def judged(room: Room) -> Any:
    """By `/api/room`."""
    who = {"name": "Iris", "client": "cc", "role": "Judge"}
    return await room.action("join", participant=who)


PLAYBOOKS = [
    Fact(
        "a playbook",
        {"state": debating},
        [
            Seen("TaskOpened"),
            Seen(
                "PlaybookApplied",
                "room_templated",
                "room_templated",
                'Set up from the playbook "Decision debate". 1 task was added. Roles: Advocate, Skeptic, Judge.',
                {"templateId": "decision-debate", "taskCount": 1},
                "Ben",
            ),
        ],
    ),
    Fact(
        "a role taken",
        {
            "talk": lambda room: room.tool("room_join", name="Iris", role="Judge"),
            "action": judged,
            "api": lambda room: room.native("POST", "/seats", {"name": "Iris", "role": "judge"}),
        },
        [
            Seen("MemberSeated"),
            Seen("TaskCast"),
            Seen(
                "RoleTaken",
                "role_taken",
                "role_taken",
                'Iris has come for the role "Judge": T-01.',
                {"name": "Iris", "role": "Judge", "tasks": ["T-01"]},
                "Iris",
            ),
        ],
        (debating,),
    ),
]
