"""How long things may be, in one place. Every face refuses with the same words (W-22, W-27)."""

import unicodedata
from typing import Any

from stateroom.core.ids import Name
from stateroom.core.payloads import MAX_DEPTH, bad_text, compact_json, may_be_bad, too_deep
from stateroom.core.refusals import BadDuration, BadName, BadNumber, BadText, PayloadTooLarge, TooDeep, TooLong

TITLE_CHARS = 1_000
DESCRIPTION_CHARS = 16_000
SUMMARY_CHARS = 4_000
NOTE_CHARS = 4_000
NAME_CHARS = 128
RESOURCE_CHARS = 512
VARIABLE_CHARS = 4_096
PAYLOAD_BYTES = 64_000
DEPENDENCIES = 100
CONSUMERS = 50
LEASE_SECONDS = 300
PRIORITIES = 1_000_000_000
REQUEST_ID_CHARS = 128
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def text(field: str, value: str, limit: int) -> str:
    """The value, if it is storable text of at most `limit` characters. Raises TooLong, BadText."""
    if len(value) > limit:
        raise TooLong(field=field, size=len(value), limit=limit, unit="characters")
    if bad_text(value) is not None:
        raise BadText(field=field, reason="it contains a NUL or a lone surrogate")
    return value


def seconds(field: str, value: int, limit: int) -> int:
    """The value, if it is a duration of 1 to `limit` seconds (L37). Raises BadDuration."""
    if not 1 <= value <= limit:
        raise BadDuration(field=field, value=value, limit=limit)
    return value


def priority(value: int | None) -> int | None:
    """The value, if every reader of JSON has it as it is. Raises BadNumber."""
    if value is not None and not -PRIORITIES <= value <= PRIORITIES:
        raise BadNumber(field="priority", least=-PRIORITIES, most=PRIORITIES)
    return value


def payload(field: str, value: dict[str, Any]) -> dict[str, Any]:
    """The value, if its compact JSON form is storable and at most 64,000 bytes, and at most 64 levels deep: what is
    deeper, some reader could not read back. Raises PayloadTooLarge, TooDeep, BadText."""
    encoded = _encoded(field, value)
    if may_be_bad(encoded) and (where := bad_text(value)) is not None:
        raise BadText(field=f"{field}.{where}", reason="it contains a NUL or a lone surrogate")
    if (size := len(encoded.encode())) > PAYLOAD_BYTES:
        raise PayloadTooLarge(size=size, limit=PAYLOAD_BYTES)
    return value


def _encoded(field: str, value: dict[str, Any]) -> str:
    """The compact JSON form. Raises TooDeep; only what has many brackets is walked to see how deep it is."""
    try:
        encoded = compact_json(value)
    except RecursionError:
        raise TooDeep(field=field, limit=MAX_DEPTH) from None
    if encoded.count("[") + encoded.count("{") > MAX_DEPTH and too_deep(value):
        raise TooDeep(field=field, limit=MAX_DEPTH)
    return encoded


def name(value: str) -> Name:
    """A member's handle, trimmed. Raises BadName when it is empty, too long or holds invisible characters (L21)."""
    trimmed = value.strip()
    if not trimmed:
        raise BadName(name="", reason="it is empty")
    if len(trimmed) > NAME_CHARS:
        raise BadName(name=trimmed[:20] + "…", reason=f"it is longer than {NAME_CHARS} characters")
    if any(unicodedata.category(c) in INVISIBLE for c in trimmed):
        raise BadName(name=ascii(trimmed), reason="it contains control or invisible characters")
    return Name(trimmed)
