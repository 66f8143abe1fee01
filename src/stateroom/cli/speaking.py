"""What the server refuses in a conversation, with the next step in the words of the command line."""

from collections.abc import Iterator
from contextlib import contextmanager

from stateroom.cli.errors import CliError
from stateroom.client import Problem

NEXT = {
    "not_participant": "Add --join to take a seat first, or use the name that joining gave you.",
    "seat_key_needed": "Give its key with --seat-key or STATEROOM_SEAT_KEY, or use another name with --join.",
    "host_name_taken": "The host itself adds --host-key or STATEROOM_HOST_KEY; everybody else uses another name.",
    "room_ended": "It can be read with `stateroom listen` and `stateroom report`.",
    "not_your_turn": "Follow the room with `stateroom listen` until you have the floor.",
    "unknown_room": "`stateroom rooms` lists those there are; `stateroom create-room` makes one.",
}
"""By the refusal's code. The server's own hints name the tools of agents."""


@contextmanager
def in_our_words(**more: str) -> Iterator[None]:
    """Raises CliError for what the server refuses and a command line has an answer to. `more` comes before NEXT."""
    try:
        yield
    except Problem as problem:
        step = {**NEXT, **more}.get(problem.code)
        if step is None:
            raise
        raise CliError(f"{str(problem).rstrip('.')}. {step}") from problem
