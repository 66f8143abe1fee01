"""What the room is told, as the Room Protocol's events (protocol §2.3): one table from facts to names."""

from collections.abc import Callable, Iterable
from typing import Any

from stateroom.core import (
    context,
    floor,
    halting,
    handing,
    lifecycle,
    members,
    messages,
    proving,
    reviews,
    silence,
    speech,
    tasks,
    variables,
)
from stateroom.core.context import ContextEntry
from stateroom.core.here import Event, LogEntry, Unreadable
from stateroom.core.room import Room
from stateroom.wire.policies import policy_shape
from stateroom.wire.room_protocol.shapes import STATUS, Shape, event_id, review_shape, task_shape
from stateroom.wire.times import iso

SYSTEM, ALL = "system", "all"


def told(entries: Iterable[LogEntry], room: Room, room_id: str) -> list[Shape]:
    """The events among these entries, in their order: told, not withdrawn, with their receipts."""
    return [
        event_shape(entry, room_id, room.messages.read_by(entry.position))
        for entry in entries
        if room.messages.visible(entry)
    ]


def event_shape(entry: LogEntry, room_id: str, read_by: Iterable[str] = ()) -> Shape:
    """An Event. Ours: `position`, the cursor of everything newer, and `via`, the credential that vouched for `from`."""
    type_, sender, to, payload = _name(entry, room_id)
    shape: Shape = {
        "id": event_id(entry.position),
        "type": type_,
        "from": sender,
        "to": to,
        "payload": payload,
        "timestamp": iso(entry.at),
        "read_by": list(read_by),
        "position": entry.position,
        "via": entry.via,
    }
    if answered := _answered(entry.event):
        shape["reply_to_id"] = answered
    return shape


def _answered(event: Event) -> str:
    """The id of what it answers, as the sender gave it; empty if it answers nothing."""
    if isinstance(event, speech.MessageSaid):
        return event_id(event.reply_to) if event.reply_to else ""
    return event.reply_to if isinstance(event, messages.MessagePosted) else ""


Named = tuple[str, str, str, Shape]
"""Type, sender, addressee, payload."""
_by_kind: dict[type[Event], Callable[[LogEntry, Any, str], Named]] = {}


def _name(entry: LogEntry, room_id: str) -> Named:
    kind = type(entry.event)
    name = _by_kind.get(kind) or _look_up(kind)
    return name(entry, entry.event, room_id)


def _look_up(kind: type[Event]) -> Callable[[LogEntry, Any, str], Named]:
    """The name of a kind is that of the first of its bases in NAMES; found once."""
    name = next((name for base, name in NAMES.items() if issubclass(kind, base)), None)
    assert name is not None, f"{kind.__name__} is told but has no name"
    return _by_kind.setdefault(kind, name)


def _posted(entry: LogEntry, event: messages.MessagePosted, room_id: str) -> Named:
    return event.type, entry.by or SYSTEM, event.to, event.payload


def _withdrawn(entry: LogEntry, event: messages.MessageWithdrawn, room_id: str) -> Named:
    return "event_deleted", entry.by or SYSTEM, ALL, {"eventId": event_id(event.position)}


def _task_added(entry: LogEntry, event: tasks.TaskOpened, room_id: str) -> Named:
    return "task_added", entry.by or SYSTEM, ALL, {"task": task_shape(event.task)}


def _task_deleted(entry: LogEntry, event: tasks.TaskRemoved, room_id: str) -> Named:
    payload: Shape = {"taskId": event.task.id, "task": task_shape(event.task)}
    if event.dependents:
        payload["dependents"] = list(event.dependents)
    return "task_deleted", entry.by or SYSTEM, ALL, payload


def _task_cancelled(entry: LogEntry, event: halting.TaskCancelled, room_id: str) -> Named:
    """What is cancelled is no part of this protocol's plan any more."""
    return "task_deleted", entry.by or SYSTEM, ALL, {"taskId": event.task.id, "task": task_shape(event.task)}


def _task_reopened(entry: LogEntry, event: halting.TaskReopened, room_id: str) -> Named:
    """It comes back into the plan, or was in it all the time."""
    if event.was == "cancelled":
        return "task_added", entry.by or SYSTEM, ALL, {"task": task_shape(event.task)}
    return _task_updated(entry, event, room_id)


def _task_updated(entry: LogEntry, event: tasks.TaskChanged, room_id: str) -> Named:
    """Ours, while it waits for a verdict: `awaitingReview`, and `verifier`, who is to rule (null: any other member)."""
    payload: Shape = {"task": task_shape(event.task), "previousStatus": STATUS[event.was]}
    if event.task.state == "submitted":
        payload |= {"awaitingReview": True, "verifier": event.task.verifier}
    return "task_updated", entry.by or event.task.owner or SYSTEM, ALL, payload


def _task_lapsed(entry: LogEntry, event: silence.TaskLapsed, room_id: str) -> Named:
    """Nobody did it: its holder has shown no sign of life."""
    _, _, _, payload = _task_updated(entry, event, room_id)
    about = {"lapsed": True, "holder": event.holder, "lastSeen": iso(event.seen)}
    return "task_updated", SYSTEM, ALL, {**payload, **about}


def _task_rerouted(entry: LogEntry, event: silence.TaskRerouted, room_id: str) -> Named:
    _, _, _, payload = _task_updated(entry, event, room_id)
    return "task_updated", SYSTEM, event.task.verifier or ALL, {**payload, "previousVerifier": event.asked}


def _handoff_requested(entry: LogEntry, event: handing.TaskHandoffRequested, room_id: str) -> Named:
    payload = {"task": task_shape(event.task), "requestedBy": entry.by}
    return "task_handoff_requested", entry.by or SYSTEM, event.task.owner or ALL, payload


def _commit_reported(entry: LogEntry, event: proving.TaskCommitReported, room_id: str) -> Named:
    type_, sender, to, payload = _task_updated(entry, event, room_id)
    return type_, sender, to, {**payload, "commit": event.task.commit.commit if event.task.commit else None}


def _stalled(entry: LogEntry, event: silence.ClaimStalled, room_id: str) -> Named:
    payload = {"task": task_shape(event.task), "holder": event.task.owner, "lastSeen": iso(event.seen)}
    return "stalled_claim", SYSTEM, event.task.owner or ALL, payload


def _verdict_overdue(entry: LogEntry, event: silence.VerdictOverdue, room_id: str) -> Named:
    payload = {"task": task_shape(event.task), "since": iso(event.since)}
    return "review_overdue", SYSTEM, event.task.verifier or ALL, payload


def _review_rerouted(entry: LogEntry, event: reviews.ReviewRerouted, room_id: str) -> Named:
    payload = {"review": review_shape(event.review, room_id), "previousReviewer": event.asked}
    return "review_requested", SYSTEM, event.review.reviewer, payload


def _review_overdue(entry: LogEntry, event: reviews.ReviewOverdue, room_id: str) -> Named:
    return "review_overdue", SYSTEM, event.review.reviewer, {"review": review_shape(event.review, room_id)}


def _to_consumers(entry: ContextEntry) -> str:
    return entry.consumers[0] if len(entry.consumers) == 1 else ALL


def _context(entry: ContextEntry) -> Shape:
    return {"contextId": entry.id, "contextType": entry.type, "summary": entry.summary}


def _available(entry: LogEntry, event: context.ContextWritten, room_id: str) -> Named:
    payload = {**_context(event.entry), "consuming_agents": list(event.entry.consumers)}
    return "context_available", event.entry.author or SYSTEM, _to_consumers(event.entry), payload


def _updated(entry: LogEntry, event: context.ContextRevised, room_id: str) -> Named:
    versions = {"previousVersion": event.previous_version, "version": event.entry.version}
    payload = {**_context(event.entry), **versions}
    if event.breaking:  # (ours) consumers are told when a change breaks them (W-31)
        payload["breaking"] = list(event.breaking)
    return "context_updated", event.entry.author or SYSTEM, _to_consumers(event.entry), payload


def _context_deleted(entry: LogEntry, event: context.ContextWithdrawn, room_id: str) -> Named:
    return "context_deleted", entry.by or event.entry.author, ALL, _context(event.entry)


def _var_set(entry: LogEntry, event: variables.VariableSet, room_id: str) -> Named:
    return "shared_var_set", entry.by or SYSTEM, ALL, {"key": event.key, "value": event.value}


def _left(entry: LogEntry, event: members.MemberLeft, room_id: str) -> Named:
    return "agent_left", event.name, ALL, {"agentId": event.name}


def _review_requested(entry: LogEntry, event: reviews.ReviewRequested, room_id: str) -> Named:
    review = event.review
    return "review_requested", review.requested_by, review.reviewer, {"review": review_shape(review, room_id)}


def _review_resolved(entry: LogEntry, event: reviews.ReviewFact, room_id: str) -> Named:
    review = event.review
    sender = review.resolved_by or SYSTEM
    return f"review_{review.status}", sender, review.requested_by, {"review": review_shape(review, room_id)}


def _templated(entry: LogEntry, event: lifecycle.TemplateApplied, room_id: str) -> Named:
    payload = {"templateId": event.template, "taskCount": event.task_count}
    return "room_templated", entry.by or SYSTEM, ALL, payload


def _played(entry: LogEntry, event: lifecycle.PlaybookApplied, room_id: str) -> Named:
    roles = [{"name": role.name, "role": role.role} for role in event.roles]
    payload = {"templateId": event.playbook, "taskCount": event.task_count, "roles": roles}
    return "room_templated", entry.by or SYSTEM, ALL, payload


def _role_taken(entry: LogEntry, event: floor.RoleTaken, room_id: str) -> Named:
    return "role_taken", event.name, ALL, {"name": event.name, "role": event.role, "tasks": list(event.tasks)}


def _said(entry: LogEntry, event: speech.MessageSaid, room_id: str) -> Named:
    """A message that was kept as a status note, because another had the floor, is one here too."""
    kind = "status" if event.standing.degraded else event.kind
    marks = [{"kind": mark.kind, "text": mark.text} for mark in event.marks]
    payload: Shape = {"text": event.text, "marks": marks, "kind": kind}
    if event.attachments:
        payload["attachments"] = [{"id": one.id, "name": one.name, "mime": one.mime} for one in event.attachments]
    return kind, entry.by, ALL, payload


def _paused(entry: LogEntry, event: speech.ExchangePaused, room_id: str) -> Named:
    return "exchange_paused", SYSTEM, ALL, {"count": event.count}


def _mode_changed(entry: LogEntry, event: floor.ModeChanged, room_id: str) -> Named:
    payload = {"mode": event.mode, "lead": event.config.lead, "moderator": event.config.moderator}
    return "mode_changed", entry.by or SYSTEM, ALL, {**payload, "reason": event.reason}


def _passed(entry: LogEntry, event: floor.TurnPassed, room_id: str) -> Named:
    type_ = "skipped_by_host" if event.why == "host" else event.ending
    return type_, entry.by or SYSTEM, ALL, {"name": event.name, "role": event.role, **_floor(event)}


def _invited(entry: LogEntry, event: floor.MemberInvited, room_id: str) -> Named:
    type_ = "host_invoked" if event.source == "host" else "moderator_dispatched"
    return type_, entry.by or SYSTEM, event.name, {"name": event.name, **_floor(event)}


def _moderator(entry: LogEntry, event: floor.ModeratorReplaced, room_id: str) -> Named:
    payload = {"name": event.name, "previous": event.previous, "reason": event.reason}
    return "moderator_handoff", SYSTEM, event.name, {**payload, **_floor(event)}


def _missed(entry: LogEntry, event: floor.ModeratorMissed, room_id: str) -> Named:
    return "moderator_absent", SYSTEM, ALL, {"name": event.name}


def _floor(event: floor.FloorFact) -> Shape:
    """Who has the floor afterwards."""
    slot = event.turn.current if event.turn else None
    return {"currentSpeaker": slot.name if slot else None}


def _removed(entry: LogEntry, event: members.MemberRemoved, room_id: str) -> Named:
    return "agent_left", entry.by or SYSTEM, ALL, {"agentId": event.name, "removed": True}


def _muted(entry: LogEntry, event: members.MemberMuted | members.MemberUnmuted, room_id: str) -> Named:
    type_ = "member_muted" if isinstance(event, members.MemberMuted) else "member_unmuted"
    return type_, entry.by or SYSTEM, event.name, {"agentId": event.name}


def _ended(entry: LogEntry, event: Event, room_id: str) -> Named:
    type_ = "room_ended" if isinstance(event, lifecycle.RoomEnded) else "room_reactivated"
    return type_, entry.by or SYSTEM, ALL, {"roomId": room_id}


def _policy(entry: LogEntry, event: lifecycle.PolicySet, room_id: str) -> Named:
    return "policy_changed", entry.by or SYSTEM, ALL, policy_shape(event.policy)


def _unreadable(entry: LogEntry, event: Unreadable, room_id: str) -> Named:
    return "unreadable", SYSTEM, ALL, {"reason": event.reason}


NAMES: dict[type[Event], Callable[[LogEntry, Any, str], Named]] = {
    messages.MessagePosted: _posted,
    messages.MessageWithdrawn: _withdrawn,
    tasks.TaskOpened: _task_added,
    tasks.TaskRemoved: _task_deleted,
    halting.TaskCancelled: _task_cancelled,
    halting.TaskReopened: _task_reopened,
    proving.TaskCommitReported: _commit_reported,
    silence.TaskLapsed: _task_lapsed,
    silence.TaskRerouted: _task_rerouted,
    silence.ClaimStalled: _stalled,
    silence.VerdictOverdue: _verdict_overdue,
    handing.TaskHandoffRequested: _handoff_requested,
    tasks.TaskChanged: _task_updated,
    context.ContextWritten: _available,
    context.ContextRevised: _updated,
    context.ContextWithdrawn: _context_deleted,
    variables.VariableSet: _var_set,
    members.MemberLeft: _left,
    reviews.ReviewRequested: _review_requested,
    reviews.ReviewRerouted: _review_rerouted,
    reviews.ReviewOverdue: _review_overdue,
    reviews.ReviewFact: _review_resolved,
    lifecycle.TemplateApplied: _templated,
    lifecycle.PlaybookApplied: _played,
    speech.MessageSaid: _said,
    speech.ExchangePaused: _paused,
    floor.ModeChanged: _mode_changed,
    floor.RoleTaken: _role_taken,
    floor.TurnPassed: _passed,
    floor.MemberInvited: _invited,
    floor.ModeratorReplaced: _moderator,
    floor.ModeratorMissed: _missed,
    members.MemberRemoved: _removed,
    members.MemberMuted: _muted,
    members.MemberUnmuted: _muted,
    lifecycle.RoomEnded: _ended,
    lifecycle.RoomReactivated: _ended,
    lifecycle.PolicySet: _policy,
    Unreadable: _unreadable,
}
"""What the room is told, under the Room Protocol's names (protocol §2.3). The first kind that fits names an entry."""
