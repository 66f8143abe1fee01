"""ZIP files, and the office documents that are ZIP files: what they would unpack to, judged before anything does.

Sizes are those that the archive declares. Python's zipfile never unpacks more of a member than it declares, so they
may be relied on.
"""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence

from stateroom.engine.extraction.prologs import read_prolog

MAX_MEMBERS = 20_000
MAX_PARTS = 5_000
"""Members of an office document."""
MAX_UNPACKED = 50 * 1000 * 1000
"""Bytes of one member. What stays below is no bomb, however well it is packed."""
MAX_UNPACKED_IN_ALL = 2 * MAX_UNPACKED
MAX_RATIO = 200
CHUNK_BYTES = 4096
PROLOG_BYTES = 16 * 1024
ENTRY_SIGNATURE = b"PK\x01\x02"
ENCRYPTED_FLAG = 1
COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How old Office files begin, and new ones that are encrypted."""
ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError),
    *(NotImplementedError, RuntimeError, EOFError, OSError, ValueError, OverflowError),
)
"""What zipfile raises for archives that are damaged, encrypted or packed in ways it does not know."""


def is_encrypted_office(data: bytes) -> bool:
    return data.startswith(COMPOUND_FILE) and ENCRYPTED_PACKAGE in data


def has_too_many(data: bytes) -> bool:
    """Whether an archive may hold more files than we list. Counted, because to list them takes a kilobyte for each."""
    return data.count(ENTRY_SIGNATURE) > MAX_MEMBERS


def members(data: bytes) -> list[zipfile.ZipInfo] | None:
    """What the archive's directory lists; None if the data is no archive that can be read."""
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.infolist()
    except BROKEN:
        return None


def is_bomb(data: bytes, listed: Sequence[zipfile.ZipInfo]) -> bool:
    """Whether it unpacks to much more than it is, as a whole (files may share bytes) or in one of its files."""
    sizes = [(member.file_size, member.compress_size) for member in listed]
    sizes.append((sum(size for size, _ in sizes), len(data)))
    return any(size > MAX_UNPACKED and size > MAX_RATIO * packed for size, packed in sizes)


def has_doctype(data: bytes) -> bool:
    """Whether any part is XML that brings a document type, or may bring one after a very long beginning.

    Office documents never need one, and it is where entities are declared.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        prologs = (read_prolog(_beginning(archive, part), PROLOG_BYTES) for part in archive.infolist()[:MAX_PARTS])
        return any(prolog.doctype or prolog.endless for prolog in prologs)


def _beginning(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """A part in small pieces; ends early where it is damaged."""
    try:
        with archive.open(part) as opened:
            while chunk := opened.read(CHUNK_BYTES):
                yield chunk
    except BROKEN:
        return


def why_not_opened(data: bytes) -> str:
    """Why an office document is kept without being read, in a few words; empty if it can be opened."""
    listed = members(data)
    if is_encrypted_office(data) or any(part.flag_bits & ENCRYPTED_FLAG for part in listed or []):
        return "encrypted"
    if listed is None:
        return "damaged"
    sizes = [part.file_size for part in listed]
    if max(sizes, default=0) > MAX_UNPACKED or sum(sizes) > MAX_UNPACKED_IN_ALL:
        return f"unpacks to more than {MAX_UNPACKED // 1_000_000} MB"
    return f"has more than {MAX_PARTS:,} parts" if len(sizes) > MAX_PARTS else ""
