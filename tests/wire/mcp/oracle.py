"""Requests whose outcome the official SDK's server and ours are compared by, and where we differ on purpose."""

import base64
from typing import Any

from tests.wire.mcp.raw import BOTH, LEGACY, META, MODERN, NAMED_BY

Request = tuple[Any, dict[str, str]]
"""Body and headers."""
VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
FUTURE = "2027-01-01"
ENCODED = base64.b64encode(b"list_rooms").decode()


def modern(
    method: str, meta: Any = META, without: str = "", headers: dict[str, str] | None = None, **params: Any
) -> Request:
    """A request of the newest revision, whole but for what is said."""
    whole = {**BOTH, "mcp-protocol-version": MODERN, "mcp-method": method}
    if (name := params.get(NAMED_BY.get(method, ""))) is not None:
        whole["mcp-name"] = name
    whole.pop(without, None)
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, **params}}
    return body, {**whole, **(headers or {})}


def legacy(method: str, version: str = LEGACY[-1], **params: Any) -> Request:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return body, {**BOTH, **({"mcp-protocol-version": version} if version else {})}


def listing(**meta: Any) -> Request:
    return modern("tools/list", meta)


def call(**more: Any) -> Request:
    return modern("tools/call", name="list_rooms", arguments={}, **more)


def plain(body: Any) -> Request:
    return {"jsonrpc": "2.0", **body} if isinstance(body, dict) else body, BOTH


HANDLED = ("tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover")
GONE = (
    "ping",
    "initialize",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "tasks/get",
    "no/such",
)
CASES: dict[str, Request] = {
    **{f"modern {method}": modern(method) for method in (*HANDLED, *GONE)},
    **{f"legacy {method}": legacy(method) for method in ("tools/list", "ping", "server/discover", "no/such")},
    "a legacy listen": legacy("subscriptions/listen"),
    "a whole call": call(),
    "no name header": call(without="mcp-name"),
    "another name header": call(headers={"mcp-name": "other"}),
    "an empty name header": call(headers={"mcp-name": ""}),
    "a name header in another case": call(headers={"mcp-name": "LIST_ROOMS"}),
    "an encoded name": call(headers={"mcp-name": f"=?base64?{ENCODED}?="}),
    "a name encoded with a marker in upper case": call(headers={"mcp-name": f"=?BASE64?{ENCODED}?="}),
    "a name encoded without padding": call(headers={"mcp-name": f"=?base64?{ENCODED.rstrip('=')}?="}),
    "a name encoded badly": call(headers={"mcp-name": "=?base64?!!!?="}),
    "no method header": modern("tools/list", without="mcp-method"),
    "a method header of another method": modern("tools/list", headers={"mcp-method": "prompts/list"}),
    "a method header in another case": modern("tools/list", headers={"mcp-method": "TOOLS/LIST"}),
    "params of null": ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None}, listing()[1]),
    "no params": ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, listing()[1]),
    "legacy params of null": plain({"id": 1, "method": "tools/list", "params": None}),
    "an empty _meta": listing(),
    "_meta that is a text": modern("tools/list", "odd"),
    "_meta without a version": listing(**{CAPABILITIES: {}}),
    "_meta without capabilities": listing(**{VERSION: MODERN}),
    "capabilities that are a text": listing(**{**META, CAPABILITIES: "odd"}),
    "capabilities of null": listing(**{**META, CAPABILITIES: None}),
    "no client info": listing(**{VERSION: MODERN, CAPABILITIES: {}}),
    "a version that is a number": listing(**{**META, VERSION: 5}),
    "a legacy version in _meta": listing(**{**META, VERSION: LEGACY[-1]}),
    "a future version": modern("tools/list", {**META, VERSION: FUTURE}, headers={"mcp-protocol-version": FUTURE}),
    "legacy _meta under a legacy header": legacy("tools/list", _meta={VERSION: LEGACY[-1]}),
    "a read without a name header": modern("resources/read", without="mcp-name", uri="test://b"),
    "a read of nothing known": modern("resources/read", uri="test://b"),
    "a legacy read of nothing known": legacy("resources/read", uri="test://b"),
    "a call without a name": modern("tools/call"),
    "a listen without kinds": modern("subscriptions/listen"),
    "a modern body that is no message": ({"id": 1, "method": "ping"}, listing()[1]),
    "an id of text": plain({"id": "x", "method": "ping"}),
    "a member nobody knows": plain({"id": 1, "method": "ping", "more": 1}),
    "a notice": plain({"method": "notifications/initialized"}),
    "a modern notice": (
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        listing()[1],
    ),
    "an answer": plain({"id": 1, "result": {}}),
    "a future initialize": legacy(
        "initialize", "", protocolVersion=FUTURE, capabilities={}, clientInfo={"name": "x", "version": "1"}
    ),
}
Expected = tuple[int, int | None]
OURS: dict[str, tuple[Request, Expected, str]] = {
    "no version header": (
        modern("tools/list", without="mcp-protocol-version"),
        (400, -32020),
        "the header must be there and agree; the SDK goes by the body",
    ),
    "a legacy version header": (legacy("tools/list", _meta=META), (400, -32020), "two readers would disagree"),
    "a future version in the header alone": (
        modern("tools/list", {}, headers={"mcp-protocol-version": FUTURE}),
        (400, -32022),
        "the client is told what is served",
    ),
    "an unknown tool": (
        modern("tools/call", name="nope"),
        (400, -32602),
        "an error of the protocol (mcp-and-clients, section 3); the SDK answers with a result",
    ),
    "an unknown prompt": (modern("prompts/get", name="nope"), (400, -32602), "the SDK answers with an internal error"),
    "a batch of one": (plain([legacy("ping")[0]]), (200, None), "as the reference server does (protocol, §3.1)"),
    "an odd accept": (modern("tools/list", headers={"accept": "text/html"}), (200, None), "any will do (W-63)"),
}
"""Name -> request, what we answer (status, code), and why we differ."""
