"""What changed between two versions of a context entry, and which of it breaks what others build on.

Two readings of the same pair. The plain one goes through the payloads value by value and knows nothing of their
meaning: a key's place in its object does not matter, an element's place in its array does (W-31). The other knows
what an `api_contract` promises; it is `core/breaking.py`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Any, Literal

from stateroom.core.breaking import breaking_changes
from stateroom.core.payloads import compact_json, kind_of, one_line

MAX_PATHS = 200
SHOWN_CHARS = 200
MAX_ALIGNED = 100
"""Longest stretch of two arrays in which elements are matched by content: the effort grows with its square."""

Change = Literal["added", "removed", "changed"]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PathChange:
    path: str
    """Dotted, array elements by number, as in `endpoints.0.method`; a key with a dot in it is quoted.

    A removed element's number counts in the older version, every other in the newer.
    """
    kind: Change
    old: object
    """None when added. A value of more than 200 characters of JSON is replaced by its first 199 and `…`."""
    new: object
    """None when removed; cut like `old`."""


@dataclass(frozen=True, slots=True)
class Diff:
    summary_changed: bool
    added: tuple[str, ...]
    """Top-level keys of the payload, sorted, as are `removed` and `changed`."""
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    paths: tuple[PathChange, ...]
    """The first 200 changes at any depth, in the order of the sorted keys."""
    more: int
    """How many changes were left out of `paths`."""
    breaking: tuple[str, ...]
    """For an `api_contract`, see `breaking_changes`; empty for every other type."""


def compare(older: Mapping[str, Any], newer: Mapping[str, Any]) -> Diff:
    """Two versions of one entry, each with its `type`, `summary` and `payload`."""
    return diff(older["summary"], newer["summary"], older["payload"], newer["payload"], newer["type"])


def diff(
    old_summary: str, new_summary: str, old_payload: dict[str, object], new_payload: dict[str, object], type: str
) -> Diff:
    """What changed from the older to the newer version. The payloads are at most 64 levels deep (core/payloads.py)."""
    kept = old_payload.keys() & new_payload.keys()
    changes = _changes(old_payload, new_payload, ())
    return Diff(
        summary_changed=old_summary != new_summary,
        added=tuple(sorted(new_payload.keys() - kept)),
        removed=tuple(sorted(old_payload.keys() - kept)),
        changed=tuple(sorted(key for key in kept if not _same(old_payload[key], new_payload[key]))),
        paths=tuple(_shown(*change) for change in islice(changes, MAX_PATHS)),
        more=sum(1 for _ in changes),
        breaking=breaking_changes(old_payload, new_payload) if type == "api_contract" else (),
    )


_sorted_json = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def _same(old: object, new: object) -> bool:
    """Equal as JSON: Python would say that 1 is true."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    return kind_of(old) == kind_of(new) and old == new


RawChange = tuple[Path, Change, object, object]


def _changes(old: object, new: object, path: Path) -> Iterator[RawChange]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _object_changes(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _array_changes(old, new, path)
    elif not _same(old, new):
        yield path, "changed", old, new


def _object_changes(old: dict[str, object], new: dict[str, object], path: Path) -> Iterator[RawChange]:
    for key in sorted(old.keys() | new.keys()):
        at = (*path, key if key and "." not in key else compact_json(key))
        if key not in new:
            yield at, "removed", old[key], None
        elif key not in old:
            yield at, "added", None, new[key]
        else:
            yield from _changes(old[key], new[key], at)


def _array_changes(old: list[object], new: list[object], path: Path) -> Iterator[RawChange]:
    for olds, news in _stretches(old, new):
        for was, now in zip(olds, news, strict=False):
            yield from _changes(old[was], new[now], (*path, str(now)))
        for was in olds[len(news) :]:
            yield (*path, str(was)), "removed", old[was], None
        for now in news[len(olds) :]:
            yield (*path, str(now)), "added", None, new[now]


def _stretches(old: list[object], new: list[object]) -> Iterator[tuple[range, range]]:
    """Where two arrays differ, as pairs of index ranges, so that one inserted element is one change."""
    start = _in_common(old, new)
    end = _in_common(old[start:][::-1], new[start:][::-1])
    olds, news = range(start, len(old) - end), range(start, len(new) - end)
    if max(len(olds), len(news)) > MAX_ALIGNED:
        yield olds, news
        return
    texts = [_sorted_json(old[was]) for was in olds], [_sorted_json(new[now]) for now in news]
    for tag, *ends in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if tag != "equal":
            yield olds[ends[0] : ends[1]], news[ends[2] : ends[3]]


def _in_common(old: list[object], new: list[object]) -> int:
    """How many elements two arrays share at the start."""
    shorter = min(len(old), len(new))
    return next((index for index in range(shorter) if not _same(old[index], new[index])), shorter)


def _shown(path: Path, kind: Change, old: object, new: object) -> PathChange:
    return PathChange(one_line(".".join(path), SHOWN_CHARS), kind, _cut(old), _cut(new))


def _cut(value: object) -> object:
    text = compact_json(value)
    if len(text) <= SHOWN_CHARS:
        return value
    return (value if isinstance(value, str) else text)[: SHOWN_CHARS - 1] + "…"
