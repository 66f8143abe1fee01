"""What pages are made of. Texts are as members wrote them: whatever shows them escapes them."""

from dataclasses import dataclass
from typing import Literal

from stateroom.core.ids import Instant
from stateroom.wire.times import iso

LineKind = Literal["said", "status", "system", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Moment:
    iso: str
    """For machines: `2026-12-01T00:42:48.123Z`."""
    text: str
    """For people: `2026-12-01 00:42 UTC`."""
    clock: str
    """The time of day alone: `00:42`."""
    day: str
    """The day alone: `2026-12-01`."""


def moment(at: Instant | int) -> Moment:
    """An instant (epoch ms) as pages show it, always in UTC."""
    stamp = iso(at)
    return Moment(stamp, f"{stamp[:10]} {stamp[11:16]} UTC", stamp[11:16], stamp[:10])


def moment_or_none(at: Instant | int | None) -> Moment | None:
    return None if at is None else moment(at)


@dataclass(frozen=True, slots=True)
class Avatar:
    initials: str
    """At most two characters."""
    color: str
    """`#rrggbb`, never anything else."""
    ink: str
    """Black or white, whichever can be read on the colour."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What a line answers."""

    name: str
    """Who said it."""
    text: str
    """The beginning of it, on one line."""
    href: str
    """The line itself."""


@dataclass(frozen=True, slots=True)
class File:
    name: str
    """As uploaded, cleaned."""
    href: str
    """Where it is served."""
    about: str
    """Type and size: `application/pdf, 1.2 MB`."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the transcript."""

    id: int
    """The message id: `#line-<id>` is its anchor."""
    number: int
    """Its number among the lines, from 1."""
    kind: LineKind
    """`said` and `status` are somebody's words, the others are the room's."""
    icon: str
    """For lines of the room: one character that says what they are about."""
    name: str
    """Who said it; empty for lines of the room."""
    avatar: Avatar | None
    """The speaker's; None for lines of the room."""
    role: str
    """The speaker's role, as it called itself."""
    person: bool
    """Whether a person spoke."""
    verified: bool
    """Whether a key or a credential proved the name."""
    turn_role: str
    """What the message was to the turn (lead, wrap, …); empty where that says nothing."""
    at: Moment
    """When the server took it in."""
    day: str
    """The day, if it is another one than the line before shows; else empty."""
    tags: tuple[str, ...]
    """Kinds of the marks it makes, each once: decision, todo, status, result."""
    text: str
    """Everything that was said, line breaks and all."""
    quote: Quote | None
    """What it answers."""
    files: tuple[File, ...]
    """What goes with it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of a transcript, and the way to the others."""

    lines: tuple[Line, ...]
    """In order."""
    total: int
    """How many lines the transcript has."""
    older: str
    """The page with the lines before; empty if there are none."""
    newer: str
    """The page with the lines after; empty if there are none."""


@dataclass(frozen=True, slots=True)
class MemberRow:
    name: str
    """As the room spells it."""
    avatar: Avatar
    """Initials on its colour."""
    person: bool
    """A person; else an agent."""
    role: str
    """As it called itself; may be empty."""
    presence: str
    """listening, online, idle or away."""
    seen: Moment | None
    """When it was last seen; None if nobody knows, or if it is there now."""
    host: bool
    """Whether the room is its."""
    muted: bool
    """Whether the host took its voice."""
    has_floor: bool
    """Whether it is its turn."""


@dataclass(frozen=True, slots=True)
class FloorView:
    """Whose turn it is."""

    mode: str
    """open, sequential or moderator."""
    leader: str
    """The lead or moderator by the room's settings; may be empty."""
    speaker: str
    """Who has the floor; empty while nobody has."""
    role: str
    """The speaker's part in the turn."""
    until: Moment | None
    """When the floor goes on by itself."""
    queue: tuple[str, ...]
    """Who is next, in order."""
    invited: tuple[str, ...]
    """Who may say one message in between."""


@dataclass(frozen=True, slots=True)
class TaskCard:
    id: str
    """`T-01`, or one of a member's choice."""
    title: str
    """What is to be done."""
    owner: str
    """Who holds it, or whom it is meant for; may be empty."""
    meant: bool
    """Whether the owner has yet to take it."""
    verifier: str
    """Who alone may rule on it; may be empty."""
    dod: str
    """Definition of done; may be empty."""
    waits_for: tuple[str, ...]
    """Tasks that have to be done before."""
    proof: str
    """How far its proof has come, in words; empty if it needs none."""
    failed: bool
    """Whether the run that was submitted ended with an error."""
    alarms: tuple[str, ...]
    """What speaks against the submission that waits for a verdict, each in words: stale, or not what it says it is."""
    until: Moment | None
    """When the lease it is held under ends unless its holder does something; None without one."""
    silent: Moment | None
    """When its holder was last seen, if it has been asked about its silence since."""
    asks_for: str
    """Who holds it is asked for it by this member; may be empty."""
    since: Moment | None
    """Since when it waits for a verdict; None if it does not."""
    overdue: bool
    """Whether that is too long."""
    verdict: str
    """What was said to the newest submission; may be empty."""
    reason: str
    """Why it is blocked or cancelled; may be empty."""


@dataclass(frozen=True, slots=True)
class Column:
    state: str
    """As clients name it: todo, in_progress, …"""
    title: str
    """For people."""
    tasks: tuple[TaskCard, ...]
    """In the order in which they were added, at most 100: of what is over, the last, else the first."""
    count: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class ContextRow:
    id: str
    """`C-01`."""
    type: str
    """api_contract, arch_decision, …"""
    version: str
    """`1.0`, `1.1`, …"""
    summary: str
    """What it is, in its author's words."""
    author: str
    """Who wrote this version."""
    consumers: tuple[str, ...]
    """Whom it is written for."""
    at: Moment
    """When this version was written."""
