"""The card a server leaves beside its store's file, so that other processes find it and talk to it.

Whether a card is still true is found out by asking the server, never by its process number (trap 34).
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from stateroom.cli.errors import CliError
from stateroom.core.ids import Instant

ANSWER_S = 1.0
HEALTH_BYTES = 64 * 1024


class Card(msgspec.Struct):
    url: str
    pid: int
    started: Instant


def card_of(store: Path) -> Path:
    """Where a server that runs on a store file says so."""
    return store.with_name(store.name + ".server")


def read_card(store: Path) -> Card | None:
    try:
        return msgspec.json.decode(card_of(store).read_bytes(), type=Card)
    except (OSError, msgspec.DecodeError):
        return None


@contextmanager
def registered(store: Path | None, card: Card) -> Iterator[None]:
    """Say for as long as the context lasts that a server runs here. Raises CliError."""
    try:
        if store is not None:
            _write(card_of(store), card)
        yield
    finally:
        if store is not None and read_card(store) == card:  # else another server has put its own in place
            card_of(store).unlink(missing_ok=True)


def _write(path: Path, card: Card) -> None:
    """In one step, so that nobody ever reads half a card."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_bytes(msgspec.json.encode(card))
        draft.replace(path)
    except OSError as failure:
        draft.unlink(missing_ok=True)
        raise CliError(f"Can not write beside the store, {path}: {failure.strerror}. Choose another --store.") from None


def healthy_url(store: Path | None) -> str:
    """Where a server on a store file answers; empty if none does."""
    card = read_card(store) if store else None
    return card.url if card and is_stateroom(card.url) else ""


def is_stateroom(url: str) -> bool:
    """Whether a Stateroom server on this machine answers at a plain HTTP address, well or not.

    By hand over a socket: this stands between `stateroom mcp` and its first answer, and importing an HTTP client
    takes longer than asking.
    """
    place = urlsplit(url)
    request = f"GET /health HTTP/1.1\r\nhost: {place.netloc}\r\nconnection: close\r\n\r\n"
    try:
        with socket.create_connection((place.hostname or "", place.port or 80), ANSWER_S) as connection:
            connection.sendall(request.encode())
            answer = connection.makefile("rb").read(HEALTH_BYTES)
    except (OSError, ValueError):
        return False
    return b'"ok":' in answer and b'"store":' in answer
