"""Argument forms that several tools share. Names, bounds and defaults are the catalogue's (protocol §4.2)."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Id = Annotated[str, Meta(min_length=1)]
ShortText = Annotated[str, Meta(min_length=1, max_length=128)]
Limit = Annotated[int, Meta(ge=1, le=100)]
Position = Annotated[int, Meta(ge=0)]
ContextKind = Literal["api_contract", "arch_decision", "task", "change_request", "note"]


class InRoom(Struct, kw_only=True):
    roomId: Id


class Asked(InRoom, kw_only=True):
    """By an agent that may stay unnamed."""

    agentId: Id | UnsetType = UNSET


class ByAgent(InRoom, kw_only=True):
    agentId: Id


def given(value: str | UnsetType) -> str:
    """An optional name; empty if it was left out."""
    return "" if isinstance(value, UnsetType) else value
