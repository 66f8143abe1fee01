"""Importing by dotted path what only some calls need, so that the others start without paying for it.

`stateroom mcp` has to answer within 400 ms of its start; an HTTP client it does not use would cost it a third of that.
"""

from importlib import import_module
from typing import Any


def later(path: str) -> Any:
    """The object at `module:name`, imported now."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
