"""Small named strings that the room shares. Strings for ever: nothing is ever guessed into a number (W-40)."""

from dataclasses import dataclass, field

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry


@dataclass(slots=True)
class Variables:
    values: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetVariable(Command):
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class VariableSet(Event):
    key: str
    value: str

    @property
    def line(self) -> bool:
        return False  # a room's event, but nothing anybody said (design §7)


def set_variable(variables: Variables, command: SetVariable, here: Here) -> list[Event]:
    key = limits.text("key", command.key, limits.NAME_CHARS)
    return [VariableSet(key, limits.text("value", command.value, limits.VARIABLE_CHARS))]


def was_set(variables: Variables, entry: LogEntry, event: VariableSet) -> None:
    variables.values[event.key] = event.value


RULES = {SetVariable: set_variable}
FOLDS = {VariableSet: was_set}
