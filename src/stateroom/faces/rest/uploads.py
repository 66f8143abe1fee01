"""Files over HTTP: `POST /api/upload` as clients of Agent Room know it (AR §14), and `GET /blobs/…`.

A file's id is the key to it: it can not be guessed, so its address needs no other key. What is served can do nothing
in a browser: its type is never guessed, it runs in a sandbox, and what could hold a script is downloaded, not shown.
"""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from urllib.parse import quote

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stateroom.core.attachments import MAX_BYTES, Attachment
from stateroom.core.lobby import RoomCard, read_code
from stateroom.core.refusals import Refusal
from stateroom.engine import attachments
from stateroom.engine.access import Caller, Unauthorized
from stateroom.engine.engine import Engine
from stateroom.faces.asgi import DRAINED_BYTES, Receive
from stateroom.faces.rest.api import answer
from stateroom.log.seam import Unavailable
from stateroom.wire.agent_room.messages import attachment_shape
from stateroom.wire.links import Links
from stateroom.wire.problems import MESSAGE_CHARS, RETRY_AFTER_S

FindRoom = Callable[[Request, str], Awaitable[tuple[Caller, RoomCard]]]
"""Who asks, and the room of a code in any spelling. Raises UnknownRoom, Unauthorized."""
Serve = Callable[[Request], Awaitable[Response]]
MAX_BODY_BYTES = MAX_BYTES + 1024 * 1024
MAX_FIELDS = 10
FIELD_BYTES = 4096
EXTRACTED_CHARS = 12_000
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
CODE_FORM = re.compile(r"[A-Z0-9]{3}-[A-Z0-9]{3}-[A-Z0-9]{3}")
CODES = {
    "unknown_room": "room_not_found",
    "attachment_empty": "empty_file",
    "attachment_too_large": "file_too_large",
    "attachment_type_not_allowed": "mime_not_allowed",
    "attachment_type_mismatch": "type_mismatch",
    "attachments_full": "room_full",
}
"""Refusals that clients know under another name."""
SHOWN = ("image/png", "image/jpeg", "image/jpg", "image/webp", "image/gif", "text/plain", "text/markdown", "text/csv")
"""Types a browser may show in place; all others it downloads."""
SEALED = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, max-age=86400",
    "referrer-policy": "no-referrer",
}


class UploadProblem(Exception):
    """The request is no upload."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.hint = status, code, hint


def routes(engine: Engine, base_url: str, find_room: FindRoom) -> list[Route]:
    """`base_url` is the address under which clients reach this server."""
    return [
        Route("/api/upload", _answering(_uploading(engine, Links(base_url.rstrip("/")), find_room)), methods=METHODS),
        Route("/blobs/{code}/{id}/{name}", _answering(_serving(engine)), methods=["GET"]),
    ]


def _answering(serve: Serve) -> Serve:
    """What is wrong with a request becomes an answer that clients of Agent Room can read."""

    async def handle(request: Request) -> Response:
        try:
            return await serve(request)
        except UploadProblem as problem:
            return _failure(problem.status, problem.code, str(problem), problem.hint)
        except Unauthorized:
            return _failure(
                401, "unauthorized", "No key, or one that nobody issued.", "Send your key, or a room's code."
            )
        except Refusal as refusal:
            code = CODES.get(refusal.code, refusal.code)
            return _failure(refusal.status, code, str(refusal), refusal.next_step())
        except Unavailable as failure:
            return _failure(503, "store_unavailable", str(failure), "Send the request again.")

    return handle


def _failure(status: int, code: str, message: str, hint: str) -> Response:
    said = {"error": code, "message": message[:MESSAGE_CHARS], "hint": hint[:MESSAGE_CHARS]}
    return answer(said, status, {"retry-after": str(RETRY_AFTER_S)} if status == 503 else None)


def _uploading(engine: Engine, links: Links, find_room: FindRoom) -> Serve:
    async def serve(request: Request) -> Response:
        if request.method != "POST":
            raise UploadProblem(405, "method_not_allowed", "Files are uploaded by POST.")
        form = await _form(request)
        try:
            card, stored = await _stored(engine, find_room, request, form)
        finally:
            await form.close()
        key = f"rooms/{card.code}/{stored.id}/{stored.name}"
        said = attachment_shape(stored, card.code, links) | {"storageKey": key}
        text = (await attachments.text(engine, stored))[:EXTRACTED_CHARS]
        return answer(said | {"extractedText": text} if text else said, 201)

    return serve


async def _stored(engine: Engine, find_room: FindRoom, request: Request, form: FormData) -> tuple[RoomCard, Attachment]:
    file, code = _file(form), _field(form, "roomCode")
    if not CODE_FORM.fullmatch(code) and read_code(code) is None:
        raise UploadProblem(400, "bad_room_code", "roomCode is no room code.", "Send it as ABC-DEF-GHJ.")
    caller, card = await find_room(request, code)
    stored = await attachments.upload(
        engine,
        caller,
        card,
        name=file.filename or "",
        mime=file.content_type or "",
        data=await file.read(),
        by=engine.speaks_as(caller, _field(form, "name")),
        width=_number(form, "width"),
        height=_number(form, "height"),
    )
    return card, stored


def _file(form: FormData) -> UploadFile:
    file = form.get("file")
    if not isinstance(file, UploadFile) or not (file.filename or file.size):
        raise UploadProblem(400, "missing_file", "There is no file in the form.", "Send it as the field `file`.")
    return file


def _field(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(form: FormData, name: str) -> int | None:
    """Pixels; what is no whole number is as good as not sent."""
    text = _field(form, name)
    return int(text) if text.isascii() and text.isdecimal() else None


async def _form(request: Request) -> FormData:
    """Raises UploadProblem. What is large goes to a temporary file while it comes in, never more than 11 MiB."""
    invalid = UploadProblem(400, "invalid_multipart", "The body is no multipart/form-data.", "Send a form with a file.")
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise invalid
    try:
        return await _WholeForm(request).parse()
    except MultiPartException:
        raise invalid from None


class _WholeForm(MultiPartParser):
    """The form of a request, if it comes to its end."""

    def __init__(self, request: Request) -> None:
        body = self._whole(_bounded(request.receive))
        super().__init__(request.headers, body, max_files=1, max_fields=MAX_FIELDS, max_part_size=FIELD_BYTES)
        self._ended = False

    def on_end(self) -> None:
        self._ended = True

    async def _whole(self, body: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        async for chunk in body:
            yield chunk
        if not self._ended:  # said from in here, where the parser still lets go of its files
            raise MultiPartException("The form has no end.")


async def _bounded(receive: Receive) -> AsyncGenerator[bytes, None]:
    """The body as it comes in. One that is too large is read on for a while, so that its sender hears the answer.

    Raises UploadProblem.
    """
    size, more = 0, True
    while more and size <= DRAINED_BYTES:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise UploadProblem(400, "gone", "The request ended before its body did.")
        chunk, more = event.get("body", b""), event.get("more_body", False)
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            yield chunk
    if size > MAX_BODY_BYTES:
        message = f"The request takes more than {MAX_BODY_BYTES} bytes."
        raise UploadProblem(413, "body_too_large", message, f"A file may take {MAX_BYTES} bytes.")


def _serving(engine: Engine) -> Serve:
    async def serve(request: Request) -> Response:
        found = await attachments.by_address(engine, request.path_params["code"], request.path_params["id"])
        headers = {**SEALED, "content-type": _served_type(found.mime), "content-disposition": _disposition(found)}
        return Response(await attachments.data(engine, found), headers=headers)

    return serve


def _served_type(mime: str) -> str:
    if mime == "text/html":
        return "text/plain; charset=utf-8"
    return f"{mime}; charset=utf-8" if mime.startswith("text/") else mime


def _disposition(found: Attachment) -> str:
    """RFC 6266, with the name in UTF-8 for whoever reads RFC 8187."""
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", found.name)
    how = "inline" if found.mime in SHOWN else "attachment"
    return f"{how}; filename=\"{plain}\"; filename*=UTF-8''{quote(found.name, safe='')}"
