"""Which lines wake a member that listens only for what is addressed to it (agent-room §7.3).

A line that does not wake is held, not lost: it comes with the next one that does, or when the wait ends. That
somebody answered a message of mine is no reason to wake me (trap 40); being named, asked or given the word is.
"""

from stateroom.core import context, floor, members
from stateroom.core.here import LogEntry
from stateroom.core.members import Member, same
from stateroom.core.messages import MessagePosted
from stateroom.core.reviews import ReviewApproved, ReviewFact, ReviewRejected
from stateroom.core.room import Room
from stateroom.core.speech import MessageSaid
from stateroom.core.tasks import TaskFact
from stateroom.core.turns import among


def addressed(entry: LogEntry, me: Member, room: Room) -> bool:
    """Whether this line is my business."""
    if same(entry.by, me.name):
        return False
    event = entry.event
    if isinstance(event, MessageSaid):
        return _said_to_me(event, me, room)
    if isinstance(event, MessagePosted):
        return same(event.to, me.name)
    return _about_me(entry, me)


def _said_to_me(event: MessageSaid, me: Member, room: Room) -> bool:
    if among(me.name, event.mentions):
        return True
    if event.kind == "status" or event.standing.role == "status":
        return False
    if event.speaker.kind == "human" or event.standing.role == "human":
        return room.floor.mode != "moderator" or same(room.floor.moderator, me.name)
    return not any(other.kind == "agent" and other.name != me.name for other in room.members.by_fold.values())


def _about_me(entry: LogEntry, me: Member) -> bool:
    event = entry.event
    if isinstance(event, TaskFact):
        return among(me.name, [name for name in (event.task.owner, event.task.verifier) if name])
    if isinstance(event, ReviewApproved | ReviewRejected):
        return same(event.review.requested_by, me.name)
    if isinstance(event, ReviewFact):
        return same(event.review.reviewer, me.name)
    if isinstance(event, context.ContextFact):
        return among(me.name, event.entry.consumers)
    named = (floor.MemberInvited, floor.TurnPassed, floor.ModeratorReplaced, floor.ModeratorMissed)
    muted = (members.MemberMuted, members.MemberUnmuted)
    return isinstance(event, (*named, *muted)) and same(event.name, me.name)
