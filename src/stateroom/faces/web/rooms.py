"""The page of a room, from the room as it stands."""

from collections.abc import Mapping

from stateroom.core import floor
from stateroom.core.ids import Instant
from stateroom.core.members import Member, fold, same
from stateroom.core.room import Room
from stateroom.engine.presence import Presence
from stateroom.faces.web.avatars import avatar
from stateroom.faces.web.boards import columns, short
from stateroom.faces.web.contexts import Frame, RoomPage
from stateroom.faces.web.parts import ContextRow, FloorView, MemberRow, Stretch, moment, moment_or_none

SHOWN_MEMBERS, SHOWN_CONTEXT = 200, 100
SUMMARY_CHARS = 400
PRESENCES = ("listening", "online", "idle", "away")


def room_page(
    room: Room, code: str, frame: Frame, transcript: Stretch, seen: Mapping[str, Presence], now: Instant
) -> RoomPage:
    """`seen` by folded name."""
    life = room.lifecycle
    return RoomPage(
        frame=frame,
        code=code,
        topic=topic(room),
        host=life.host,
        created=moment(life.opened_at),
        ended=moment_or_none(life.ended_at),
        paused=room.speech.paused,
        now=moment(now),
        members=members(room, seen)[:SHOWN_MEMBERS],
        member_count=len(room.members.by_fold),
        floor=floor_view(room),
        columns=columns(room, now),
        completed=moment_or_none(room.board.completed_at),
        context=context(room)[-SHOWN_CONTEXT:],
        context_count=len(room.context.entries),
        transcript=transcript,
    )


def topic(room: Room) -> str:
    """What the room is about; its project where nobody said."""
    return room.lifecycle.topic or room.lifecycle.project


def members(room: Room, seen: Mapping[str, Presence]) -> tuple[MemberRow, ...]:
    rows = [_member(member, room, seen.get(fold(member.name))) for member in room.members.by_fold.values()]
    return tuple(sorted(rows, key=lambda row: PRESENCES.index(row.presence)))


def _member(member: Member, room: Room, presence: Presence | None) -> MemberRow:
    turn, state = floor.turn_of(room.floor), presence.state if presence else "away"
    return MemberRow(
        name=member.name,
        avatar=avatar(member.initials or member.name[:1].upper(), member.color),
        person=member.kind == "human",
        role=member.role,
        presence=state,
        seen=moment_or_none(presence.last_seen) if presence and state in ("idle", "away") else None,
        host=bool(room.lifecycle.host) and same(member.name, room.lifecycle.host),
        muted=member.muted,
        has_floor=turn is not None and turn.has_floor(member.name),
    )


def floor_view(room: Room) -> FloorView:
    turn, config = floor.turn_of(room.floor), room.floor.config
    current = turn.current if turn else None
    return FloorView(
        mode=room.floor.mode,
        leader=room.floor.moderator if room.floor.mode == "moderator" else config.lead,
        speaker=current.name if current else "",
        role=current.role if current else "",
        until=moment_or_none(turn.deadline if turn else None),
        queue=tuple(slot.name for slot in turn.queue) if turn else (),
        invited=tuple(one.name for one in turn.invited) if turn else (),
    )


def context(room: Room) -> tuple[ContextRow, ...]:
    return tuple(
        ContextRow(
            id=entry.id,
            type=entry.type,
            version=entry.version,
            summary=short(entry.summary, SUMMARY_CHARS),
            author=entry.author,
            consumers=entry.consumers,
            at=moment(entry.written_at),
        )
        for entry in room.context.entries.values()
    )
