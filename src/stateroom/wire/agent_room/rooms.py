"""Rooms, participants, reply modes and turns (agent-room §4.1, §4.2, §4.6, §4.7). No digest of a key leaves here."""

from collections.abc import Mapping
from typing import Any

from stateroom.core import floor, looks
from stateroom.core.ids import Instant, Name
from stateroom.core.members import Member, fold
from stateroom.core.refusals import InvalidModeConfig
from stateroom.core.room import Room
from stateroom.core.seats import speaks_freely
from stateroom.core.turns import ModeConfig, Spoken, Timeouts, Turn
from stateroom.wire.agent_room.messages import CLIENTS
from stateroom.wire.policies import policy_shape
from stateroom.wire.roles import roles_shape

Shape = dict[str, Any]
TIMEOUTS = ("lead", "supplement", "wrap", "moderator", "assignee")


class Seen:
    """When a member was last seen, and until when it listens, as this server knows it (epoch ms)."""

    __slots__ = ("last", "listening", "state")

    def __init__(self, last: Instant | None, listening: Instant | None, state: str) -> None:
        self.last, self.listening, self.state = last, listening, state


def participant_shape(member: Member, seen: Seen | None) -> Shape:
    """A Participant. Ours: `presence`, in words. Whoever only acts here, without a seat, looks as its name does."""
    shape: Shape = {
        "name": member.name,
        "role": member.role,
        "color": member.color or looks.color(member.name, "", ()),
        "initials": member.initials or looks.initials(member.name),
        "client": CLIENTS[member.kind],
        "joinedAt": member.joined_at,
        "lastSeenAt": (seen.last if seen else None) or member.joined_at,
        "canSpeak": not member.muted,
        "presence": seen.state if seen else "away",
    }
    if seen and seen.listening:
        shape["listenUntil"] = seen.listening
    return shape


def room_shape(room: Room, seen: Mapping[str, Seen]) -> Shape:
    """A Room. `seen` by folded name. Ours: `messageCount`, `exchangePaused`, `policy`, `roles` (of its playbook)."""
    life = room.lifecycle
    shape: Shape = {
        "code": life.code,
        "topic": life.topic or life.project,
        "createdBy": life.host,
        "createdAt": life.opened_at,
        "status": "active" if life.ended_at is None else "ended",
        "version": room.position,
        "participants": [participant_shape(m, seen.get(fold(m.name))) for m in room.members.by_fold.values()],
        "replyMode": room.floor.mode,
        "messageCount": room.lines,
        "policy": policy_shape(life.policy),
    }
    if (config := mode_config_shape(room.floor.config)) != {}:
        shape["modeConfig"] = config
    if life.project_id:
        shape |= {"projectId": life.project_id, "projectName": life.project_name}
    if life.ended_at is not None:
        shape["endedAt"] = life.ended_at
    if life.reactivated_at is not None:
        shape["reactivatedAt"] = life.reactivated_at
    if room.speech.paused:
        shape["exchangePaused"] = True
    if life.roles:
        shape["roles"] = roles_shape(room)
    return shape


def mode_config_shape(config: ModeConfig) -> Shape:
    """A ReplyModeConfig: what is set, and nothing else."""
    shape: Shape = {}
    if config.lead:
        shape |= {"leadAgentName": config.lead, "leadAgentClient": "cc"}
    if config.moderator:
        shape |= {"moderatorAgentName": config.moderator, "moderatorAgentClient": "cc"}
    times = {name: value for name in TIMEOUTS if (value := getattr(config.timeouts, name)) is not None}
    if times:
        shape["timeoutMs"] = times
    if config.grace_ms is not None:
        shape["leadGraceMs"] = config.grace_ms
    if config.restart_on_human:
        shape["restartOnHuman"] = True
    return shape


def read_mode_config(given: object) -> ModeConfig:
    """A ReplyModeConfig as sent. Raises InvalidModeConfig."""
    if given is None:
        return ModeConfig()
    if not isinstance(given, dict):
        raise InvalidModeConfig(reason="the config is no object")
    times = given.get("timeoutMs") or {}
    if not isinstance(times, dict):
        raise InvalidModeConfig(reason="timeoutMs is no object")
    return ModeConfig(
        lead=Name(_text(given, "leadAgentName")),
        moderator=Name(_text(given, "moderatorAgentName")),
        timeouts=Timeouts(**{name: _milliseconds(times, name, f"timeoutMs.{name}") for name in TIMEOUTS}),
        grace_ms=_milliseconds(given, "leadGraceMs", "leadGraceMs"),
        restart_on_human=given.get("restartOnHuman") is True,
    )


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name) or ""
    if not isinstance(value, str):
        raise InvalidModeConfig(reason=f"{name} is no text")
    return value


def _milliseconds(given: Mapping[str, Any], name: str, called: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e15:
        raise InvalidModeConfig(reason=f"{called} is no number of milliseconds")
    return int(value)


def spoken_shape(spoken: Spoken, client: str = "cc") -> Shape:
    """A TurnSpokenEntry."""
    return {"name": spoken.name, "client": client, "role": spoken.role, "status": spoken.ending, "at": spoken.at}


def turn_shape(turn: Turn) -> Shape:
    """A TurnState. The record of a finished turn has no current speaker."""
    shape: Shape = {
        "turnId": turn.id,
        "mode": turn.mode,
        "queue": [{"name": slot.name, "client": "cc", "role": slot.role} for slot in turn.queue],
        "spoken": [spoken_shape(one) for one in turn.spoken],
    }
    leader = "moderator" if turn.mode == "moderator" else "lead"
    shape |= {f"{leader}Name": turn.leader, f"{leader}Client": "cc"}
    if turn.current is not None:
        shape |= {"currentName": turn.current.name, "currentClient": "cc", "currentRole": turn.current.role}
    for name, value in (
        ("deadline", turn.deadline),
        ("hardDeadline", turn.hard_deadline),
        ("leadGraceUntil", turn.grace_until),
    ):
        if value is not None:
            shape[name] = value
    if turn.invited:
        shape["hostDirected"] = [
            {"name": one.name, "client": "cc", "addedAt": one.at, "source": one.source} for one in turn.invited
        ]
    return shape


def current_speaker(turn: Turn | None) -> Shape | None:
    """Who has the floor, in short."""
    if turn is None or turn.current is None:
        return None
    shape: Shape = {"name": turn.current.name, "client": "cc", "role": turn.current.role}
    return {**shape, "deadline": turn.deadline} if turn.deadline is not None else shape


def standing(room: Room, member: Member | None, now: Instant) -> Shape:
    """What a member is to the floor: mode, speaker, its own role, whether it may speak (agent-room §5.7, §9.3)."""
    turn = floor.turn_of(room.floor)
    shape: Shape = {"replyMode": room.floor.mode}
    if config := mode_config_shape(room.floor.config):
        shape["modeConfig"] = config
    if (speaker := current_speaker(turn)) is not None and turn is not None:
        shape |= {"currentSpeaker": speaker, "turnId": turn.id}
    if member is None:
        return {**shape, "myRoleInTurn": "observer", "canISpeakNow": False}
    role = floor.role_in_turn(room.floor, member.name, now)
    freely = speaks_freely(room.lifecycle, member)
    active = room.lifecycle.ended_at is None and not member.muted
    speaks = active and (freely or floor.may_speak(room.floor, member.name, now))
    shape |= {"myRoleInTurn": role, "canISpeakNow": speaks}
    if active and not speaks and room.floor.mode == "moderator":
        shape["canSendStatusNow"] = True
    return shape
