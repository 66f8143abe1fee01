"""Servers in processes of their own, for load from this one."""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Served:
    port: int
    pid: int
    ready_s: float
    """From starting the process to its first healthy answer."""

    def rss_mb(self) -> float:
        """Resident memory, in MiB."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def stateroom_server() -> Iterator[Served]:
    store = Path(tempfile.mkdtemp(prefix="stateroom-bench-")) / "rooms.db"
    port = free_port()
    command = ["-m", "stateroom", "up", "--port", str(port), "--store", f"sqlite:///{store}"]
    with _process(command, port, "/health") as served:
        yield served


@contextmanager
def sdk_server() -> Iterator[Served]:
    store = Path(tempfile.mkdtemp(prefix="stateroom-bench-")) / "rooms.db"
    port = free_port()
    with _process(["-m", "bench.sdk_server", str(port), str(store)], port, "/mcp") as served:
        yield served


@contextmanager
def _process(arguments: list[str], port: int, path: str) -> Iterator[Served]:
    began = time.perf_counter()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STATEROOM_")}
    process = subprocess.Popen([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}{path}", process)
        yield Served(port, process.pid, time.perf_counter() - began)
    finally:
        process.kill()
        process.wait()


def _wait(url: str, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=1)  # noqa: S310 (loopback)
            return
        except urllib.error.HTTPError:
            return  # it answers, if only to say that this is no way to ask
        except OSError:
            time.sleep(0.005)
    raise SystemExit(f"{url} does not answer")


async def first_stdio_answer() -> float:
    """Seconds from starting `stateroom mcp` to its answer to the first message."""
    store = Path(tempfile.mkdtemp(prefix="stateroom-bench-")) / "rooms.db"
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "stateroom", "mcp", "--store", f"sqlite:///{store}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        b'"clientInfo":{"name":"bench","version":"1"}}}\n'
    )
    await process.stdout.readline()
    took = time.perf_counter() - began
    process.stdin.close()
    await process.wait()
    return took
