"""The single place where secrets are taken out of what is about to be written, whatever face it came through
(agent-room §17.1, gap 95).

Chat gets the eager patterns (`password: …`); everything else only those that a secret has by its shape, because a
contract may well have a field that is called token.
"""

from dataclasses import fields, replace
from typing import Any

from stateroom.core import redaction
from stateroom.core.here import Command
from stateroom.core.speech import Say


def scrubbed(command: Command) -> tuple[Command, int]:
    """The wish without secrets, and how many there were; the very same wish if there were none."""
    if isinstance(command, Say):
        text, count = redaction.secrets(command.text)
        return (replace(command, text=text), count) if count else (command, 0)
    changed: dict[str, Any] = {}
    total = 0
    for name in _names(type(command)):
        value = getattr(command, name)
        if isinstance(value, str | dict | tuple):
            clean, count = redaction.in_value(list(value) if isinstance(value, tuple) else value)
            if count:
                changed[name] = tuple(clean) if isinstance(value, tuple) else clean
                total += count
    return (replace(command, **changed), total) if changed else (command, 0)


_known: dict[type[Command], tuple[str, ...]] = {}


def _names(kind: type[Command]) -> tuple[str, ...]:
    """A command's fields; looked up once."""
    names = _known.get(kind)
    return names if names is not None else _known.setdefault(kind, tuple(part.name for part in fields(kind)))
