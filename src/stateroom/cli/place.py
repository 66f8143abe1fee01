"""Which store and which server a command means. Imports no HTTP client: `stateroom mcp` may not need one."""

import os
from dataclasses import replace

from stateroom.cli.card import healthy_url
from stateroom.cli.errors import spoken
from stateroom.settings import Settings, SettingsError, from_env, store_path


def settings_of(url: str = "", store: str = "") -> Settings:
    """The environment's settings, with what the command line says on top. Raises CliError.

    A store on the command line means that store, even where the environment names a server.
    """
    with spoken(SettingsError):
        settings = from_env(os.environ)
        if store:
            settings = replace(settings, store=store, url="")
        if url:
            settings = replace(settings, url=url.rstrip("/"))
        store_path(settings.store)
    return settings


def server_of(settings: Settings) -> str:
    """The URL of the server to talk to: the one named, or one that runs on the store; empty if there is none."""
    return settings.url or healthy_url(store_path(settings.store))
