"""The transcript's system lines: what each fact is called there, and the sentence it reads as (agent-room §4.4).

One table, from events to lines. What is said by members is in `messages`.
"""

from collections.abc import Callable
from typing import Any

from stateroom.core import context, floor, lifecycle, members, messages, reviews, speech
from stateroom.core.here import Event, LogEntry, Unreadable
from stateroom.core.payloads import compact_json, one_line
from stateroom.core.speech import MessageSaid
from stateroom.wire.agent_room.board_lines import BOARD_LINES
from stateroom.wire.agent_room.board_lines import TASK_STATES as TASK_STATES
from stateroom.wire.agent_room.line import AMBER, BLUE, GREEN, GREY, RED, TITLE_CHARS, Line, tame, who

PAYLOAD_CHARS = 2_000


OURS = frozenset(
    {
        *("mode_changed", "lead_changed", "moderator_changed", "timed_out", "skipped_by_host", "skipped_by_grace"),
        *("lead_left", "moderator_left", "moderator_fallback", "host_invoked", "moderator_dispatched"),
        *("moderator_absent", "moderator_mention_unmatched", "moderator_handoff", "agent_provider_skip"),
        *("budget_downgrade", "free_cap_reached", "e2b_budget_reached", "login_nudge", "task_update"),
        *("project_prompt_updated", "room_budget_paused", "game_update", "turn_timeout", "turn_skipped"),
        *("deliver_verifier_reassigned", "deliver_escalated", "deliver_plan", "deliver_report"),
        *("context_update", "review_requested", "review_approved", "review_rejected", "message_withdrawn"),
        *("member_left", "member_removed", "member_muted", "member_unmuted", "room_ended", "room_reactivated"),
        *("stalled_claim", "review_overdue", "board_completed", "task_handoff_requested"),
        *("policy_changed", "room_templated", "role_taken", "exchange_paused", "unreadable", "withdrawn"),
    }
)
"""What only the server says (agent-room §4.4, and ours); an event posted as one of these has another name (gap 31)."""


def system_line(entry: LogEntry) -> Line:
    """The line of an entry that nobody has said. A fact without a name of its own is shown by its kind."""
    for kind, line in LINES.items():
        if isinstance(entry.event, kind):
            return line(entry, entry.event)
    return Line("•", GREY, f"{type(entry.event).__name__}.")


def _mode(entry: LogEntry, event: floor.ModeChanged) -> Line:
    if event.reason:
        sentences = {
            "lead_left": "The lead is gone, so the room is open.",
            "moderator_left": "The moderator is gone and nobody can stand in, so the room is open.",
            "moderator_timeout": "The moderator has been silent and nobody can stand in, so the room is open.",
        }
        name = "moderator_fallback" if event.reason == "moderator_timeout" else event.reason
        return Line("🔓", GREY, sentences[event.reason], name, more={"reason": event.reason})
    return Line("⚙️", GREY, f'Reply mode changed to "{event.mode}" by {who(entry)}.', "mode_changed")


def _passed(entry: LogEntry, event: floor.TurnPassed) -> Line:
    if event.why == "host":
        text = f"Host skipped @{event.name}'s {event.role} slot."
        return Line("⏭️", AMBER, text, "skipped_by_host", event.name, {"skippedBy": "host"})
    if event.ending == "skipped_by_grace":
        text = f"@{event.name} was silent, so the next in line has stepped in."
        return Line("⏭️", AMBER, text, "skipped_by_grace", event.name, {"skippedBy": "system"})
    return Line("⏰", AMBER, f"@{event.name}'s {event.role} slot has timed out.", "timed_out", event.name)


def _invited(entry: LogEntry, event: floor.MemberInvited) -> Line:
    if event.source == "host":
        text = f"Host ({who(entry)}) directly invoked @{event.name}."
        return Line("🎯", BLUE, text, "host_invoked", event.name)
    return Line("🎯", BLUE, f"{who(entry)} gave @{event.name} the word.", "moderator_dispatched", event.name)


def _moderator(entry: LogEntry, event: floor.ModeratorReplaced) -> Line:
    why = {"left": "has left", "muted": "was muted", "timeout": "has been silent", "returned": ""}[event.reason]
    text = f"@{event.name} moderates again." if not why else f"{event.previous} {why}; @{event.name} moderates now."
    return Line("🔁", BLUE, text, "moderator_handoff", event.name, {"reason": event.reason})


def _missed(entry: LogEntry, event: floor.ModeratorMissed) -> Line:
    return Line("🔁", AMBER, f"The moderator {event.name} is not here.", "moderator_absent", event.name)


def _paused(entry: LogEntry, event: speech.ExchangePaused) -> Line:
    text = (
        f"{event.count} messages of agents in a row and nothing has changed, so the exchange is closed. It opens when "
        "a person speaks, or a task or context entry changes. Status notes are welcome, and silence is fine."
    )
    return Line("⏸️", GREY, text, "exchange_paused")


def _review_late(entry: LogEntry, event: reviews.ReviewFact) -> Line:
    review = event.review
    about, named = {"reviewId": review.id}, f"The review {review.id} of {review.target_type} {review.target}"
    if isinstance(event, reviews.ReviewRerouted):
        text = f"{named} is overdue: @{tame(review.reviewer)} is asked for it instead of {tame(event.asked)}."
        return Line("🔎", AMBER, text, "review_requested", review.reviewer, about)
    return Line(
        "⏳", AMBER, f"{named} is overdue, and nobody is here to give it.", "review_overdue", review.reviewer, about
    )


def _context(entry: LogEntry, event: context.ContextFact) -> Line:
    done = {"ContextWritten": "written", "ContextRevised": "revised", "ContextWithdrawn": "withdrawn"}
    did, kept = done[type(event).__name__], event.entry
    whom = f" For {', '.join(kept.consumers)}." if kept.consumers else ""
    breaking = getattr(event, "breaking", ())
    alarm = f" BREAKING: {'; '.join(breaking)}" if breaking else ""
    text = f"{kept.id} ({kept.type}) {did} by {who(entry)}: {one_line(kept.summary, TITLE_CHARS)}.{whom}{alarm}"
    target = kept.consumers[0] if len(kept.consumers) == 1 else ""
    return Line("📄", BLUE, text, "context_update", target, {"contextId": kept.id, "version": kept.version})


def _review(entry: LogEntry, event: reviews.ReviewFact) -> Line:
    review = event.review
    what = f"{review.target_type} {review.target}"
    if review.status == "pending":
        text = f"{review.requested_by} asks @{review.reviewer} to review {what} ({review.id})."
        return Line("🔎", BLUE, text, "review_requested", review.reviewer, {"reviewId": review.id})
    text = f"{review.resolved_by} {review.status} {what} ({review.id})."
    icon, color = ("✅", GREEN) if review.status == "approved" else ("↩️", RED)
    return Line(icon, color, text, f"review_{review.status}", review.requested_by, {"reviewId": review.id})


def _posted(entry: LogEntry, event: messages.MessagePosted) -> Line:
    whom = "" if event.to in ("", "all") else event.to
    payload = one_line(compact_json(event.payload), PAYLOAD_CHARS)
    text = f"{event.type} from {who(entry)} to {event.to or 'all'}: {payload}"
    named = f"posted_{event.type}" if event.type in OURS else event.type
    return Line("✉️", BLUE, text, named, whom)


def _withdrawn(entry: LogEntry, event: messages.MessageWithdrawn) -> Line:
    return Line("🗑️", GREY, f"{who(entry)} withdrew message {event.position}.", "message_withdrawn")


def _member(entry: LogEntry, event: Any) -> Line:
    texts = {
        members.MemberLeft: ("👋", "{} has left.", "member_left"),
        members.MemberRemoved: ("🚪", "{} was removed by the host.", "member_removed"),
        members.MemberMuted: ("🔇", "{} was muted by the host.", "member_muted"),
        members.MemberUnmuted: ("🔊", "{} may speak again.", "member_unmuted"),
    }
    icon, text, name = texts[type(event)]
    return Line(icon, GREY, text.format(event.name), name, event.name)


def _room(entry: LogEntry, event: Event) -> Line:
    if isinstance(event, lifecycle.RoomEnded):
        return Line("🏁", RED, f"The room was ended by {who(entry)}.", "room_ended")
    if isinstance(event, lifecycle.RoomReactivated):
        return Line("▶️", GREEN, f"The room was reopened by {who(entry)}.", "room_reactivated")
    return Line("⚙️", GREY, f"The room's policy was changed by {who(entry)}.", "policy_changed")


def _template(entry: LogEntry, event: lifecycle.TemplateApplied) -> Line:
    tasks_added = f" {event.task_count} tasks were added." if event.task_count else ""
    opening = f" {event.opening}" if event.opening else ""
    roles = f" Roles: {', '.join(event.roles)}." if event.roles else ""
    return Line("📋", GREEN, f"Set up as {event.template}.{tasks_added}{roles}{opening}", "room_templated")


def _playbook(entry: LogEntry, event: lifecycle.PlaybookApplied) -> Line:
    """What the team wrote stands in quotes."""
    count = event.task_count
    tasks_added = f" {count} {'task was' if count == 1 else 'tasks were'} added." if count else ""
    roles = f" Roles: {', '.join(tame(role.name) for role in event.roles)}." if event.roles else ""
    opening = f' It begins with: "{one_line(tame(event.opening), PAYLOAD_CHARS)}"' if event.opening else ""
    named = one_line(tame(event.name), TITLE_CHARS)
    text = f'Set up from the playbook "{named}".{tasks_added}{roles}{opening}'
    return Line("📋", GREEN, text, "room_templated", more={"playbookId": event.playbook})


def _role(entry: LogEntry, event: floor.RoleTaken) -> Line:
    does = f": {', '.join(event.tasks)}" if event.tasks else ""
    text = f'{event.name} has come for the role "{tame(event.role)}"{does}.'
    return Line("🎭", BLUE, text, "role_taken", event.name, {"role": event.role})


def _unreadable(entry: LogEntry, event: Unreadable) -> Line:
    return Line("⚠️", RED, f"This line can not be read: {event.reason}", "unreadable")


LINES: dict[type[Event], Callable[[LogEntry, Any], Line]] = {
    floor.ModeChanged: _mode,
    floor.RoleTaken: _role,
    floor.TurnPassed: _passed,
    floor.MemberInvited: _invited,
    floor.ModeratorReplaced: _moderator,
    floor.ModeratorMissed: _missed,
    speech.ExchangePaused: _paused,
    **BOARD_LINES,
    context.ContextFact: _context,
    reviews.ReviewRerouted: _review_late,
    reviews.ReviewOverdue: _review_late,
    reviews.ReviewFact: _review,
    messages.MessagePosted: _posted,
    messages.MessageWithdrawn: _withdrawn,
    members.MemberLeft: _member,
    members.MemberRemoved: _member,
    members.MemberMuted: _member,
    members.MemberUnmuted: _member,
    lifecycle.RoomEnded: _room,
    lifecycle.RoomReactivated: _room,
    lifecycle.PolicySet: _room,
    lifecycle.TemplateApplied: _template,
    lifecycle.PlaybookApplied: _playbook,
    Unreadable: _unreadable,
}
SAID = MessageSaid
"""The one kind of line that somebody said; `messages` shows it."""
