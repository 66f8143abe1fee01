"""The dispatcher: one JSON-RPC request in, one result out, whatever the transport and the era.

It knows the protocol and nothing of rooms; tools, resources and prompts come from the `Application`.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from stateroom.core.refusals import Refusal
from stateroom.engine.clock import fresh_id
from stateroom.faces.mcp import results
from stateroom.faces.mcp.app_hooks import Application
from stateroom.faces.mcp.arguments import BadArguments, decode
from stateroom.faces.mcp.eras import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    LATEST_LEGACY,
    LEGACY,
    METHOD_NOT_FOUND,
    MODERN,
    OLDER_ACCEPTED,
    SERVER_ERROR,
    SERVER_KEY,
    Peer,
    RpcError,
)
from stateroom.faces.mcp.messages import error_response, notification, read_message, response
from stateroom.faces.mcp.tools import Tool
from stateroom.log.seam import Unavailable

__all__ = ["Ask", "Server", "error_response", "notification", "read_message", "response"]

LIST_TTL_MS = 300_000
log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class Ask:
    """One request with everything known about it."""

    __slots__ = ("caller", "method", "params", "peer", "profile")

    def __init__(self, method: str, params: dict[str, Any], peer: Peer, caller: Any, profile: str) -> None:
        self.method, self.params, self.peer, self.caller, self.profile = method, params, peer, caller, profile


class _Boundary:
    """Around whatever the application does: what goes wrong in there leaves as a JSON-RPC error.

    Its no's are said as they are. This is also the one place where a fault nobody foresaw becomes an answer: the log
    has it under an id, the client gets the id and never the exception's text.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if fault is None or isinstance(fault, RpcError) or not isinstance(fault, Exception):
            return
        if isinstance(fault, Refusal):
            raise told(fault) from None
        if isinstance(fault, Unavailable):
            raise RpcError(SERVER_ERROR, str(fault), {"code": "store_unavailable"}) from None
        id = fresh_id()
        log.error("internal error %s", id, exc_info=fault)
        raise RpcError(INTERNAL_ERROR, f"Internal error. The server's log has it as {id}.", {"id": id}) from None


def told(refusal: Refusal, **more: str) -> RpcError:
    """A no of the application's where there is no tool result to say it in."""
    sentences = (str(refusal).rstrip(".") + ".", refusal.next_step())
    return RpcError(INVALID_PARAMS, " ".join(filter(None, sentences)), {"code": refusal.code, **more})


_boundary = _Boundary()


class Server:
    """Answers requests of every era."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self._modern_tail = b',"resultType":"complete","_meta":' + _encode({SERVER_KEY: dict(app.info)})
        self._modern_lists = b',"ttlMs":%d,"cacheScope":"private"' % LIST_TTL_MS
        self._both: dict[str, Callable[[Ask], Awaitable[bytes]]] = {
            "tools/list": self._list_tools,
            "tools/call": self._call,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read_resource,
            "prompts/list": self._list_prompts,
            "prompts/get": self._get_prompt,
        }
        self._modern = {**self._both, "server/discover": self._discover}
        self._legacy = {
            **self._both,
            "initialize": self._initialize,
            "ping": self._nothing,
            "logging/setLevel": self._nothing,
        }

    async def answer(self, ask: Ask) -> bytes:
        """The result of a request, encoded. Raises RpcError."""
        methods = self._modern if ask.peer.modern else self._legacy
        handler = methods.get(ask.method)
        if handler is None:
            raise RpcError(METHOD_NOT_FOUND, "Method not found")
        with _boundary:
            return await handler(ask)

    def waits(self, ask: Ask) -> bool:
        """Whether the answer may take seconds."""
        tool = self.app.registry.find(ask.params.get("name", "")) if ask.method == "tools/call" else None
        return tool is not None and tool.waits

    def _complete(self, ask: Ask, members: bytes, *, listing: bool = False) -> bytes:
        """A result object from its own members, with what the era adds."""
        if not ask.peer.modern:
            return b"{" + members + b"}"
        tail = self._modern_tail + (self._modern_lists if listing else b"")
        return b"{" + (members + tail if members else tail[1:]) + b"}"

    async def _nothing(self, ask: Ask) -> bytes:
        return self._complete(ask, b"")

    async def _initialize(self, ask: Ask) -> bytes:
        wanted = ask.params.get("protocolVersion")
        version = wanted if wanted in (*LEGACY, *OLDER_ACCEPTED) else LATEST_LEGACY
        described = {
            "protocolVersion": version,
            "capabilities": {"tools": {"listChanged": False}, "resources": {}, "prompts": {}, "logging": {}},
            "serverInfo": dict(self.app.info),
            "instructions": self.app.instructions,
        }
        return _encode(described)

    async def _discover(self, ask: Ask) -> bytes:
        capabilities = {"tools": {}, "resources": {"subscribe": True}, "prompts": {}}
        members = (
            b'"supportedVersions":'
            + _encode([*MODERN, *reversed(LEGACY)])
            + b',"capabilities":'
            + _encode(capabilities)
        )
        return self._complete(ask, members + b',"instructions":' + _encode(self.app.instructions), listing=True)

    async def _list_tools(self, ask: Ask) -> bytes:
        given = tuple(sorted(self.app.given(ask.caller)))
        return self._complete(ask, b'"tools":' + self.app.registry.listing(ask.profile, given), listing=True)

    async def _call(self, ask: Ask) -> bytes:
        name = ask.params.get("name")
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, "tools/call needs params.name")
        tool = self.app.registry.find(name)
        if tool is None:
            if ask.peer.modern:
                raise RpcError(INVALID_PARAMS, f"Unknown tool: {name[:100]}")
            return self._complete(ask, results.unknown_tool(name))
        return self._complete(ask, await self._run(tool, ask))

    async def _run(self, tool: Tool, ask: Ask) -> bytes:
        raw = ask.params.get("arguments") or b""
        try:
            arguments = decode(tool, bytes(raw), self.app.given(ask.caller))
            return results.success(await tool.run(self.app.desk(ask.caller, ask.peer), arguments))
        except BadArguments as problem:
            return results.bad_arguments(problem)
        except Refusal as refusal:
            return results.refused(refusal, self.app.texts)
        except Unavailable as failure:
            return results.unavailable(failure)

    async def _list_resources(self, ask: Ask) -> bytes:
        found = await self.app.resources(ask.caller)
        return self._complete(ask, b'"resources":' + _encode(found), listing=True)

    async def _list_templates(self, ask: Ask) -> bytes:
        return self._complete(ask, b'"resourceTemplates":' + _encode(self.app.templates()), listing=True)

    async def _read_resource(self, ask: Ask) -> bytes:
        uri = _needed(ask, "uri")
        try:
            members = b'"contents":' + _encode([await self.app.read(ask.caller, uri)])
        except Refusal as refusal:
            raise told(refusal, uri=uri) from None
        if ask.peer.modern:  # what a room says now is stale at once, and only this caller's
            members += b',"ttlMs":0,"cacheScope":"private"'
        return self._complete(ask, members)

    async def _list_prompts(self, ask: Ask) -> bytes:
        return self._complete(ask, b'"prompts":' + _encode(self.app.prompts()), listing=True)

    async def _get_prompt(self, ask: Ask) -> bytes:
        raw = ask.params.get("arguments") or b"{}"
        try:
            arguments = msgspec.json.decode(bytes(raw), type=dict[str, Any])
        except msgspec.DecodeError as wrong:
            raise RpcError(INVALID_PARAMS, f"arguments: {wrong}") from None
        prompt = self.app.prompt(_needed(ask, "name"), arguments)
        if prompt is None:
            raise RpcError(INVALID_PARAMS, "Unknown prompt; prompts/list names them")
        return self._complete(ask, _encode(prompt)[1:-1])

    async def moves(self, ask: Ask) -> tuple[list[str], AsyncIterator[list[str]]]:
        """The subscribed URIs, and which of them move. Raises RpcError: a stranger learns nothing, not even when."""
        wanted = ask.params.get("notifications")
        if not isinstance(wanted, dict):
            raise RpcError(INVALID_PARAMS, "subscriptions/listen needs params.notifications")
        uris = wanted.get("resourceSubscriptions") or []
        if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris) or len(uris) > 100:
            raise RpcError(INVALID_PARAMS, "resourceSubscriptions must be a list of at most 100 URIs")
        with _boundary:
            return uris, _watched(await self.app.moves(ask.caller, uris))


async def _watched(moves: AsyncIterator[list[str]]) -> AsyncIterator[list[str]]:
    with _boundary:
        async for moved in moves:
            yield moved


def _needed(ask: Ask, name: str) -> str:
    value = ask.params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"{ask.method} needs params.{name}")
    return value
