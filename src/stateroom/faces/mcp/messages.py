"""JSON-RPC messages: bytes to what they ask, and answers to bytes. Knows nothing of what a method means."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from stateroom.core.payloads import bad_text
from stateroom.faces.mcp.eras import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RpcError

_encode = msgspec.json.Encoder().encode


class Message(Struct):
    """A JSON-RPC message as it comes in; parameters stay bytes until somebody needs them."""

    jsonrpc: str
    method: str | UnsetType = UNSET
    id: str | int | float | UnsetType | None = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET

    def arguments(self) -> dict[str, Any]:
        """The parameters, shallow: values stay bytes except `_meta`, `name`, `uri`. Raises RpcError."""
        if isinstance(self.params, UnsetType) or bytes(self.params) == b"null":  # some clients write out what is absent
            return {}
        try:
            params = _params.decode(self.params)
        except msgspec.ValidationError as wrong:
            raise RpcError(INVALID_PARAMS, f"params: {wrong}") from None
        except (msgspec.DecodeError, RecursionError) as broken:
            raise RpcError(INVALID_REQUEST, f"params: {broken}") from None
        return {key: value for key, value in msgspec.structs.asdict(params).items() if value is not UNSET} | (
            {"_meta": params.meta} if params.meta is not UNSET else {}
        )


class _Params(Struct):
    """Every parameter any method takes; what is not listed is ignored."""

    meta: Any = msgspec.field(name="_meta", default=UNSET)
    name: str | UnsetType = UNSET
    uri: str | UnsetType = UNSET
    arguments: Raw | UnsetType = UNSET
    cursor: Any = UNSET
    level: Any = UNSET
    requestId: Any = UNSET
    protocolVersion: Any = UNSET
    clientInfo: Any = UNSET
    notifications: Any = UNSET


_params = msgspec.json.Decoder(_Params)
_messages = msgspec.json.Decoder(Message)


def read_message(body: bytes) -> Message:
    """Raises msgspec.ValidationError for JSON that is no JSON-RPC, msgspec.DecodeError for what is no JSON."""
    message = _messages.decode(body)
    if not body.isascii():
        _check_utf8(body)
    named = not isinstance(message.method, UnsetType)
    if message.jsonrpc != "2.0" or message.id is (None if named else UNSET):
        raise msgspec.ValidationError("no JSON-RPC 2.0 message")
    return message


def _check_utf8(body: bytes) -> None:
    """Parameters stay bytes for now, so their encoding is looked at here: broken text is never altered (L16)."""
    try:
        body.decode()
    except UnicodeDecodeError as broken:
        raise msgspec.DecodeError(str(broken)) from None


def unreadable(body: bytes) -> tuple[object, RpcError]:
    """Whom to answer, and what, for a body that is no JSON.

    A lone surrogate is what a program makes of text it has cut: a more forgiving decoder tells where it is.
    """
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        sent = None
    where = bad_text(sent) if isinstance(sent, dict) else None
    if where is None:
        return None, RpcError(PARSE_ERROR, "Parse error: Invalid JSON")
    id = sent.get("id")
    known = isinstance(id, str | int) and not isinstance(id, bool) and bad_text(id) is None
    said = f"Parse error: Invalid JSON: NUL or lone surrogate in the text at {where}"
    return id if known else None, RpcError(PARSE_ERROR, said)


def response(id: object, result: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":' + _encode(id) + b',"result":' + result + b"}"


def error_response(id: object, error: RpcError) -> bytes:
    described = {"code": error.code, "message": error.message, **({"data": error.data} if error.data else {})}
    return b'{"jsonrpc":"2.0","id":' + _encode(id) + b',"error":' + _encode(described) + b"}"


def notification(method: str, params: Mapping[str, Any]) -> bytes:
    return _encode({"jsonrpc": "2.0", "method": method, "params": params})
