"""`stateroom doctor`: is everything as it should be, and if not, what to do."""

import asyncio
import sys
from collections.abc import AsyncIterator

from stateroom.cli import checks
from stateroom.cli.checks import Finding
from stateroom.cli.errors import CliError
from stateroom.cli.output import out, print_json
from stateroom.cli.place import settings_of
from stateroom.cli.store_checks import store_findings
from stateroom.settings import store_path


def doctor(*, url: str = "", store: str = "", json: bool = False) -> None:
    """Check versions, settings, store and server. Ends with status 1 if something is wrong.

    Parameters
    ----------
    url
        The server to look at (STATEROOM_URL); the one that runs on the store if it is left out.
    store
        The store to look at (STATEROOM_STORE).
    json
        Print one JSON document.
    """
    findings = asyncio.run(_all(url, store))
    well = all(finding.ok for finding in findings)
    if json:
        print_json({"ok": well, "findings": findings})
    else:
        for finding in findings:
            _show(finding)
    if not well:
        sys.exit(1)


def _show(finding: Finding) -> None:
    mark = "[green]✔[/green]" if finding.ok else "[red]✘[/red]"
    out.print(f"{mark} {finding.what:<10}", end="")
    out.print(finding.said, markup=False)


async def _all(url: str, store: str) -> list[Finding]:
    return [finding async for finding in _findings(url, store)]


async def _findings(url: str, store: str) -> AsyncIterator[Finding]:
    yield checks.versions()
    try:
        settings = settings_of(url, store)
    except CliError as wrong:
        yield Finding("settings", False, str(wrong))
        return
    yield checks.settings_as_understood(settings)
    path = store_path(settings.store)
    if path is not None:
        yield checks.disk(path)
    async for finding in store_findings(settings.store):
        yield finding
    async for finding in checks.server(settings):
        yield finding
