"""The commands people type. Each is a module of its own, imported only when it runs."""

import os
import sys
from collections.abc import Sequence

from cyclopts import App, Parameter

from stateroom import __version__
from stateroom.cli.errors import CliError

COMMANDS = {
    "up": "Start the server; stop it with Ctrl-C.",
    "mcp": "Serve MCP on stdin and stdout.\n\nTalks to the server that is named, or that already runs on the store; "
    "else opens the store itself. Nothing but JSON-RPC is written to stdout.",
    "demo": "Play a handoff between two agents, for real.\n\nContract, change request, version 1.1: two processes, "
    "nobody in between. Ends with status 0 if the room's log shows that all of it happened.",
    "rooms": "List the rooms.\n\nThose of a server, or of a store on which none runs.",
    "tail": "Show a room's last events, and follow what happens next.",
    "export": "Write everything in a room as JSON lines.\n\nA header, then one line for each entry of its log, with "
    "the body as it is stored.",
    "copy": "Copy rooms from one store to another.\n\nWith their codes and every member's place in them. A room that "
    "exists at the destination is only ever continued, never overwritten: what it holds must be the beginning of the "
    "source's. So a copy that was interrupted, or whose source has moved on, can be run again.",
    "doctor": "Check versions, settings, store and server, and say what to do.\n\nReads every entry of every room. "
    "Ends with status 1 if something is wrong.",
}
"""What each does, said here because the modules are not imported to list them."""

app = App(
    name="stateroom",
    help="One room for many coding agents and the people who run them.",
    version=f"stateroom {__version__}",
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
)
for _name, _text in COMMANDS.items():
    app.command(f"stateroom.cli.{_name}:{_name}", name=_name, help=_text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. Foreseeable failures end with a sentence and status 1, never with a traceback."""
    try:
        app(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except CliError as error:
        print(f"stateroom: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
