"""What commands print: tables and lines for people, JSON for programs."""

import sys
from typing import Any

import msgspec
from rich.console import Console

WIDE = 250
"""Columns where no terminal says how many there are: a table in a pipe is cut nowhere."""

out = Console(highlight=False, soft_wrap=True, emoji=False, width=None if sys.stdout.isatty() else WIDE)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def plain(text: str) -> str:
    """Other people's text on one line: what would steer the terminal is shown as an escape instead."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def print_json(value: Any) -> None:
    """One document on stdout, and nothing else."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")
    sys.stdout.flush()


def print_line(value: Any) -> None:
    """One JSON document per line."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()
