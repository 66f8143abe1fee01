"""The room: all its slices together, and the two functions that move it.

`decide` says which facts follow from a wish; `evolve` folds one fact in place, in O(1). A rule reads `Here`, its
own slice and, where it must, another; a fold changes its own slice and nothing else. Adding a noun to the room is
adding its module to SLICES.
"""

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from stateroom.core import (
    attachments,
    board,
    casting,
    context,
    floor,
    handing,
    holding,
    hosting,
    leases,
    lifecycle,
    members,
    messages,
    overdue,
    playing,
    proving,
    reports,
    reviews,
    saying,
    seats,
    silence,
    speech,
    steps,
    teamwork,
    templates,
    variables,
)
from stateroom.core.attachments import Attachments
from stateroom.core.context import Context
from stateroom.core.floor import Floor
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name
from stateroom.core.leases import Leases
from stateroom.core.lifecycle import Lifecycle
from stateroom.core.members import Members
from stateroom.core.messages import Messages
from stateroom.core.playbooks import Playbook
from stateroom.core.refusals import Muted, RoomHasEnded, RoomHasTasks
from stateroom.core.reports import Reports
from stateroom.core.reviews import Reviews
from stateroom.core.scrubbing import scrubbed
from stateroom.core.speech import Say, SecretsRedacted, Speech
from stateroom.core.state import State
from stateroom.core.tasks import Board, OpenTask
from stateroom.core.variables import Variables


@dataclass(slots=True)
class Room(State):
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    members: Members = field(default_factory=Members)
    messages: Messages = field(default_factory=Messages)
    context: Context = field(default_factory=Context)
    board: Board = field(default_factory=Board)
    leases: Leases = field(default_factory=Leases)
    variables: Variables = field(default_factory=Variables)
    reviews: Reviews = field(default_factory=Reviews)
    speech: Speech = field(default_factory=Speech)
    floor: Floor = field(default_factory=Floor)
    attachments: Attachments = field(default_factory=Attachments)
    reports: Reports = field(default_factory=Reports)

    def next_due(self) -> Instant | None:
        """When a `Tick` will next find something to say; None while nothing runs out."""
        dues = [self.leases.next_due(), self.floor.next_due()]
        if self.lifecycle.ended_at is None:
            dues += [self.board.due, overdue.next_due(self.reviews)]
        return min((due for due in dues if due is not None), default=None)


@dataclass(frozen=True, slots=True)
class Tick(Command):
    """Time has passed: say once what it has ended."""

    present: tuple[Name, ...] = ()
    """Who is here, as far as the engine knows: an overdue verdict is asked of one of them."""


@dataclass(frozen=True, slots=True)
class ApplyTemplate(Command):
    """Seed the plan from a template. With `append`, also into a plan that has tasks; never over it (W-23)."""

    template: str
    append: bool = False


@dataclass(frozen=True, slots=True)
class ApplyPlaybook(Command):
    """Seed the plan from a playbook, and say which roles are wanted. With `append`, also into a plan that has tasks;
    never over it (W-23)."""

    playbook: Playbook
    append: bool = False


SLICES: dict[str, Any] = {
    "lifecycle": lifecycle,
    "members": members,
    "messages": messages,
    "context": context,
    "board": board,
    "leases": leases,
    "variables": variables,
    "reviews": reviews,
    "speech": speech,
    "floor": floor,
    "attachments": attachments,
    "reports": reports,
}

Rule = Callable[[Room, Any, Here], list[Event]]


def _slice_rule(name: str, rule: Callable[[Any, Any, Here], list[Event]]) -> Rule:
    return lambda room, command, here: rule(getattr(room, name), command, here)


def _stage(room: Room, now: Instant, without: str = "") -> steps.Stage:
    """The floor as it stands, with who may be given a turn; `without` is about to go or to lose its voice."""
    able = seats.able(room.lifecycle, room.members)
    present = [member.name for member in room.members.seated_agents() if not member.muted]
    one_less = [[name for name in names if not without or not members.same(name, without)] for names in (able, present)]
    return steps.stage(room.floor, one_less[0], one_less[1], now)


def _tick(room: Room, command: Tick, here: Here) -> list[Event]:
    over = [*leases.lapses(room.leases, here.now), *steps.lapse(_stage(room, here.now))[1]]
    if room.lifecycle.ended_at is not None:
        return over
    judges = teamwork.judges(room.members, command.present, here)
    verdicts = overdue.verdicts(room.board, room.reviews, judges, here)
    return [*over, *silence.lapses(room.board, here), *silence.stalls(room.board, here), *verdicts]


def _say(room: Room, command: Say, here: Here) -> list[Event]:
    around = saying.Around(room.lifecycle, room.members, room.messages, room.attachments, room.speech)
    return saying.say(around, _stage(room, here.now), command, here)


def _post(room: Room, command: messages.PostMessage, here: Here) -> list[Event]:
    if room.members.muted(here.by):
        raise Muted(name=here.by)
    return messages.post(room.messages, command, here)


def _take_seat(room: Room, command: seats.TakeSeat, here: Here) -> list[Event]:
    seated = seats.take(room.lifecycle, room.members, command, here)
    now = [event.member for event in seated if isinstance(event, members.MemberSeated)]
    member = now[0] if now else room.members.find(here.by)
    return [*seated, *casting.arrived(room.lifecycle.roles, room.members, room.board, room.floor, member, here)]


def _leave(room: Room, command: members.Leave, here: Here) -> list[Event]:
    return _with_floor(room, members.leave(room.members, command, here), here)


def _remove(room: Room, command: seats.RemoveMember, here: Here) -> list[Event]:
    return _with_floor(room, seats.remove(room.lifecycle, room.members, command, here), here)


def _mute(room: Room, command: seats.MuteMember, here: Here) -> list[Event]:
    return _with_floor(room, seats.mute(room.lifecycle, room.members, command, here), here)


def _with_floor(room: Room, events: list[Event], here: Here) -> list[Event]:
    """What happens to somebody, and what that does to the floor; in an ended room nobody has it."""
    facts = list(events)
    if room.lifecycle.ended_at is not None:
        return facts
    for event in events:
        if isinstance(event, members.MemberLeft | members.MemberRemoved) and room.members.find(event.name):
            facts += steps.gone(_stage(room, here.now, event.name), event.name, "left")[1]
        elif isinstance(event, members.MemberMuted):
            facts += steps.gone(_stage(room, here.now, event.name), event.name, "muted")[1]
    return facts


def _end(room: Room, command: lifecycle.EndRoom, here: Here) -> list[Event]:
    ended = lifecycle.end(room.lifecycle, command, here)
    return [*ended, *steps.close(_stage(room, here.now))[1]] if ended else []


def _set_mode(room: Room, command: floor.SetMode, here: Here) -> list[Event]:
    return hosting.set_mode(room.lifecycle, room.members, room.floor, command, here)


def _invite(room: Room, command: floor.Invite, here: Here) -> list[Event]:
    return hosting.invite(room.lifecycle, room.members, _stage(room, here.now), command, here)


def _skip(room: Room, command: floor.SkipSpeaker, here: Here) -> list[Event]:
    return hosting.skip(room.lifecycle, _stage(room, here.now), here)


def _submit(room: Room, command: proving.SubmitTask, here: Here) -> list[Event]:
    return teamwork.submit(room.board, room.attachments, command, here)


def _verify(room: Room, command: proving.VerifyTask, here: Here) -> list[Event]:
    return teamwork.verify(room.board, room.members, command, here)


def _grant_handoff(room: Room, command: handing.GrantHandoff, here: Here) -> list[Event]:
    return teamwork.grant(room.board, room.members, command, here)


def _resolve_review(room: Room, command: reviews.ResolveReview, here: Here) -> list[Event]:
    return teamwork.resolve(room.board, room.members, room.reviews, command, here)


def _request_review(room: Room, command: reviews.RequestReview, here: Here) -> list[Event]:
    return reviews.request(room.reviews, room.board, room.context, command, here)


def _refuse_plan(room: Room, *, append: bool) -> None:
    """Raises RoomHasTasks."""
    if room.board.tasks and not append:
        raise RoomHasTasks(room=room.lifecycle.room_id, count=len(room.board.tasks))


def _apply_playbook(room: Room, command: ApplyPlaybook, here: Here) -> list[Event]:
    _refuse_plan(room, append=command.append)
    return playing.apply(room.lifecycle, room.members, room.board, room.floor, command.playbook, here)


def _open_task(room: Room, command: OpenTask, here: Here) -> list[Event]:
    return board.open_task(room.board, playing.named(room.lifecycle, room.members, command), here)


def _reassign(room: Room, command: holding.ReassignTask, here: Here) -> list[Event]:
    return holding.reassign(room.board, playing.named(room.lifecycle, room.members, command), here)


def _apply_template(room: Room, command: ApplyTemplate, here: Here) -> list[Event]:
    template = templates.find(command.template)
    _refuse_plan(room, append=command.append)
    seeded = board.seed(room.board, template.tasks, here)
    project = room.lifecycle.topic or template.project
    applied = lifecycle.TemplateApplied(template.id, project, len(template.tasks), template.roles, template.opening)
    chosen = hosting.template_mode(room.floor, template.mode) if room.lifecycle.hosted_by(here) else []
    return [*seeded, applied, *chosen]


RULES: dict[type[Command], Rule] = {
    **{
        command: _slice_rule(name, rule)
        for name, noun in SLICES.items()
        for command, rule in getattr(noun, "RULES", {}).items()
    },
    proving.SubmitTask: _submit,
    proving.VerifyTask: _verify,
    handing.GrantHandoff: _grant_handoff,
    reviews.ResolveReview: _resolve_review,
    Tick: _tick,
    Say: _say,
    messages.PostMessage: _post,
    lifecycle.EndRoom: _end,
    seats.TakeSeat: _take_seat,
    members.Leave: _leave,
    seats.RemoveMember: _remove,
    seats.MuteMember: _mute,
    floor.SetMode: _set_mode,
    floor.Invite: _invite,
    floor.SkipSpeaker: _skip,
    reviews.RequestReview: _request_review,
    ApplyTemplate: _apply_template,
    ApplyPlaybook: _apply_playbook,
    OpenTask: _open_task,
    holding.ReassignTask: _reassign,
}
FOLDS: dict[type[Event], tuple[str, Callable[[Any, LogEntry, Any], None]]] = {
    event: (name, fold) for name, noun in SLICES.items() for event, fold in noun.FOLDS.items()
}
ARRIVES_BY_ITSELF = (
    *(members.Join, members.Leave, lifecycle.OpenRoom, Say, Tick, reports.KeepReport, attachments.StoreAttachment),
    *(seats.TakeSeat, seats.RemoveMember, seats.MuteMember, floor.SetMode, floor.Invite, floor.SkipSpeaker),
    *(lifecycle.EndRoom, lifecycle.ReactivateRoom, lifecycle.SetPolicy),
)
"""What does not make whoever asks a member: it says who it is itself, or is no deed of a member."""
BY_SOMEBODY = (
    *(members.Leave, messages.MarkRead, leases.TakeLease, leases.ReleaseLease),
    *(reviews.RequestReview, reviews.ResolveReview, seats.TakeSeat, Say),
)
"""What makes no sense without a name: two callers without one would hold the same lease."""
AFTER_THE_END = (
    *(lifecycle.OpenRoom, lifecycle.EndRoom, lifecycle.ReactivateRoom, lifecycle.SetPolicy, Tick),
    *(members.Leave, seats.RemoveMember, messages.MarkRead, leases.ReleaseLease, reports.KeepReport),
)
"""What an ended room still takes (design §7, decision 8)."""


def decide(room: Room, command: Command, here: Here) -> list[Event]:
    """The facts that follow from a wish, in order; an empty list when nothing needs to change.

    Whoever acts for the first time is known from then on (protocol §1), so its arrival comes first; so does what time
    has ended without anybody having said so. Raises a Refusal, and then nothing has changed.
    """
    if room.lifecycle.ended_at is not None and not isinstance(command, AFTER_THE_END):
        raise RoomHasEnded
    by = room.members.spelling(here.by) if here.by or isinstance(command, BY_SOMEBODY) else here.by
    here = Here(by, here.now, here.via, here.proof, here.redacts, room.lifecycle.policy)
    if by and not isinstance(command, seats.TakeSeat):
        seats.check_key(room.lifecycle, room.members, here)
    command, redacted = scrubbed(command) if here.redacts else (command, 0)
    room, lapsed = _as_of(room, command, here)
    events = RULES[type(command)](room, command, here)
    if not events:
        return events
    events = [*lapsed, *events, *board.completes(room.board, events)]
    if redacted:
        events = [*events, SecretsRedacted(redacted)]
    return events if isinstance(command, ARRIVES_BY_ITSELF) else [*members.arrivals(room.members, here), *events]


def _as_of(room: Room, command: Command, here: Here) -> tuple[Room, list[Event]]:
    """The room with every claim ended that is over by now, and the facts that say so; a tick says them itself."""
    if not room.board.timed or room.lifecycle.ended_at is not None or isinstance(command, Tick):
        return room, []
    lapsed = silence.lapses(room.board, here)
    if not lapsed:
        return room, []
    room = copy(room)
    room.board = board.after(room.board, lapsed, here)
    return room, lapsed


def evolve(room: Room, entry: LogEntry) -> None:
    """Fold one entry, in place. An entry nobody can read moves the position, and uses up a token for tasks."""
    room.advance(entry)
    messages.heard(room.messages, entry)
    speech.noticed(room.speech, entry)
    if (found := FOLDS.get(type(entry.event))) is not None:
        name, fold = found
        fold(getattr(room, name), entry, entry.event)
    silence.noticed(room.board, entry)
    reviews.noticed(room.reviews, entry)


def replay(entries: Iterable[LogEntry], room: Room | None = None) -> Room:
    """A room from its log, or brought further along it."""
    room = room or Room()
    for entry in entries:
        evolve(room, entry)
    return room
