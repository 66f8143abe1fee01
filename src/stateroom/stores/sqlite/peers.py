"""Waking the other processes on the same file: one small datagram per commit, to every socket in a shared folder.

A datagram may be lost (a full buffer, a process busy starting): it carries the number of its move, so the
receiver notices the hole (`lookout`). A socket whose process has died refuses, and is removed by whoever
noticed; no process number is ever trusted. Where there are no Unix datagrams, `open` says so.
"""

import asyncio
import hashlib
import json
import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

from stateroom.core.ids import LogKey
from stateroom.log.seam import Hint
from stateroom.stores.sqlite.ledger import Move

LONGEST_PATH = 100
"""Bytes of a socket's path that every system accepts (Linux takes 107, macOS 103)."""
LARGEST_PING = 16_384
"""Bytes. A larger one is sent without its hints, which means: look everywhere."""


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
        self._socket: socket.socket | None = None
        self._place = Path()

    def open(self) -> bool:
        """Take a place in the folder; False where that is impossible, and then nothing is sent or heard."""
        if not hasattr(socket, "AF_UNIX"):
            return False
        try:
            self._place = _free_place(self._folder)
            self._socket = _bound(self._place)
        except OSError:
            return False
        return True

    def listen(self, heard: Callable[[Move], None]) -> None:
        """Call `heard` in the running loop for every datagram from another process."""
        if self._socket:
            asyncio.get_running_loop().add_reader(self._socket, _receive, self._socket, heard)

    def tell(self, move: Move) -> None:
        """Send one datagram to every other process. Never waits, never raises; called from the writer thread."""
        if self._socket:
            others = self._others()
            message = _encode(move) if others else b""
            for other in others:
                _send(self._socket, message, other)

    def close(self) -> None:
        """Leave the folder. Call it in the loop that listens, after the writer has ended."""
        if self._socket:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
            self._place.unlink(missing_ok=True)

    def _others(self) -> list[str]:
        try:
            return [entry.path for entry in os.scandir(self._folder) if entry.name != self._place.name]
        except OSError:
            return []


def _free_place(folder: Path) -> Path:
    """A name nobody has used before. Raises OSError, also when others could put sockets there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.stat(follow_symlinks=False)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(f"{folder} is not ours alone")
    handle, name = tempfile.mkstemp(prefix="", dir=folder)
    os.close(handle)
    os.unlink(name)
    return Path(name)


def _bound(place: Path) -> socket.socket:
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    bound.setblocking(False)
    try:
        bound.bind(str(place))
    except OSError:
        bound.close()
        raise
    return bound


def _send(sender: socket.socket, message: bytes, to: str) -> None:
    try:
        sender.sendto(message, to)
    except ConnectionRefusedError:
        if Path(to).is_socket():
            Path(to).unlink(missing_ok=True)  # its process is gone
    except OSError:
        pass  # its buffer is full, or it has just left: the number it misses will tell it


def _receive(receiver: socket.socket, heard: Callable[[Move], None]) -> None:
    for _ in range(64):  # then give the loop a turn
        try:
            message = receiver.recv(LARGEST_PING)
        except BlockingIOError:
            return
        heard(_decode(message))


def _encode(move: Move) -> bytes:
    hints = None if move.hints is None else [(hint.key, hint.head) for hint in move.hints]
    message = json.dumps([move.number, hints]).encode()
    return message if len(message) <= LARGEST_PING else json.dumps([move.number, None]).encode()


def _decode(message: bytes) -> Move:
    """A datagram that cannot be understood still says that something moved."""
    try:
        number, hints = json.loads(message)
        return Move(number, None if hints is None else tuple(Hint(LogKey(key), head) for key, head in hints))
    except (ValueError, TypeError):
        return Move(0, None)
