"""One HTTP client set up for one server, and its failures in this package's words."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec

from stateroom.client.problems import Problem, Unreachable, masked

T = TypeVar("T")
Query = dict[str, str | int]
TIMEOUT_S = 10.0
KEPT_S = 2.0
"""Below the five seconds after which the server closes an idle connection, so that none is used while it closes."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def make_http(url: str, key: str, **more: Any) -> httpx2.AsyncClient:
    """An HTTP client for a server. Raises Unreachable for what is no URL of one.

    Certificates are loaded only for https, because that takes a tenth of a second. A proxy is never asked for this
    very machine, whatever the environment says.
    """
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable(url, "it should look like http://127.0.0.1:7373")
        return httpx2.AsyncClient(
            base_url=url,
            headers={**headers, **more.pop("headers", {})},
            limits=httpx2.Limits(max_connections=None, keepalive_expiry=KEPT_S),
            verify=parts.scheme == "https",
            trust_env=parts.hostname not in LOOPBACK,
            **more,
        )
    except (ValueError, httpx2.InvalidURL) as wrong:
        raise Unreachable(url, f"{wrong}: it should look like http://127.0.0.1:7373") from wrong


class Connection:
    """Sends requests; raises Problem when the server says no, Unreachable when nobody answers."""

    def __init__(self, url: str, key: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self.url = url
        self.reached = False
        """Whether the server has ever answered."""
        self._http = make_http(url, key, transport=transport)

    async def close(self) -> None:
        await self._http.aclose()

    async def get(
        self,
        path: str,
        answer: type[T],
        query: Query | None = None,
        *,
        wait_ms: int = 0,
        even_if_unwell: bool = False,
    ) -> T:
        """`wait_ms`: how long the server was asked to wait. `even_if_unwell`: take a 503 for an answer too."""
        heard = await self._send("GET", path, wait_ms, params=query)
        if heard.is_error and not (even_if_unwell and heard.status_code == httpx2.codes.SERVICE_UNAVAILABLE):
            raise problem(heard)
        return self._decoded(heard, answer)

    async def post(self, path: str, answer: type[T], body: Any, *, wait_ms: int = 0) -> T:
        heard = await self._send("POST", path, wait_ms, json=body)
        if heard.is_error:
            raise problem(heard)
        return self._decoded(heard, answer)

    async def put(self, path: str, answer: type[T], body: Any) -> T:
        heard = await self._send("PUT", path, 0, json=body)
        if heard.is_error:
            raise problem(heard)
        return self._decoded(heard, answer)

    async def delete(self, path: str, answer: type[T]) -> T:
        heard = await self._send("DELETE", path, 0)
        if heard.is_error:
            raise problem(heard)
        return self._decoded(heard, answer)

    async def _send(self, method: str, path: str, wait_ms: int, **what: Any) -> httpx2.Response:
        try:
            heard = await self._http.request(method, path, timeout=TIMEOUT_S + wait_ms / 1000, **what)
        except httpx2.TransportError as broken:
            raise Unreachable(self.url, reason(broken)) from broken
        self.reached = True
        return heard

    def _decoded(self, heard: httpx2.Response, answer: type[T]) -> T:
        try:
            return msgspec.json.decode(heard.content, type=answer)
        except msgspec.DecodeError as wrong:
            raise Problem(
                "bad_answer", f"{masked(self.url)} answered something else than Stateroom would: {wrong}"
            ) from wrong

    @asynccontextmanager
    async def stream(self, path: str, headers: dict[str, str], silence_s: float) -> AsyncIterator[AsyncIterator[bytes]]:
        """The chunks of a long answer. They end where the connection does, however that comes about."""
        timeout = httpx2.Timeout(TIMEOUT_S, read=silence_s)
        try:
            request = self._http.build_request("GET", path, headers=headers, timeout=timeout)
            heard = await self._http.send(request, stream=True)
        except httpx2.TransportError as broken:
            raise Unreachable(self.url, reason(broken)) from broken
        self.reached = True
        try:
            if heard.is_error:
                await heard.aread()
                raise problem(heard)
            yield _until_cut(heard)
        finally:
            await heard.aclose()


async def _until_cut(heard: httpx2.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in heard.aiter_bytes():
            yield chunk
    except httpx2.TransportError:
        return


def reason(broken: Exception) -> str:
    return str(broken) or type(broken).__name__


def problem(heard: httpx2.Response) -> Problem:
    """The server's own words; the status if they are none of ours."""
    status = heard.status_code
    try:
        said = msgspec.json.decode(heard.content)
    except msgspec.DecodeError:
        said = None
    error = said.get("error") if isinstance(said, dict) else None
    if isinstance(error, dict):
        code, message, hint = (str(error.get(name, "")) for name in ("code", "message", "hint"))
        return Problem(code, message, hint, status)
    if status == httpx2.codes.UNAUTHORIZED:
        return Problem("unauthorized", "The server wants a key it knows.", "Set STATEROOM_API_KEY.", status)
    return Problem("http_error", str(error or f"The server answered HTTP {status}."), "", status)
