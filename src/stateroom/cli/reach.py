"""How a command reaches rooms: through a server if one is named or runs on the store, else through the store itself."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import msgspec

from stateroom.cli.errors import spoken
from stateroom.client import Client, Problem, Unreachable
from stateroom.settings import Settings, SettingsError, from_env, store_path

HEALTH_S = 1.0


def settings_of(url: str = "", store: str = "") -> Settings:
    """The environment's settings, with what the command line says on top. Raises CliError."""
    with spoken(SettingsError):
        settings = from_env(os.environ)
        changes: dict[str, Any] = {name: value for name, value in (("url", url.rstrip("/")), ("store", store)) if value}
        chosen = replace(settings, **changes)
        store_path(chosen.store)
    return chosen


def card_of(store: Path) -> Path:
    """Where a server that runs on a store file says so."""
    return store.with_name(store.name + ".server")


def running_server(settings: Settings) -> str:
    """The URL of a server to talk to: the one named, or one that runs on the store and answers; empty if none."""
    if settings.url:
        return settings.url
    path = store_path(settings.store)
    try:
        card = msgspec.json.decode(card_of(path).read_bytes()) if path else {}
        url = str(card.get("url", ""))
        answer = httpx2.get(f"{url}/health", timeout=HEALTH_S) if url else None
    except (OSError, msgspec.DecodeError, httpx2.HTTPError):
        return ""
    return url if answer is not None and '"ok":' in answer.text else ""


@asynccontextmanager
async def client_of(settings: Settings) -> AsyncIterator[Client]:
    """A client of the running server. Raises CliError if there is none, or it says no."""
    url = running_server(settings) or settings.base_url
    with spoken(Problem, Unreachable):
        async with Client(url, settings.api_key) as client:
            yield client
