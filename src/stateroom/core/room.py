"""The room: all its slices together, and the two functions that move it.

`decide` says which facts follow from a wish; `evolve` folds one fact in place, in O(1). A rule reads `Here`, its
own slice and, where it must, another; a fold changes its own slice and nothing else. Adding a noun to the room is
adding its module to SLICES.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from stateroom.core import board, context, leases, lifecycle, members, messages, reviews, templates, variables
from stateroom.core.context import Context
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant
from stateroom.core.leases import Leases
from stateroom.core.lifecycle import Lifecycle
from stateroom.core.members import Members
from stateroom.core.messages import Messages
from stateroom.core.refusals import RoomHasTasks
from stateroom.core.reviews import Reviews
from stateroom.core.state import State
from stateroom.core.tasks import Board
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

    def next_due(self) -> Instant | None:
        """When a `Tick` will next find something to say; None while nothing runs out."""
        return self.leases.next_due()


@dataclass(frozen=True, slots=True)
class Tick(Command):
    """Time has passed: say once what it has ended."""


@dataclass(frozen=True, slots=True)
class ApplyTemplate(Command):
    """Seed the plan from a template. With `append`, also into a plan that has tasks; never over it (W-23)."""

    template: str
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
}

Rule = Callable[[Room, Any, Here], list[Event]]


def _slice_rule(name: str, rule: Callable[[Any, Any, Here], list[Event]]) -> Rule:
    return lambda room, command, here: rule(getattr(room, name), command, here)


def _tick(room: Room, command: Tick, here: Here) -> list[Event]:
    return leases.lapses(room.leases, here.now)


def _request_review(room: Room, command: reviews.RequestReview, here: Here) -> list[Event]:
    return reviews.request(room.reviews, room.board, room.context, command, here)


def _apply_template(room: Room, command: ApplyTemplate, here: Here) -> list[Event]:
    template = templates.find(command.template)
    if room.board.tasks and not command.append:
        raise RoomHasTasks(room=room.lifecycle.room_id, count=len(room.board.tasks))
    seeded = board.seed(room.board, template.tasks, here)
    return [*seeded, lifecycle.TemplateApplied(template.id, template.project, len(template.tasks))]


RULES: dict[type[Command], Rule] = {
    **{command: _slice_rule(name, rule) for name, noun in SLICES.items() for command, rule in noun.RULES.items()},
    Tick: _tick,
    reviews.RequestReview: _request_review,
    ApplyTemplate: _apply_template,
}
FOLDS: dict[type[Event], tuple[str, Callable[[Any, LogEntry, Any], None]]] = {
    event: (name, fold) for name, noun in SLICES.items() for event, fold in noun.FOLDS.items()
}
ARRIVES_BY_ITSELF = (members.Join, members.Leave, lifecycle.OpenRoom)
BY_SOMEBODY = (
    *(members.Leave, messages.MarkRead, leases.TakeLease, leases.ReleaseLease),
    *(reviews.RequestReview, reviews.ResolveReview),
)
"""What makes no sense without a name: two callers without one would hold the same lease."""


def decide(room: Room, command: Command, here: Here) -> list[Event]:
    """The facts that follow from a wish, in order; an empty list when nothing needs to change.

    Whoever acts for the first time is known from then on (protocol §1), so its arrival comes first.
    Raises a Refusal, and then nothing has changed.
    """
    if here.by or isinstance(command, BY_SOMEBODY):
        here = Here(room.members.spelling(here.by), here.now, here.via)
    events = RULES[type(command)](room, command, here)
    if not events or isinstance(command, ARRIVES_BY_ITSELF):
        return events
    return [*members.arrivals(room.members, here), *events]


def evolve(room: Room, entry: LogEntry) -> None:
    """Fold one entry, in place. An entry nobody can read moves the position and nothing else."""
    room.advance(entry)
    messages.heard(room.messages, entry)
    if (found := FOLDS.get(type(entry.event))) is not None:
        name, fold = found
        fold(getattr(room, name), entry, entry.event)


def replay(entries: Iterable[LogEntry], room: Room | None = None) -> Room:
    """A room from its log, or brought further along it."""
    room = room or Room()
    for entry in entries:
        evolve(room, entry)
    return room
