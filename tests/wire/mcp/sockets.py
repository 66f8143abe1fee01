"""HTTP by hand on a TCP connection: what no client library would send."""

import asyncio
from collections.abc import Iterable
from urllib.parse import urlsplit

DEADLINE_S = 20.0


async def spoken(url: str, headers: Iterable[str], pieces: Iterable[bytes]) -> tuple[int, bytes]:
    """POST in pieces, each a write of its own; (status, body). Header lines are sent as they are."""
    address = urlsplit(url)
    pieces = list(pieces)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        lines = [f"POST {address.path}?{address.query} HTTP/1.1", f"host: {address.netloc}", "connection: close"]
        lines += [f"content-length: {sum(map(len, pieces))}", *headers]
        for piece in ("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n", *pieces):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)  # noqa: TID251 (a turn of the loop: the server reads what is there)
        async with asyncio.timeout(DEADLINE_S):
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    return int(head.split()[1]), body
