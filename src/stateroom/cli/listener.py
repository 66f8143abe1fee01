"""The socket a server listens on, taken before anything else is started, so that a port in use is said at once."""

import errno
import socket

from stateroom.cli.card import is_stateroom
from stateroom.cli.errors import CliError
from stateroom.settings import DEFAULT_PORT, Settings

BACKLOG = 4096


class AlreadyServed(CliError):
    """The port is in use, by Stateroom."""


def listen(settings: Settings) -> socket.socket:
    """Raises CliError."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Said outright, because asyncio turns off delays for small packets (40 ms each) only where the protocol is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as failure:
        listener.close()
        raise _why_not(settings, failure) from failure
    listener.set_inheritable(True)
    return listener


def _why_not(settings: Settings, failure: OSError) -> CliError:
    if failure.errno != errno.EADDRINUSE:
        where = f"{settings.host}:{settings.port}"
        return CliError(f"Can not listen on {where}: {failure.strerror or failure}. Choose another --host or --port.")
    url = local_url(settings)
    if is_stateroom(url):
        return AlreadyServed(f"A Stateroom server already runs at {url}. Use it, or choose another --port.")
    other = f"stateroom up --port {settings.port + 1 if settings.port < 65535 else DEFAULT_PORT}"
    return CliError(f"Port {settings.port} is in use by another program. Choose another one: {other}")


def local_url(settings: Settings) -> str:
    """Where processes on this machine reach the server, whatever it is called from outside."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
