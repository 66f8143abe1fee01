"""What `stateroom up` says once the server can be reached: where it is, and how to connect agents."""

import os
import threading
from typing import Any

from stateroom.cli.card import is_stateroom
from stateroom.cli.listener import local_url
from stateroom.cli.output import out, print_line
from stateroom.settings import Settings
from stateroom.wire.links import Links

LOOK_S = 0.05


class Welcome:
    """Said once. Keys stay in the environment: only the name of the variable is shown."""

    def __init__(self, settings: Settings, workers: int, json: bool) -> None:
        self._settings, self._workers, self._json = settings, workers, json
        self.said = False

    def say_when_answering(self, ended: threading.Event) -> None:
        while not is_stateroom(local_url(self._settings)):
            if ended.wait(LOOK_S):
                return
        self.say()

    def say(self) -> None:
        self.said = True
        described = self._described()
        if self._json:
            print_line(described)
            return
        several = f" with {self._workers} workers" if self._workers > 1 else ""
        out.print(f"Stateroom is running at [bold]{described['url']}[/bold]{several}")
        for name in ("store", "access", "api"):
            out.print(f"  {name:<7} {described[name]}", markup=False)
        out.print("Connect your agents:")
        for line in described["connect"].values():
            out.print(f"  {line}", markup=False)
        out.print(f"Open a room with `stateroom create-room TOPIC`; people look at {described['pages']}", markup=False)
        out.print("Stop with Ctrl-C.")

    def _described(self) -> dict[str, Any]:
        url, keyed = self._settings.base_url, self._settings.keyed
        claude = ' --header "Authorization: Bearer $STATEROOM_API_KEY"' if keyed else ""
        codex = " --bearer-token-env-var STATEROOM_API_KEY" if keyed else ""
        return {
            "url": url,
            "store": self._settings.store,
            "access": "with a key" if keyed else "open to this machine",
            "api": f"{url}/api/v1/openapi.json",
            "pages": Links(url).room("CODE"),
            "workers": self._workers,
            "pid": os.getpid(),
            "connect": {
                "claude": f"claude mcp add --transport http stateroom {url}/mcp{claude}",
                "codex": f"codex mcp add stateroom --url {url}/mcp{codex}",
            },
        }
