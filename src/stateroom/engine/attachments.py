"""Files on their way into a room and out of it again: checked, read, stored by their hash, and noted in the log."""

import asyncio
import re

from stateroom.core.attachments import Attachment, Attachments, StoreAttachment, check, clean_name, said_type
from stateroom.core.lobby import RoomCard
from stateroom.core.redaction import tokens
from stateroom.core.refusals import UnknownAttachment, UnknownRoom
from stateroom.engine.access import GUEST, Caller
from stateroom.engine.clock import fresh_key
from stateroom.engine.conversation import NO_KEYS, Keys
from stateroom.engine.engine import Engine
from stateroom.engine.extraction import check_content, extract
from stateroom.log.seam import Unavailable
from stateroom.wire.links import blob_path

MAX_PIXELS = 1_000_000
OURS = re.compile(r"/blobs/[^/]+/(?P<id>[\w-]+)/[^/]*\Z")
"""The path of a file, at the end of its URL."""


async def upload(
    engine: Engine,
    caller: Caller,
    card: RoomCard,
    *,
    name: str,
    mime: str,
    data: bytes,
    by: str = "",
    keys: Keys = NO_KEYS,
    width: int | None = None,
    height: int | None = None,
) -> Attachment:
    """Add a file to a room. Nothing is stored before everything has been checked.

    Raises AttachmentTypeNotAllowed, AttachmentEmpty, AttachmentTooLarge, AttachmentsFull, AttachmentTypeMismatch,
    AttachmentDangerous, BadName, Unavailable. A file whose text can not be read is kept; its `problem` says why.
    """
    name, mime = clean_name(name), said_type(mime, name)
    await engine.view(card, lambda room: check(room.attachments, name, mime, len(data)))
    await asyncio.to_thread(check_content, name, mime, data)
    found = await extract(mime, data)
    read = tokens(found.text)[0] if engine.redacts else found.text
    wish = StoreAttachment(
        id=fresh_key(),
        name=name,
        mime=mime,
        size=len(data),
        digest=await engine.store.blobs.put(data),
        text_digest=await engine.store.blobs.put(read.encode()) if read else "",
        text_chars=len(read),
        problem=found.problem,
        width=_pixels(width),
        height=_pixels(height),
    )
    await engine.execute(caller, card, wish, by, proof=caller.proof(keys.host, keys.seat))
    return await find(engine, card, wish.id)


def _pixels(size: int | None) -> int | None:
    """A size that can be true, or None: it is only the uploader's word."""
    return size if size is not None and 0 < size <= MAX_PIXELS else None


async def find(engine: Engine, card: RoomCard, attachment_id: str) -> Attachment:
    """Raises UnknownAttachment."""
    found: Attachment = await engine.view(card, lambda room: room.attachments.find(attachment_id))
    return found


async def newest(engine: Engine, card: RoomCard, limit: int = 20) -> list[Attachment]:
    """The room's files, newest first: what to offer when one was not found."""
    return await engine.view(card, lambda room: [*room.attachments.newest()][:limit])


async def by_reference(engine: Engine, card: RoomCard, reference: str) -> Attachment:
    """The newest file that an id, a URL of ours or a name means. Raises UnknownAttachment."""
    address, name = OURS.search(reference), clean_name(reference)
    attachment_id = address["id"] if address else reference.strip()

    def meant(files: Attachments) -> Attachment:
        named = (one for one in files.newest() if one.name == name)
        return files.by_id.get(attachment_id) or next(named, None) or files.find(reference)

    return await engine.view(card, lambda room: meant(room.attachments))


async def by_address(engine: Engine, code: str, attachment_id: str) -> Attachment:
    """The file at `/blobs/<code>/<id>/…`, for whoever knows the id. Raises UnknownAttachment."""
    try:
        _, card = await engine.find_by_code(Caller("", GUEST), code)
    except UnknownRoom:
        raise UnknownAttachment(attachment=attachment_id[:200]) from None
    return await find(engine, card, attachment_id)


async def data(engine: Engine, attachment: Attachment) -> bytes:
    """The file's bytes. Raises Unavailable."""
    return await _blob(engine, attachment.digest)


async def text(engine: Engine, attachment: Attachment) -> str:
    """The text found in it; empty if there is none. Raises Unavailable."""
    return (await _blob(engine, attachment.text_digest)).decode() if attachment.text_digest else ""


async def _blob(engine: Engine, digest: str) -> bytes:
    found = await engine.store.blobs.get(digest)
    if found is None:
        raise Unavailable(f"The blob {digest[:12]}… is missing from the store.")
    return found


def path(card: RoomCard, attachment: Attachment) -> str:
    """Where the file is found below the server's address."""
    return blob_path(card.code, attachment)
