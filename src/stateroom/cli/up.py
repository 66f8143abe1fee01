"""`stateroom up`: the server."""

import asyncio
import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import msgspec
import uvicorn
import uvicorn.supervisors

from stateroom.cli.errors import CliError, spoken
from stateroom.cli.output import out
from stateroom.cli.reach import card_of, settings_of
from stateroom.engine.clock import system_clock
from stateroom.settings import Settings, SettingsError, read_port, store_path

FACTORY = "stateroom.app:app_from_env"


def up(*, host: str = "", port: str = "", store: str = "", workers: int = 1) -> None:
    """Start the server; stop it with Ctrl-C.

    Parameters
    ----------
    host
        Address to listen on (STATEROOM_HOST, 127.0.0.1). Other machines reach it only if keys are set.
    port
        Port to listen on (STATEROOM_PORT, 7373); 0 takes a free one.
    store
        Where rooms live (STATEROOM_STORE): sqlite:///PATH or memory://.
    workers
        Processes that serve, all on the same store.
    """
    settings = settings_of(store=store)
    with spoken(SettingsError):
        settings = replace(settings, host=host or settings.host, port=read_port(port) if port else settings.port)
        settings.check()
    if workers > 1 and store_path(settings.store) is None:
        raise CliError("Several workers need a store they can share: use --store sqlite:///PATH.")
    listener = _listen(settings)
    settings = replace(settings, port=listener.getsockname()[1])
    os.environ.update(_environment(settings))
    with _registered(settings):
        _serve(settings, listener, workers)


def _environment(settings: Settings) -> dict[str, str]:
    """What a worker process needs to know; keys are in its environment already."""
    return {
        "STATEROOM_HOST": settings.host,
        "STATEROOM_PORT": str(settings.port),
        "STATEROOM_STORE": settings.store,
    }


def _listen(settings: Settings) -> socket.socket:
    """Raises CliError: a port in use is said before anything is started."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Said outright, because asyncio turns off delays for small packets (40 ms each) only where the protocol is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(4096)
    except OSError as failure:
        listener.close()
        raise CliError(_why_not(settings, failure)) from failure
    listener.set_inheritable(True)
    return listener


def _why_not(settings: Settings, failure: OSError) -> str:
    where = f"{settings.host}:{settings.port}"
    if failure.errno != errno.EADDRINUSE:
        return f"Can not listen on {where}: {failure.strerror or failure}. Choose another --host or --port."
    if _is_ours(settings.base_url):
        return f"A Stateroom server already runs at {settings.base_url}. Use it, or choose another --port."
    other = f"stateroom up --port {settings.port + 1}"
    return f"Port {settings.port} is in use by another program. Choose another one: {other}"


def _is_ours(url: str) -> bool:
    try:
        return '"store":' in httpx2.get(f"{url}/health", timeout=1.0).text
    except httpx2.HTTPError:
        return False


@contextmanager
def _registered(settings: Settings) -> Iterator[None]:
    """Say beside the store's file that a server runs on it, so that other processes talk to it."""
    path = store_path(settings.store)
    card = card_of(path) if path else None
    try:
        if card is not None:
            _write_card(card, settings)
        yield
    finally:
        if card is not None and _is_mine(card):
            card.unlink(missing_ok=True)


def _write_card(card: Path, settings: Settings) -> None:
    try:
        card.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        described = {"url": settings.base_url, "pid": os.getpid(), "started_at": system_clock()}
        card.write_bytes(msgspec.json.encode(described))
    except OSError as failure:
        raise CliError(
            f"Can not write beside the store at {card}: {failure.strerror}. Choose another --store."
        ) from failure


def _is_mine(card: Path) -> bool:
    try:
        return bool(msgspec.json.decode(card.read_bytes()).get("pid") == os.getpid())
    except (OSError, msgspec.DecodeError):
        return False


def _serve(settings: Settings, listener: socket.socket, workers: int) -> None:
    config = uvicorn.Config(
        FACTORY,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=workers,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    if workers > 1:
        _welcome(settings, workers)
        uvicorn.supervisors.Multiprocess(config, sockets=[listener]).run()
        return
    server = _Server(config, settings)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[listener]))
    if not server.started:
        raise CliError("The server did not start; the line above says why. `stateroom doctor` checks everything.")


class _Server(uvicorn.Server):
    """Says how to reach it once it can be reached."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        super().__init__(config)
        self._settings = settings

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _welcome(self._settings, 1)


def _welcome(settings: Settings, workers: int) -> None:
    """Where the server is, and the two lines that connect agents. Keys stay in the environment."""
    url = settings.base_url
    keyed = bool(settings.api_keys)
    claude = ' --header "Authorization: Bearer $STATEROOM_API_KEY"' if keyed else ""
    codex = " --bearer-token-env-var STATEROOM_API_KEY" if keyed else ""
    out.print(f"Stateroom is running at [bold]{url}[/bold]" + (f" with {workers} workers" if workers > 1 else ""))
    out.print(f"  store        {settings.store}")
    out.print(f"  access       {'keys' if keyed else 'open, this machine only'}")
    out.print(f"  API          {url}/api/v1/openapi.json")
    out.print("Connect your agents:")
    out.print(f"  claude mcp add --transport http stateroom {url}/mcp{claude}", markup=False)
    out.print(f"  codex mcp add stateroom --url {url}/mcp{codex}", markup=False)
    out.print("Stop with Ctrl-C.")
