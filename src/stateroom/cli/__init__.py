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
    "demo": "Play a handoff and a conversation between two agents, for real.\n\nContract, change request, version 1.1, "
    "then a decision in a room to talk in, then a task that the other verifies: two processes, nobody in between. "
    "Ends with status 0 if the rooms' logs "
    "show that all of it happened.",
    "create-room": "Create a room to talk in.\n\nPrints its code, the page where people look, the line to paste into "
    "an agent, and once the key that proves you are its host.",
    "listen": "Show what is said in a room, and follow it.\n\nUntil the room ends (status 0) or Ctrl-C (status 130); "
    "also across a restart of the server. Times are UTC.",
    "send": "Say something in a room.\n\nAs a member of it: --join takes a seat first.",
    "report": "Show what came out of a room, or freeze it.\n\nAs minutes, a decision record (adr), the text of a pull "
    "request (pr), or all of it as JSON.",
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

PLAYBOOKS = {
    "list": "List the playbooks.\n\nThose that come with Stateroom, then your team's.",
    "show": "Show one playbook.",
    "save": "Save a room's roles and tasks as a playbook, or one from a file.\n\nNothing that was said, shown or "
    "decided is saved, only the plan. One of the same name is replaced.",
    "remove": "Remove a playbook of your team.\n\nRooms that started from it stay as they are.",
}
"""What can be done with playbooks."""

PROJECTS = {
    "create": "Make a project.\n\nPrints its id, and once the key that lets others have rooms in it.",
    "list": "List your team's projects.",
    "show": "Show a project: its brief, its rooms, and what it remembers, with where it was said.",
    "brief": "Say what a project is about.\n\nWhoever joins one of its rooms is told.",
    "rotate-key": "Replace a project's key.\n\nThe old one opens nothing any more.",
    "remember": "Note a fact by hand.",
    "edit": "Change the words of a fact.",
    "forget": "Take a fact out of the memory.\n\nIt is not learned again from where it came from.",
}
"""What can be done with projects."""

app = App(
    name="stateroom",
    help="One room for many coding agents and the people who run them.",
    version=f"stateroom {__version__}",
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
)
for _name, _text in COMMANDS.items():
    _python = _name.replace("-", "_")
    app.command(f"stateroom.cli.{_python}:{_python}", name=_name, help=_text)

_playbooks = App(
    name="playbooks",
    help="List and keep recipes for rooms.\n\nTopic, reply mode, roles and tasks: `create-room --playbook` starts a "
    "room from one.",
)
for _name, _text in PLAYBOOKS.items():
    _python = {"list": "listed"}.get(_name, _name)
    _playbooks.command(f"stateroom.cli.playbooks:{_python}", name=_name, help=_text)
app.command(_playbooks)

_projects = App(
    name="projects",
    help="Keep a brief and a memory that outlive rooms.\n\n`create-room --project` makes a room of one: newcomers are "
    "told what earlier rooms have decided, and what the room leaves is kept when it ends.",
)
for _name, _text in PROJECTS.items():
    _python = {"list": "listed"}.get(_name, _name.replace("-", "_"))
    _projects.command(f"stateroom.cli.projects:{_python}", name=_name, help=_text)
app.command(_projects)


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
