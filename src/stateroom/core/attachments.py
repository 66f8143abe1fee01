"""Files that go with messages (AR §14). The log knows each by its hash; the bytes are a blob of the store.

An attachment's id is drawn at random and is the key to the file: whoever knows the id may read it.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from stateroom.core import limits
from stateroom.core.here import Command, Event, Here, LogEntry
from stateroom.core.ids import Instant, Name
from stateroom.core.refusals import (
    AttachmentEmpty,
    AttachmentsFull,
    AttachmentTooLarge,
    AttachmentTypeNotAllowed,
    UnknownAttachment,
)

MAX_BYTES = 10 * 1024 * 1024
ROOM_FILES = 200
ROOM_BYTES = 500 * 1024 * 1024
FILE_NAME_CHARS = 200
MIME_CHARS = 100
PROBLEM_CHARS = 400
NAMELESS = "file"

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLS = "application/vnd.ms-excel"
SUFFIXES = {
    "image/png": ("png",),
    "image/jpeg": ("jpg", "jpeg"),
    "image/jpg": (),
    "image/webp": ("webp",),
    "image/gif": ("gif",),
    "image/svg+xml": ("svg",),
    "application/pdf": ("pdf",),
    "text/plain": ("txt", "log"),
    "text/markdown": ("md", "markdown"),
    "text/csv": ("csv",),
    "text/html": ("html", "htm"),
    "application/json": ("json",),
    "application/zip": ("zip",),
    XLS: ("xls",),
    DOCX: ("docx",),
    XLSX: ("xlsx",),
}
"""The types that can be attached, each with the endings of names that mean it (AR §14)."""
UNSAID = ("", "application/octet-stream")
"""What clients declare when they do not know the type."""


@dataclass(frozen=True, slots=True)
class Attachment:
    id: str
    """Unguessable; whoever knows it may read the file."""
    name: str
    """Cleaned: no slashes, no invisible characters, at most 200 characters."""
    mime: str
    """One of SUFFIXES."""
    size: int
    """Bytes."""
    digest: str
    """The blob that holds the file."""
    by: Name
    uploaded_at: Instant
    text_digest: str = ""
    """The blob that holds the text found in it, UTF-8; empty if there is none."""
    text_chars: int = 0
    problem: str = ""
    """Why there is no text, or not all of it: `encrypted`, …; empty if there was nothing in the way."""
    width: int | None = None
    height: int | None = None
    """Pixels, as the uploader says."""

    @property
    def is_image(self) -> bool:
        return self.mime.startswith("image/")


@dataclass(slots=True)
class Attachments:
    by_id: dict[str, Attachment] = field(default_factory=dict)
    """Oldest first."""
    size: int = 0
    """Bytes of all files together."""

    def newest(self) -> Iterator[Attachment]:
        """All of them, newest first."""
        return reversed(self.by_id.values())

    def find(self, attachment_id: str) -> Attachment:
        """Raises UnknownAttachment."""
        found = self.by_id.get(attachment_id)
        if found is None:
            raise UnknownAttachment(attachment=attachment_id[:FILE_NAME_CHARS])
        return found


@dataclass(frozen=True, slots=True)
class StoreAttachment(Command):
    """Take note of a file whose bytes, and whose text, are blobs of the store already."""

    id: str
    name: str
    mime: str
    size: int
    digest: str
    text_digest: str = ""
    text_chars: int = 0
    problem: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class AttachmentStored(Event):
    """The room hears of a file by the message it goes with."""

    attachment: Attachment

    @property
    def told(self) -> bool:
        return False


def clean_name(name: str) -> str:
    """A file's name as we keep it: slashes become `_`, invisible characters go, an ending survives the cut (AR §14)."""
    kept = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) not in limits.INVISIBLE)
    kept = kept.replace("/", "_").replace("\\", "_").strip()
    if len(kept) > FILE_NAME_CHARS:
        stem, dot, ending = kept.rpartition(".")
        tail = dot + ending if stem and len(ending) <= 10 else ""
        kept = kept[: FILE_NAME_CHARS - len(tail)] + tail
    return NAMELESS if kept.strip(". ") == "" else kept


def said_type(mime: str, name: str) -> str:
    """The type a file is declared to have: without parameters, in small letters, and by the name's ending where the
    client does not know it. Programs for spreadsheets make Windows call a CSV file an Excel file."""
    plain = mime.partition(";")[0].strip().lower()
    by_name = _by_ending(name)
    if plain in UNSAID or (plain == XLS and by_name == "text/csv"):
        return by_name or plain
    return plain


def _by_ending(name: str) -> str:
    ending = name.rpartition(".")[2].lower()
    return next((mime for mime, endings in SUFFIXES.items() if ending in endings), "")


def check(attachments: Attachments, name: str, mime: str, size: int) -> None:
    """Whether a file of this type and size, in bytes, may be added to the room.

    Raises AttachmentTypeNotAllowed, AttachmentEmpty, AttachmentTooLarge, AttachmentsFull.
    """
    if mime not in SUFFIXES:
        raise AttachmentTypeNotAllowed(mime=mime[:MIME_CHARS] or "unknown")
    if size < 1:
        raise AttachmentEmpty(name=name)
    if size > MAX_BYTES:
        raise AttachmentTooLarge(name=name, size=size, limit=MAX_BYTES)
    count, held = len(attachments.by_id), attachments.size
    if count >= ROOM_FILES or held + size > ROOM_BYTES:
        raise AttachmentsFull(size=size, count=count, limit=ROOM_FILES, held=held, limit_bytes=ROOM_BYTES)


def store(attachments: Attachments, command: StoreAttachment, here: Here) -> list[Event]:
    if command.id in attachments.by_id:
        return []
    name = clean_name(command.name)
    check(attachments, name, command.mime, command.size)
    return [
        AttachmentStored(
            Attachment(
                id=command.id,
                name=name,
                mime=command.mime,
                size=command.size,
                digest=command.digest,
                by=here.by,
                uploaded_at=here.now,
                text_digest=command.text_digest,
                text_chars=command.text_chars,
                problem=limits.text("problem", command.problem, PROBLEM_CHARS),
                width=command.width,
                height=command.height,
            )
        )
    ]


def stored(attachments: Attachments, entry: LogEntry, event: AttachmentStored) -> None:
    attachments.by_id[event.attachment.id] = event.attachment
    attachments.size += event.attachment.size


RULES = {StoreAttachment: store}
FOLDS = {AttachmentStored: stored}
