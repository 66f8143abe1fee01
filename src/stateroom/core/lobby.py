"""The lobby: the log above all rooms. It knows which rooms there are, whose they are, and their codes.

Room ids are unique within a team, so no name can be squatted and a denial proves nothing (W-48, W-49).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from stateroom.core import kept_playbooks
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, LogKey, RoomId
from stateroom.core.kept_playbooks import PlaybookRemoved, PlaybookSaved, RemovePlaybook, SavePlaybook, Shelves
from stateroom.core.refusals import BadRoomId, NoCodeFree, ReservedRoomId
from stateroom.core.state import State

LOBBY = LogKey("lobby")
ROOM_ID = re.compile(r"[a-z0-9][a-z0-9_-]{1,63}")
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE = re.compile(rf"[{CODE_LETTERS}]{{9}}")
CODE_TEXT_CHARS = 500
PASTED = re.compile(r"(?:^|/)[jr]/(?P<code>[^/?#]+)", re.IGNORECASE)
"""A code in the address of its page, as people paste it."""


@dataclass(frozen=True, slots=True)
class RoomCard:
    """What the lobby knows of a room."""

    key: LogKey
    team: str
    room_id: RoomId
    code: str
    registered_at: Instant


@dataclass(frozen=True, slots=True)
class FiledReport:
    """Where a report is found by its id: it outlives what happens to its room."""

    id: str
    room: LogKey
    digest: str
    filed_at: Instant


@dataclass(frozen=True, slots=True)
class ProjectCard:
    """What the lobby knows of a project; the rest is in its own log."""

    id: str
    team: str
    registered_at: Instant


@dataclass(slots=True)
class Lobby(State):
    rooms: dict[LogKey, RoomCard] = field(default_factory=dict)
    by_code: dict[str, LogKey] = field(default_factory=dict)
    reports: dict[str, FiledReport] = field(default_factory=dict)
    playbooks: Shelves = field(default_factory=dict)
    projects: dict[str, ProjectCard] = field(default_factory=dict)
    """By id."""

    def by_any_code(self, text: str) -> RoomCard | None:
        """Whatever team's room has this code: the code is what a guest has (design §7)."""
        code = read_code(text)
        return self.rooms.get(self.by_code.get(code, LogKey(""))) if code else None

    def find(self, team: str, name: str) -> RoomCard | None:
        """A team's room by its id or by its code, in any spelling of the code."""
        card = self.rooms.get(room_key(team, name))
        if card is None and (code := read_code(name)):
            card = self.rooms.get(self.by_code.get(code, LogKey("")))
        return card if card and card.team == team else None

    def of_team(self, team: str) -> list[RoomCard]:
        """A team's rooms, by id."""
        return sorted((card for card in self.rooms.values() if card.team == team), key=lambda card: card.room_id)


@dataclass(frozen=True, slots=True)
class RegisterRoom(Command):
    team: str
    room_id: str
    """Empty for a room that goes by its code."""
    codes: tuple[str, ...]
    """Candidates, drawn by the caller; the first that is free becomes the room's code."""


@dataclass(frozen=True, slots=True)
class RoomRegistered(Event):
    key: LogKey
    team: str
    room_id: RoomId
    code: str


@dataclass(frozen=True, slots=True)
class FileReport(Command):
    id: str
    room: LogKey
    digest: str


@dataclass(frozen=True, slots=True)
class ReportFiled(Event):
    report: FiledReport


@dataclass(frozen=True, slots=True)
class RegisterProject(Command):
    id: str
    team: str


@dataclass(frozen=True, slots=True)
class ProjectRegistered(Event):
    project: ProjectCard


def room_key(team: str, room_id: str) -> LogKey:
    return LogKey(f"{team}/{room_id}")


def check_room_id(room_id: str) -> RoomId:
    """Raises BadRoomId, ReservedRoomId (protocol §4.1)."""
    if not ROOM_ID.fullmatch(room_id):
        raise BadRoomId
    if "__" in room_id:
        raise ReservedRoomId
    return RoomId(room_id)


def read_code(text: str) -> str | None:
    """A code as stored (`ABC-DEF-GHJ`) from any spelling of it or the address of its page; None if it is no code."""
    pasted = PASTED.search(text[:CODE_TEXT_CHARS]) if "/" in text else None
    plain = "".join((pasted["code"] if pasted else text[:CODE_TEXT_CHARS]).upper().replace("-", " ").split())
    return f"{plain[:3]}-{plain[3:6]}-{plain[6:]}" if CODE.fullmatch(plain) else None


def register(lobby: Lobby, command: RegisterRoom, here: Here) -> list[Event]:
    """Raises BadRoomId, ReservedRoomId, NoCodeFree."""
    code = next((code for code in command.codes if _is_free(lobby, command.team, code)), "")
    if not command.room_id:
        if not code:
            raise NoCodeFree
        return [RoomRegistered(room_key(command.team, code), command.team, RoomId(code), code)]
    room_id = check_room_id(command.room_id)
    key = room_key(command.team, room_id)
    return [] if key in lobby.rooms else [RoomRegistered(key, command.team, room_id, code)]


def _is_free(lobby: Lobby, team: str, code: str) -> bool:
    """Set if absent (gap 34). A room whose id happens to read like the code keeps its name."""
    return code not in lobby.by_code and room_key(team, code.lower()) not in lobby.rooms


def file_report(lobby: Lobby, command: FileReport, here: Here) -> list[Event]:
    known = command.id in lobby.reports
    return [] if known else [ReportFiled(FiledReport(command.id, command.room, command.digest, here.now))]


def register_project(lobby: Lobby, command: RegisterProject, here: Here) -> list[Event]:
    known = command.id in lobby.projects
    return [] if known else [ProjectRegistered(ProjectCard(command.id, command.team, here.now))]


def project_registered(lobby: Lobby, entry: LogEntry, event: ProjectRegistered) -> None:
    lobby.projects[event.project.id] = event.project


def filed(lobby: Lobby, entry: LogEntry, event: ReportFiled) -> None:
    lobby.reports[event.report.id] = event.report


def registered(lobby: Lobby, entry: LogEntry, event: RoomRegistered) -> None:
    lobby.rooms[event.key] = RoomCard(event.key, event.team, event.room_id, event.code, entry.at)
    if event.code:
        lobby.by_code[event.code] = event.key


def save_playbook(lobby: Lobby, command: SavePlaybook, here: Here) -> list[Event]:
    return kept_playbooks.save(lobby.playbooks, command, here)


def remove_playbook(lobby: Lobby, command: RemovePlaybook, here: Here) -> list[Event]:
    return kept_playbooks.remove(lobby.playbooks, command, here)


def playbook_saved(lobby: Lobby, entry: LogEntry, event: PlaybookSaved) -> None:
    kept_playbooks.saved(lobby.playbooks, event)


def playbook_removed(lobby: Lobby, entry: LogEntry, event: PlaybookRemoved) -> None:
    kept_playbooks.removed(lobby.playbooks, event)


RULES: dict[type[Command], Callable[[Lobby, Any, Here], list[Event]]] = {
    RegisterRoom: register,
    FileReport: file_report,
    RegisterProject: register_project,
    SavePlaybook: save_playbook,
    RemovePlaybook: remove_playbook,
}
FOLDS: dict[type[Event], Callable[[Lobby, LogEntry, Any], None]] = {
    RoomRegistered: registered,
    ReportFiled: filed,
    ProjectRegistered: project_registered,
    PlaybookSaved: playbook_saved,
    PlaybookRemoved: playbook_removed,
}


def decide(lobby: Lobby, command: Command, here: Here) -> list[Event]:
    """The facts that follow from a wish. Raises a Refusal, and then nothing has changed."""
    return RULES[type(command)](lobby, command, here)


def evolve(lobby: Lobby, entry: LogEntry) -> None:
    """Fold one entry, in place."""
    lobby.advance(entry)
    fold = FOLDS.get(type(entry.event))
    if fold:
        fold(lobby, entry, entry.event)


def replay(entries: Iterable[LogEntry], lobby: Lobby | None = None) -> Lobby:
    lobby = lobby or Lobby()
    for entry in entries:
        evolve(lobby, entry)
    return lobby
