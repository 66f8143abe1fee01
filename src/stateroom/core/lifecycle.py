"""How a room comes to be: what it is called and to whom it belongs."""

from dataclasses import dataclass

from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, RoomId


@dataclass(slots=True)
class Lifecycle:
    room_id: RoomId = RoomId("")
    code: str = ""
    team: str = ""
    project: str = ""
    """The plan's title: the room id unless a template set it (protocol §2.1)."""
    opened_at: Instant = Instant(0)


@dataclass(frozen=True, slots=True)
class OpenRoom(Command):
    """Begin a room's log. Asked by the engine when the lobby has registered the room."""

    room_id: RoomId
    code: str
    team: str


@dataclass(frozen=True, slots=True)
class RoomOpened(Event):
    room_id: RoomId
    code: str
    team: str

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class TemplateApplied(Event):
    template: str
    project: str
    task_count: int


def open_room(lifecycle: Lifecycle, command: OpenRoom, here: Here) -> list[Event]:
    if lifecycle.opened_at:
        return []
    return [RoomOpened(command.room_id, command.code, command.team)]


def opened(lifecycle: Lifecycle, entry: LogEntry, event: RoomOpened) -> None:
    lifecycle.room_id, lifecycle.code, lifecycle.team = event.room_id, event.code, event.team
    lifecycle.project, lifecycle.opened_at = event.room_id, entry.at


def templated(lifecycle: Lifecycle, entry: LogEntry, event: TemplateApplied) -> None:
    lifecycle.project = event.project


RULES = {OpenRoom: open_room}
FOLDS = {RoomOpened: opened, TemplateApplied: templated}
