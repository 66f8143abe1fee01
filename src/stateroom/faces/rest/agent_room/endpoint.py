"""The address `POST /api/room`. Raw ASGI: every listening agent comes here about once a second (floor 11)."""

from typing import Any

import msgspec

from stateroom.core.payloads import bad_text
from stateroom.core.refusals import Refusal
from stateroom.engine.access import Caller, Unauthorized
from stateroom.engine.engine import Engine
from stateroom.faces.asgi import (
    BodyTooLarge,
    Gone,
    Receive,
    Scope,
    Send,
    headers_of,
    read_body,
    send_bytes,
    while_connected,
)
from stateroom.faces.rest.agent_room import rooms
from stateroom.faces.rest.agent_room.actions import ACTIONS, CREATE, NOT_YET, Action
from stateroom.faces.rest.agent_room.asking import At, Door
from stateroom.faces.rest.agent_room.errors import UNAUTHORIZED, Answered, Malformed, of_malformed, of_refusal, of_store
from stateroom.log.seam import Unavailable
from stateroom.wire.links import Links

NO_STORE = (b"cache-control", b"no-store")
CORRECT_IT = "Correct it and send the request again; nothing has happened."


class Named(msgspec.Struct):
    """What tells actions apart."""

    action: str


_named = msgspec.json.Decoder(Named)
_anything = msgspec.json.Decoder()
_create = msgspec.json.Decoder(rooms.Create)
_encode = msgspec.json.Encoder().encode


class AgentRoomEndpoint:
    """The ASGI application behind `/api/room`."""

    def __init__(self, engine: Engine, links: Links) -> None:
        self._engine, self._links = engine, links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            found = await self._serve(scope, receive)
        except Unauthorized:
            await _fail(send, UNAUTHORIZED)
        except Malformed as problem:
            await _fail(send, of_malformed(problem))
        except Refusal as refusal:
            await _fail(send, of_refusal(refusal))
        except Unavailable as failure:
            await _fail(send, of_store(failure))
        else:
            if found is not None:
                await send_bytes(send, 200, found, [NO_STORE])

    async def _serve(self, scope: Scope, receive: Receive) -> bytes | None:
        """The answer; None if nobody waits for it any more."""
        if scope["method"] != "POST":
            raise Malformed("Actions are sent by POST.", CORRECT_IT, "method_not_allowed", 405)
        caller = self._engine.access.admit_guest(headers_of(scope).get("authorization", ""))
        raw = _checked(await _body(receive))
        name = _read(_named, raw).action
        if name == CREATE:
            return _encode(await self._create(caller, raw))
        action = _action(name)
        answering = self._answer(caller, action, _read(action.decoder, raw))
        return await while_connected(receive, answering) if action.waits else await answering

    async def _create(self, caller: Caller, raw: bytes) -> dict[str, Any]:
        if caller.guest:  # a room belongs to a team
            raise Unauthorized
        return await rooms.create(Door(self._engine, self._links, caller), _read(_create, raw))

    async def _answer(self, caller: Caller, action: Action, ask: Any) -> bytes:
        caller, card = await self._engine.find_by_code(caller, ask.code)
        return _encode(await action.run(At(self._engine, self._links, caller, card), ask))


def _action(name: str) -> Action:
    if name in ACTIONS:
        return ACTIONS[name]
    if name in NOT_YET:
        raise Malformed(f"The action {name} is not served here.", "Go on without it.", "action_not_served")
    known = ", ".join((CREATE, *ACTIONS))
    raise Malformed(f"There is no action {name[:80]!r}.", f"Use one of: {known}.", "unknown_action")


async def _body(receive: Receive) -> bytes:
    """Raises Malformed."""
    try:
        return await read_body(receive)
    except Gone:
        raise Malformed("The request ended before its body did.", CORRECT_IT, "gone") from None
    except BodyTooLarge as large:
        raise Malformed(str(large), "Split it into several requests, or upload it.", "too_large", 413) from None


def _checked(raw: bytes) -> bytes:
    """The body, if all of it is storable text, also in fields that nobody reads (L16). Raises Malformed."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        raise Malformed("The body is no UTF-8.", "Send JSON in UTF-8.", "bad_text") from None
    if b"\\u0000" in raw and (where := bad_text(_read(_anything, raw))) is not None:
        raise Malformed(f"{where} holds a NUL.", "Send text without NUL characters.", "bad_text")
    return raw


def _read(decoder: "msgspec.json.Decoder[Any]", raw: bytes) -> Any:
    """Raises Malformed for what is no JSON, lacks fields, or has fields of another type."""
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as wrong:
        raise Malformed(f"{wrong}.", CORRECT_IT) from None
    except (msgspec.DecodeError, RecursionError) as broken:
        raise Malformed(f"The body is no JSON: {broken}.", "Send a JSON object.", "bad_json") from None


async def _fail(send: Send, problem: Answered) -> None:
    await send_bytes(send, problem.status, _encode(problem.failure), [NO_STORE, *problem.headers])
