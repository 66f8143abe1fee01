"""`stateroom up`: the server."""

import asyncio
import os
import signal
import socket
import threading
from dataclasses import replace
from typing import Annotated

import uvicorn
import uvicorn.supervisors
from cyclopts import Parameter
from cyclopts.validators import Number

from stateroom.cli.card import Card, registered
from stateroom.cli.errors import CliError, spoken
from stateroom.cli.listener import listen, local_url
from stateroom.cli.logs import logging_config
from stateroom.cli.place import settings_of
from stateroom.cli.stored import opened
from stateroom.cli.welcome import Welcome
from stateroom.engine.clock import system_clock
from stateroom.settings import Settings, SettingsError, read_port, store_path

FACTORY = "stateroom.app:app_from_env"
STOP_S = 1
"""How long what still runs may go on once the server is told to stop. Whoever only waits is cut off."""


def up(
    *,
    host: str = "",
    port: str = "",
    store: str = "",
    workers: Annotated[int, Parameter(validator=Number(gte=1, lte=64))] = 1,
    json: bool = False,
) -> None:
    """Start the server; stop it with Ctrl-C.

    Parameters
    ----------
    host
        Address to listen on (STATEROOM_HOST, else 127.0.0.1). Other machines reach it only if keys are set.
    port
        Port to listen on (STATEROOM_PORT, else 7373); 0 takes a free one.
    store
        Where rooms live (STATEROOM_STORE, else a file in your data folder): sqlite:///PATH or memory://.
    workers
        Processes that serve, all on the same store.
    json
        Once ready, print where the server is as one JSON document on one line.
    """
    settings = _settings(host, port, store, workers)
    asyncio.run(_try_store(settings))
    listener = listen(settings)
    settings = replace(settings, port=listener.getsockname()[1])
    os.environ.update(_environment(settings))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that being told to end tidies up too
    try:
        with registered(store_path(settings.store), Card(local_url(settings), os.getpid(), system_clock())):
            _serve(settings, listener, workers, json)
    except KeyboardInterrupt:
        return  # the way a server ends


def _settings(host: str, port: str, store: str, workers: int) -> Settings:
    """Raises CliError."""
    settings = settings_of(store=store)
    with spoken(SettingsError):
        settings = replace(settings, host=host or settings.host, port=read_port(port) if port else settings.port)
        settings.check()
    if workers > 1 and store_path(settings.store) is None:
        raise CliError("Several workers need a store they can share: use --store sqlite:///PATH.")
    return settings


async def _try_store(settings: Settings) -> None:
    """Make or migrate the store while its failures are still one sentence, and no worker races another."""
    async with opened(settings.store, must_exist=False):
        pass


def _environment(settings: Settings) -> dict[str, str]:
    """What a worker process needs to know; keys are in its environment already."""
    return {
        "STATEROOM_HOST": settings.host,
        "STATEROOM_PORT": str(settings.port),
        "STATEROOM_STORE": settings.store,
    }


def _serve(settings: Settings, listener: socket.socket, workers: int, json: bool) -> None:
    config = uvicorn.Config(
        FACTORY,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=workers,
        log_config=logging_config(),
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=STOP_S,
    )
    welcome = Welcome(settings, workers, json)
    started = _serve_many(config, listener, welcome) if workers > 1 else _serve_alone(config, listener, welcome)
    if not started:
        raise CliError("The server did not start; the line above says why. `stateroom doctor` checks everything.")


def _serve_alone(config: uvicorn.Config, listener: socket.socket, welcome: Welcome) -> bool:
    server = _Server(config, welcome)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[listener]))
    return server.started


def _serve_many(config: uvicorn.Config, listener: socket.socket, welcome: Welcome) -> bool:
    supervisor = uvicorn.supervisors.Multiprocess(config, sockets=[listener])
    looking = threading.Thread(target=welcome.say_when_answering, args=[supervisor.should_exit], daemon=True)
    looking.start()
    supervisor.run()
    looking.join()
    return welcome.said


class _Server(uvicorn.Server):
    """Says how to reach it once it can be reached."""

    def __init__(self, config: uvicorn.Config, welcome: Welcome) -> None:
        super().__init__(config)
        self._welcome = welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._welcome.say()
