"""What every HTTP request passes first: a name for it, and, on an open server, a look at where it comes from.

An open server trusts whoever can reach loopback, and a web page in a browser can. So a request that names another
origin, or reaches us under a name that is not this machine's (DNS rebinding), is refused.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

from stateroom.faces.asgi import App, Receive, Scope, Send, send_bytes
from stateroom.wire.problems import HttpProblem

REQUEST_ID_CHARS = 128
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


class Guard:
    """Wraps the application. `public_hosts` are names it may be reached under besides loopback's."""

    def __init__(self, app: App, *, is_open: bool, public_hosts: tuple[str, ...], fresh_id: Callable[[], str]) -> None:
        self._app, self._is_open, self._fresh_id = app, is_open, fresh_id
        self._hosts = (*LOCAL_HOSTS, *public_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        named = self._naming(headers, send)
        host, origin = headers.get(b"host", b"").decode("latin-1"), headers.get(b"origin")
        if origin is not None and not self._same_origin(origin.decode("latin-1"), host):
            await _refuse(named, "foreign_origin", "This origin may not use the server.")
        elif self._is_open and host and _host_name(host) not in self._hosts:
            await _refuse(named, "foreign_host", "The server may not be reached under this name.")
        else:
            await self._app(scope, receive, named)

    def _same_origin(self, origin: str, host: str) -> bool:
        """Same host and port as the request, or a page of this very machine's server."""
        netloc = origin.partition("://")[2]
        return netloc == host != "" or _host_name(netloc) in self._hosts

    def _naming(self, headers: dict[bytes, bytes], send: Send) -> Send:
        """Answers carry the request's own id, or a fresh one."""
        given = headers.get(b"x-request-id", b"").strip()
        name = given if 0 < len(given) <= REQUEST_ID_CHARS else self._fresh_id().encode()

        async def naming(event: Scope) -> None:
            if event["type"] == "http.response.start":
                event["headers"] = [*event.get("headers", ()), (b"x-request-id", name)]
            await send(event)

        return naming


def _host_name(netloc: str) -> str:
    """Without the port and the brackets; empty for what is no name of a host."""
    try:
        return (urlsplit(f"//{netloc}").hostname or "").lower()
    except ValueError:
        return ""


async def _refuse(send: Send, code: str, sentence: str) -> None:
    problem = HttpProblem(403, code, sentence, "Use the address it was started with, and no page of another site.")
    await send_bytes(send, problem.status, problem.encoded())
