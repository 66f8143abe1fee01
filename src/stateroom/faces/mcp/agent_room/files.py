"""Files that come with a message, as base64 (agent-room §14). All are checked before any is stored."""

import asyncio
import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from msgspec import Struct

from stateroom.core.attachments import check, clean_name, said_type
from stateroom.core.refusals import Muted, Refusal
from stateroom.core.room import Room
from stateroom.core.speech import MESSAGE_ATTACHMENTS
from stateroom.engine import attachments
from stateroom.engine.extraction import check_content
from stateroom.faces.mcp.agent_room.texts import UPLOAD_CODES
from stateroom.faces.mcp.agent_room.visits import Visit

DATA_URL = re.compile(r"\s*data:[^,]{0,200};base64,", re.IGNORECASE)
NAME_CHARS = 200


class File(Struct):
    """What is left out gets an answer of its own, so nothing is required here."""

    name: str = ""
    mime: str = ""
    content_base64: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """A file as it was sent, decoded."""

    name: str
    mime: str
    data: bytes


class UploadFailed(Exception):
    """A file can not be taken, so nothing was said and nothing stored. `shape` is the tool's answer."""

    def __init__(self, code: str, name: str, message: str, hint: str = "Correct the file and send again.") -> None:
        super().__init__(code)
        self.shape = {
            "sent": False,
            "error": "attachment_upload_failed",
            "code": code,
            "attachment": name[:NAME_CHARS],
            "message": message,
            "hint": f"{hint} Nothing was sent.",
        }


async def stored(there: Visit, files: list[File]) -> tuple[str, ...]:
    """The ids of these files in the room. A file the room has already is not stored twice, so that a repeated call is
    the same call. Raises UploadFailed, Refusal, Unavailable."""
    if len(files) > MESSAGE_ATTACHMENTS:
        said = f"A message takes at most {MESSAGE_ATTACHMENTS} files, not {len(files)}."
        raise UploadFailed("too_many", "", said, "Send the others with another message.")
    if (member := await there.member()).muted:
        raise Muted(name=member.name)
    given = [_decoded(file) for file in files]
    for one in given:
        try:
            await _check(there, one)
        except Refusal as refusal:
            raise _failed(one, refusal) from None
    return tuple([await _id(there, one) for one in given])


def _decoded(file: File) -> Given:
    """Raises UploadFailed."""
    for code, value in (("missing_name", file.name), ("missing_mime", file.mime)):
        if not value.strip():
            raise UploadFailed(code, file.name, "An attachment needs name, mime and content_base64.")
    text = "".join(DATA_URL.sub("", file.content_base64, count=1).split())
    if not text:
        raise UploadFailed("empty_content", file.name, "content_base64 is empty.")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise UploadFailed("bad_base64", file.name, "content_base64 is no base64 of the standard alphabet.") from None
    return Given(clean_name(file.name), said_type(file.mime, file.name), data)


async def _check(there: Visit, one: Given) -> None:
    """Raises what `attachments.upload` would."""
    await there.view(lambda room: check(room.attachments, one.name, one.mime, len(one.data)))
    await asyncio.to_thread(check_content, one.name, one.mime, one.data)


def _failed(one: Given, refusal: Refusal) -> UploadFailed:
    code = UPLOAD_CODES.get(refusal.code, "upload_failed")
    return UploadFailed(code, one.name, str(refusal)[:600], refusal.next_step()[:600])


async def _id(there: Visit, one: Given) -> str:
    digest = hashlib.sha256(one.data).hexdigest()

    def known(room: Room) -> str:
        same = (kept for kept in room.attachments.newest() if kept.digest == digest)
        return next((kept.id for kept in same if (kept.name, kept.mime) == (one.name, one.mime)), "")

    if id := await there.view(known):
        return id
    engine, caller = there.desk.engine, there.caller
    found = await attachments.upload(
        engine, caller, there.card, name=one.name, mime=one.mime, data=one.data, by=there.me, keys=there.keys
    )
    return found.id
