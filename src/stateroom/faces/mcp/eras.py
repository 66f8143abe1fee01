"""Which revision of MCP a request speaks, and what that asks of it.

The modern era (2026-07-28) carries everything in each request: `_meta` names version and capabilities, headers repeat
what a gateway needs to see, and the two must agree. The legacy era (2024-11-05 to 2025-11-25) shakes hands first.
"""

import base64
import binascii
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
LATEST_LEGACY = LEGACY[-1]
OLDER_ACCEPTED = ("2024-10-07",)
"""The reference server takes it too (protocol §3.1)."""
HEADERLESS = "2025-03-26"
"""What a request without a version header speaks."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION, SERVER_ERROR = -32020, -32021, -32022, -32000
STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
"""HTTP status of a JSON-RPC error in the modern era; anything else is 200, as all of them are in the legacy era."""
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Method -> the parameter that the Mcp-Name header repeats."""
ENCODED = re.compile(r"=\?base64\?(?P<payload>.*)\?=")


class RpcError(Exception):
    """A JSON-RPC error on its way to the client."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Outlet(Protocol):
    """A connection that takes notices while nothing is being asked."""

    def attach(self, name: str, frames: AsyncIterator[bytes]) -> None:
        """Write encoded notices as they come, until there are no more. A name has one source: a new one replaces it."""

    def detach(self, name: str) -> bool:
        """Write no more of these. Whether there was such a source."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Who is at the other end, as far as the protocol goes."""

    version: str
    named: bool
    """Whether it named a revision at all; one that did not is a program that posts single calls (decision 4)."""
    client: str = ""
    """What it says it is: the name in its own words, or its user agent."""
    outlet: Outlet | None = field(default=None, compare=False)

    @property
    def modern(self) -> bool:
        return self.version in MODERN


def modern_peer(method: str, params: Mapping[str, Any], headers: Mapping[str, str] | None) -> Peer:
    """The peer of a modern request, once it has everything it must have. `headers` is None on stdio.

    Raises RpcError: missing `_meta`, headers that disagree with the body, an unknown version, in this order.
    """
    meta = params.get("_meta")
    named = (headers or {}).get("mcp-protocol-version", MODERN[0])
    if named not in MODERN and (not isinstance(meta, dict) or VERSION_KEY not in meta):
        raise unsupported(named)
    if not isinstance(meta, dict) or VERSION_KEY not in meta or not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise RpcError(INVALID_PARAMS, f"params._meta must carry {VERSION_KEY} and {CAPABILITIES_KEY}, an object")
    version = meta[VERSION_KEY]
    if headers is not None:
        _agree(method, params, version, headers)
    if not isinstance(version, str):
        raise RpcError(INVALID_PARAMS, f"{VERSION_KEY} must be a string")
    if version not in MODERN:
        raise unsupported(version)
    return Peer(version, named=True, client=client_name(meta.get(CLIENT_KEY)) or (headers or {}).get("user-agent", ""))


def client_name(info: object) -> str:
    """What a `clientInfo` calls the client; empty if it does not."""
    return str(info.get("name") or "")[:100] if isinstance(info, dict) else ""


def _agree(method: str, params: Mapping[str, Any], version: object, headers: Mapping[str, str]) -> None:
    if headers.get("mcp-protocol-version") != version:
        raise RpcError(HEADER_MISMATCH, "MCP-Protocol-Version header does not match the version in params._meta")
    if headers.get("mcp-method") != method:
        raise RpcError(HEADER_MISMATCH, "Mcp-Method header does not match the request's method")
    key = NAMED_BY.get(method)
    if key and params.get(key) is not None and header_value(headers.get("mcp-name")) != params[key]:
        raise RpcError(HEADER_MISMATCH, f"Mcp-Name header does not match the request's {key}")


def unsupported(version: str) -> RpcError:
    data = {"supported": [*MODERN, *reversed(LEGACY)], "requested": version[:100]}
    return RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def header_value(value: str | None) -> str | None:
    """A routing header's value; the form `=?base64?…?=` decoded. None if it is absent or cannot be decoded."""
    match = ENCODED.fullmatch(value) if value is not None else None
    if match is None:
        return value
    try:
        decoded = base64.b64decode(match["payload"], validate=True)
        canonical = base64.b64encode(decoded).decode() == match["payload"]
        return decoded.decode() if canonical else None
    except (binascii.Error, UnicodeDecodeError):
        return None
