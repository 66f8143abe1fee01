"""What somebody needs to know to do a task: the documents it names, those its dependencies left, those meant for it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from stateroom.core.context import ContextEntry
from stateroom.core.ids import ContextId, TaskId
from stateroom.core.members import same
from stateroom.core.room import Room
from stateroom.core.tasks import Task

_NAMED = re.compile(r"\bC-[0-9]{1,9}\b")


@dataclass(frozen=True, slots=True)
class Briefing:
    task: Task
    depends_on: tuple[Task, ...]
    """What it waited for, as it stands."""
    documents: tuple[ContextEntry, ...]
    """The most telling first: named by the task; named by what it depended on, or written by who did that; made for
    whoever does it. Contracts before others."""


def briefing(room: Room, task: Task, name: str) -> Briefing:
    """What the member of this name should read before it does a task."""
    before = tuple(found for id in task.depends_on if (found := room.board.tasks.get(TaskId(id))))
    named = _entries(room, _mentioned(room, [task]))
    left = _entries(room, _mentioned(room, before))
    made = [entry for entry in room.context.entries.values() if _by_owner(entry, before)]
    meant = [entry for entry in room.context.entries.values() if any(same(one, name) for one in entry.consumers)]
    ranked = [entry for group in (named, left, made, meant) for entry in _contracts_first(group)]
    return Briefing(task, before, tuple({entry.id: entry for entry in ranked}.values()))


def _mentioned(room: Room, tasks: Iterable[Task]) -> list[str]:
    """The ids of context entries that these tasks name, in their texts, notes or newest evidence."""
    texts = []
    for task in tasks:
        newest = task.evidence[-1:]
        texts += [
            task.title,
            task.description,
            task.dod or "",
            *(note.text for note in room.board.notes.get(task.id, ())),
        ]
        texts += [part for one in newest for part in (one.file_listing, one.checks or "", one.note or "")]
    return [found for text in texts for found in _NAMED.findall(text)]


def _entries(room: Room, ids: Iterable[str]) -> list[ContextEntry]:
    return [found for id in dict.fromkeys(ids) if (found := room.context.entries.get(ContextId(id)))]


def _by_owner(entry: ContextEntry, tasks: Iterable[Task]) -> bool:
    return any(task.owner is not None and same(entry.author, task.owner) for task in tasks)


def _contracts_first(entries: Iterable[ContextEntry]) -> list[ContextEntry]:
    return sorted(entries, key=lambda entry: entry.type != "api_contract")
