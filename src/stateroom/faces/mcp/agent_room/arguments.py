"""Argument forms that several of the conversation's tools share (agent-room §9.1, §9.4)."""

from typing import Annotated

from msgspec import Meta, Struct

Text = Annotated[str, Meta(min_length=1)]
Line = Annotated[int, Meta(ge=0)]


def one_of(*words: str) -> Meta:
    """Words the schema names; another one is for the tool to refuse, with what it could have been (gap 27)."""
    return Meta(extra_json_schema={"enum": list(words)})


class InRoom(Struct, kw_only=True):
    code: Text


class Looking(InRoom, kw_only=True):
    """By somebody who may stay unnamed."""

    name: str = ""
    seatKey: str = ""


class Acting(InRoom, kw_only=True):
    """By somebody who says who it is, and can prove it."""

    name: str
    hostKey: str = ""
    seatKey: str = ""
    requestId: str = ""
