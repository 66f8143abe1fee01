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
