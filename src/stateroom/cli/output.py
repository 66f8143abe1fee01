"""What commands print: tables and lines for people, one JSON document for programs."""

import sys
from typing import Any

import msgspec
from rich.console import Console

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One document on stdout, and nothing else."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")
    sys.stdout.flush()


def print_line(value: Any) -> None:
    """One JSON document per line."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()
