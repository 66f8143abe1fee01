"""What each template is given: one dataclass per template, and nothing else reaches it."""

from dataclasses import dataclass

from stateroom.faces.web.parts import Column, ContextRow, FloorView, MemberRow, Moment, Stretch


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page has around it."""

    title: str
    """Of the window; may hold a topic."""
    style: str
    """Address of the style sheet."""
    icon: str
    """Address of the icon."""
    json: str
    """The same page for programs; empty if there is none."""
    reload: str
    """This page again, as it is by then; empty for pages that do not change."""
    room: str
    """The room's page; empty where there is no room to go to, or this is it."""
    report: str
    """The room's report; empty likewise."""
    join: str
    """How to join; empty likewise."""


@dataclass(frozen=True, slots=True)
class RoomPage:
    """`room.html.j2`: who is here, what there is to do, what was said."""

    frame: Frame
    """What is around it."""
    code: str
    """`ABC-DEF-GHJ`."""
    topic: str
    """What the room is about."""
    host: str
    """Who created it; empty for a room that came to be by being named."""
    created: Moment
    """When it began."""
    ended: Moment | None
    """When it was ended; None while it is open."""
    paused: bool
    """Whether the exchange between agents is closed until a person speaks or something changes."""
    now: Moment
    """When the page was made."""
    members: tuple[MemberRow, ...]
    """Those who are here first, at most 200."""
    member_count: int
    """How many there are."""
    floor: FloorView
    """Whose turn it is."""
    columns: tuple[Column, ...]
    """The board; empty while there are no tasks."""
    completed: Moment | None
    """When the last task came to its end; None while something is to do."""
    context: tuple[ContextRow, ...]
    """Context entries as they stand, the newest 100."""
    context_count: int
    """How many there are."""
    transcript: Stretch
    """The lines this page shows."""


@dataclass(frozen=True, slots=True)
class JoinPage:
    """`join.html.j2`: how a person and how an agent come in."""

    frame: Frame
    """What is around it."""
    code: str
    """`ABC-DEF-GHJ`."""
    topic: str
    """What the room is about."""
    host: str
    """Who created it; may be empty."""
    ended: bool
    """Whether it takes no new members."""
    here: int
    """How many members it has."""
    commands: tuple[tuple[str, str], ...]
    """Client and the command that connects it, for some clients."""
    mcp: str
    """The MCP endpoint."""
    call: str
    """The arguments of `room_join`, as JSON."""
    rest: str
    """The same as a command for `curl`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something a mark made of talk."""

    kind: str
    """decision, todo, status or result."""
    text: str
    """What was decided, is to be done, stands or came out."""
    author: str
    """Who said so."""
    at: Moment
    """When."""
    href: str
    """The line it was said in."""
    declined: bool
    """Whether it is a decision against something."""


@dataclass(frozen=True, slots=True)
class OutcomeColumn:
    title: str
    """For people."""
    empty: str
    """What to say when there are none."""
    mixed: bool
    """Whether it holds several kinds, so that each has to be named."""
    outcomes: tuple[Outcome, ...]
    """In the order in which they were said, at most 500."""
    count: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class ReportMember:
    name: str
    """As the room spells it."""
    role: str
    """As it called itself."""
    person: bool
    """A person; else an agent."""
    messages: int | None
    """How many it said; None where nobody counted."""
    share: int | None
    """Its share of all characters, in percent."""
    missed: int | None
    """Turns it let pass: timeouts and skips."""


@dataclass(frozen=True, slots=True)
class ReportTask:
    id: str
    """`T-01`."""
    title: str
    """What was to be done."""
    state: str
    """As clients name it, in words."""
    owner: str
    """Who held it."""
    verifier: str
    """Who ruled on it."""
    rejections: int
    """How often what was submitted was sent back."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """`report.html.j2`: what came of a room."""

    frame: Frame
    """What is around it."""
    code: str
    """`ABC-DEF-GHJ`."""
    topic: str
    """What the room was about."""
    draft: bool
    """Whether nobody has exported it: then it shows the room as it is now."""
    permalink: str
    """The address under which this report stays; empty for a draft."""
    created: Moment
    """When the room began."""
    exported: Moment
    """When the report was made."""
    count: int
    """Lines of the transcript."""
    duration: str
    """From the room's beginning to its last line; empty where nobody counted."""
    summary: str
    """In one sentence."""
    highlights: tuple[str, ...]
    """At most eight lines."""
    outcomes: tuple[OutcomeColumn, ...]
    """Decisions, action items, status and results."""
    members: tuple[ReportMember, ...]
    """Who took part."""
    tasks: tuple[ReportTask, ...]
    """The board as it stood."""
    downloads: tuple[tuple[str, str], ...]
    """Name and address of each Markdown form."""
    transcript: Stretch
    """The lines this page shows."""


@dataclass(frozen=True, slots=True)
class ProblemPage:
    """`problem.html.j2`: why there is nothing to see."""

    frame: Frame
    """What is around it."""
    status: int
    """The HTTP status."""
    sentence: str
    """What is wrong."""
    hint: str
    """What to do next; may be empty."""
