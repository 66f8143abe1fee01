"""`stateroom send`: say something in a room."""

import asyncio
import sys
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from stateroom.cli.errors import CliError
from stateroom.cli.output import out, plain, print_json
from stateroom.cli.place import settings_of
from stateroom.cli.reach import client_of
from stateroom.cli.speaking import in_our_words
from stateroom.client import Client, Seat
from stateroom.settings import Settings
from stateroom.wire.shapes import Written


@dataclass(frozen=True, slots=True)
class Saying:
    """What is to be said, as whom."""

    room: str
    text: str
    name: str
    status: bool
    human: bool
    join: bool
    role: str
    host_key: str
    seat_key: str
    """Empty keys are not given."""


@dataclass(frozen=True, slots=True)
class Said:
    """What became of it."""

    name: str
    line: int
    """Its number in the transcript; 0 for a speaker that passed its turn."""
    position: int
    status: bool
    degraded: bool
    """It was kept as a status note, because somebody else has the floor."""
    redacted: int
    """How many secrets were taken out."""
    joined: bool
    renamed: bool
    seat_key: str
    """Of the seat that was taken; empty if it was given, or the seat has another."""


def send(
    room: str,
    text: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    name: str,
    status: bool = False,
    human: bool = False,
    join: bool = False,
    role: str = "",
    seat_key: Annotated[str, Parameter(env_var="STATEROOM_SEAT_KEY")] = "",
    host_key: Annotated[str, Parameter(env_var="STATEROOM_HOST_KEY")] = "",
    url: str = "",
    store: str = "",
    json: bool = False,
) -> None:
    """Say something in a room.

    Parameters
    ----------
    room
        A room's code or id.
    text
        What to say; - reads it from standard input. @Name calls a member, [DECISION] and [TODO] mark a line.
    name
        Under which name you speak.
    status
        A note on how things go: it takes no turn, and asks nobody for an answer.
    human
        With --join: take the seat as a person.
    join
        Take a seat under the name first, or come back to it.
    role
        With --join: what you are here for.
    seat_key
        Proves the seat, where the room wants that.
    host_key
        With --join: proves that you are the host.
    url
        The server to ask (STATEROOM_URL; a key for it in STATEROOM_API_KEY).
    store
        The store to write to (STATEROOM_STORE), through its server if one runs on it.
    json
        Print one JSON document.
    """
    if (human or role) and not join:
        raise CliError("--human and --role say how to take a seat: add --join.")
    text = _read() if text == "-" else text
    if not text.strip():
        raise CliError("There is nothing to say. Give a text, or - to read it from standard input.")
    saying = Saying(room, text, name, status, human, join, role, host_key, seat_key)
    said = asyncio.run(_send(settings_of(url, store), saying))
    if json:
        print_json(said)
    else:
        _show(said)


def _read() -> str:
    """Raises CliError."""
    try:
        return sys.stdin.buffer.read().decode().rstrip("\n")
    except UnicodeDecodeError:
        raise CliError("What came on standard input is no UTF-8 text.") from None


async def _send(settings: Settings, saying: Saying) -> Said:
    async with client_of(settings) as client:
        with in_our_words():
            await client.room(saying.room)  # a wish would make a room that is not there
            seat = await _seated(client, saying) if saying.join else None
            name, seat_key = (seat.name, seat.seat_key) if seat else (saying.name, "")
            written = await client.say(
                saying.room,
                saying.text,
                name,
                status=saying.status,
                host_key=saying.host_key,
                seat_key=seat_key or saying.seat_key,
            )
    return _became(name, written, seat, saying.seat_key)


async def _seated(client: Client, saying: Saying) -> Seat:
    return await client.take_seat(
        saying.room,
        saying.name,
        "human" if saying.human else "agent",
        saying.role,
        returning=True,
        host_key=saying.host_key,
        seat_key=saying.seat_key,
    )


def _became(name: str, written: Written, seat: Seat | None, given: str) -> Said:
    line = next((entry for entry in written.entries if entry.event == "MessageSaid"), None)
    facts = line.facts if line else {}
    standing = facts.get("standing", {})
    return Said(
        name=name,
        line=line.line if line else 0,
        position=line.position if line else written.position,
        status=standing.get("role") == "status",
        degraded=bool(standing.get("degraded")),
        redacted=sum(entry.facts["count"] for entry in written.entries if entry.event == "SecretsRedacted"),
        joined=seat is not None,
        renamed=bool(seat and seat.renamed),
        seat_key=seat.seat_key if seat and seat.seat_key != given else "",
    )


def _show(said: Said) -> None:
    what = "Noted" if said.status else "Said"
    done = f"{what} as {said.name}: line {said.line}." if said.line else f"{said.name} has passed: no line."
    notes = [
        "Somebody else has the floor, so it was kept as a status note." if said.degraded else "",
        f"Secrets taken out of it: {said.redacted}." if said.redacted else "",
        f"The name was taken; go on with --name '{said.name}'." if said.renamed else "",
        f"Your seat's key, should the room ask for it: {said.seat_key}" if said.seat_key else "",
    ]
    for one in filter(None, (done, *notes)):
        out.print(plain(one), markup=False)
