"""The commands people type. Each is a module of its own, imported only when it runs."""

import sys

from cyclopts import App

from stateroom import __version__
from stateroom.cli.errors import CliError

app = App(
    name="stateroom",
    help="One room for many coding agents and the people who run them.",
    version=__version__,
    help_format="plaintext",
)
for _name, _summary in {
    "up": "Start the server.",
    "mcp": "Serve MCP on stdin and stdout.",
    "demo": "Play a handoff between two agents, for real.",
    "rooms": "List the rooms.",
    "tail": "Show a room's events, and follow them.",
    "export": "Write everything in a room as JSON lines.",
    "copy": "Copy rooms from one store to another.",
    "doctor": "Check settings, store and server, and say what to do.",
}.items():
    app.command(f"stateroom.cli.{_name}:{_name}", name=_name, help=_summary)


def main() -> None:
    """Run the command line. Foreseeable failures end with a sentence and status 1, never with a traceback."""
    try:
        app()
    except CliError as error:
        print(f"stateroom: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)  # the reader of our output has seen enough
