"""Waking the other processes on the same file: one small datagram per commit, to every socket in a shared folder.

A datagram may be lost (a full buffer, a process busy starting): it carries the number of its move, so the
receiver notices the hole (`lookout`). A socket whose process has died refuses, and is removed by whoever
noticed; no process number is ever trusted. Where there are no Unix datagrams, `open` says so.
"""

import asyncio
import hashlib
import json
import os
import secrets
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

from stateroom.core.ids import LogKey
from stateroom.stores.sqlite.ledger import Move

LONGEST_PATH = 100
"""Bytes of a socket's path that every system accepts (Linux takes 107, macOS 103)."""
LARGEST_PING = 16_384
"""Bytes. A larger one is sent without its keys, which means: look everywhere."""


def folder_of(path: Path) -> Path:
    """Where the processes on one file meet: beside it, or under the temp folder when that path would be too long."""
    real = os.path.realpath(path)
    beside = Path(f"{real}.peers")
    if len(os.fsencode(beside)) + len("/12345678") <= LONGEST_PATH:
        return beside
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"stateroom-{digest}.peers"


class Peers:
    """This process's socket in the folder, and the way to everyone else's."""

    def __init__(self, path: Path) -> None:
        self._folder = folder_of(path)
        self._name = secrets.token_hex(4)
        self._socket: socket.socket | None = None

    def open(self) -> bool:
        """Take a place in the folder; False where that is impossible, and then nothing is sent or heard."""
        if not hasattr(socket, "AF_UNIX"):
            return False
        try:
            self._socket = self._bind()
        except OSError:
            return False
        return True

    def listen(self, heard: Callable[[Move], None]) -> None:
        """Call `heard` in the running loop for every datagram from another process."""
        if self._socket:
            asyncio.get_running_loop().add_reader(self._socket, self._receive, self._socket, heard)

    def tell(self, move: Move) -> None:
        """Send one datagram to every other process. Never waits, never raises; called from the writer thread."""
        if not self._socket:
            return
        message = _encode(move)
        for name in self._others():
            self._send(self._socket, message, self._folder / name)

    def close(self) -> None:
        """Leave the folder. Call it in the loop that listens, after the writer has ended."""
        if self._socket:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
            (self._folder / self._name).unlink(missing_ok=True)

    def _bind(self) -> socket.socket:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        status = self._folder.stat(follow_symlinks=False)
        if status.st_uid != os.geteuid() or status.st_mode & 0o077:
            raise PermissionError(f"{self._folder} is not ours alone")
        place = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        place.setblocking(False)
        try:
            place.bind(str(self._folder / self._name))
        except OSError:
            place.close()
            raise
        return place

    def _others(self) -> list[str]:
        try:
            return [name for name in os.listdir(self._folder) if name != self._name]
        except OSError:
            return []

    def _send(self, place: socket.socket, message: bytes, to: Path) -> None:
        try:
            place.sendto(message, str(to))
        except ConnectionRefusedError:
            to.unlink(missing_ok=True)  # its process is gone
        except OSError:
            pass  # its buffer is full, or it has just left: the number it misses will tell it

    def _receive(self, place: socket.socket, heard: Callable[[Move], None]) -> None:
        for _ in range(64):
            try:
                message = place.recv(LARGEST_PING)
            except BlockingIOError:
                return
            heard(_decode(message))


def _encode(move: Move) -> bytes:
    message = json.dumps([move.number, move.keys]).encode()
    return message if len(message) <= LARGEST_PING else json.dumps([move.number, None]).encode()


def _decode(message: bytes) -> Move:
    """A datagram that cannot be understood still says that something moved."""
    try:
        number, keys = json.loads(message)
        return Move(int(number), None if keys is None else tuple(LogKey(str(key)) for key in keys))
    except (ValueError, TypeError):
        return Move(0, None)
