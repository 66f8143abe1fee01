"""Instants as clients read and write them: ISO 8601 in UTC, millisecond resolution, `Z`."""

import re
from datetime import UTC, datetime, timedelta

from stateroom.core.ids import Instant

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ISO_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z")


def iso(at: Instant | int) -> str:
    """`2026-12-01T00:42:48.123Z`."""
    return (EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def iso_or_none(at: Instant | int | None) -> str | None:
    return None if at is None else iso(at)


def read_iso(text: str) -> Instant | None:
    """The instant, or None if the text is no UTC date-time with `Z` (protocol, read_events)."""
    if not ISO_UTC.fullmatch(text):
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return Instant((parsed - EPOCH) // timedelta(milliseconds=1))
