"""What a server answers about the conversation, as a client reads it. Fields it does not know are passed over."""

from typing import Any, Literal

from msgspec import Struct

Json = dict[str, Any]
Form = Literal["json", "minutes", "adr", "pr"]
WakeOn = Literal["any", "addressed"]


class Seat(Struct, frozen=True):
    """A member's place in the conversation."""

    name: str
    """The name you got: a number is added where the one you wanted is taken."""
    renamed: bool
    seat_key: str
    """Proves that you are you. Empty if the seat has another key, which you did not show."""
    line: int
    """How many lines there are: listen from here."""


class Lines(Struct, frozen=True):
    """Lines of the transcript as messages (agent-room §4.3), oldest first; `line` is each one's number."""

    lines: list[Json]
    next: int
    """Read on with `after` set to this."""
    last: int
    """How many lines there are in all."""
    terminated: Literal["", "room_ended", "kicked"] = ""
    """Why there is nothing more to wait for."""
    timed_out: bool = False
    """Nothing came that would have ended the wait; what is here was held."""


class Floor(Struct, frozen=True):
    """Who may speak."""

    room: Json
    turn: Json | None
    standing: Json
    """What the member that was asked about is to the turn."""


class Assignment(Struct, frozen=True):
    """A task for a member, and what to read before doing it."""

    task: Json | None
    """None if there is nothing this member could take."""
    token: int | None = None
    """Of the lease it is held under: give it when you finish the task."""
    lease_until: int | None = None
    """When that ends unless renewed, in milliseconds since 1970; whatever its holder does in the room renews it."""
    resumed: bool = False
    """The member was at work on it already."""
    replayed: bool = False
    depends_on: list[Json] = []
    """What it waited for, as it stands."""
    documents: list[Json] = []
    """Context entries, the most telling first."""


class Duties(Struct, frozen=True):
    """What waits for a member."""

    to_verify: list[Json]
    """Submitted tasks that wait for its verdict, longest waiting first."""
    to_review: list[Json]
    """Other reviews that were asked of it."""
    current: list[Json]
    """Its own tasks, begun: rejected ones first, then what it holds, then what is blocked."""
    queued: list[Json]
    """Its own, not begun."""


class Document(Struct, frozen=True):
    """A report, as data (`report`) or as Markdown (`markdown`)."""

    id: str
    """Of a frozen report; empty for the room as it stands."""
    position: int
    """It shows the room as it stood here."""
    url: str = ""
    """The page of a frozen report."""
    file_name: str = ""
    markdown: str = ""
    report: Json | None = None
