"""Frames out of a stream of server-sent events.

Lines end at newlines and nowhere else: the JSON in them may well hold U+2028 or U+0085, at which readers of text
(httpx2's `aiter_lines` among them) would cut it in two.
"""

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    id: str
    """The stream's place after this frame, for `Last-Event-ID`; empty if it has named none yet."""
    data: bytes


async def frames(chunks: AsyncIterable[bytes]) -> AsyncIterator[Frame]:
    """The frames that carry data; comments and whatever else is only there to keep the connection are skipped."""
    id, data = "", b""
    async for line in _lines(chunks):
        name, _, value = line.partition(b":")
        if not line and data:
            yield Frame(id, data)
            data = b""
        elif name == b"data":
            data += value.removeprefix(b" ")
        elif name == b"id":
            id = value.strip().decode()


async def _lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in chunks:
        *complete, rest = (rest + chunk).split(b"\n")
        for line in complete:
            yield line.removesuffix(b"\r")
