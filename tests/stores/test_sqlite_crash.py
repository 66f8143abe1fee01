"""Real processes: one is killed in the middle of its work, and two wake each other."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from random import Random

import pytest

from stateroom.core.ids import LogKey
from stateroom.log.seam import Hint
from stateroom.stores.sqlite import lookout
from stateroom.stores.sqlite.peers import folder_of
from stateroom.testing.conformance.samples import OTHER, PATIENCE_S, STAMP, drafts, positions
from stateroom.testing.conformance.watching import until_heard
from tests.stores.conftest import Opened
from tests.stores.writing_process import body

ROUNDS = 4


async def start(path: Path, *what: str) -> Process:
    script = Path(__file__).with_name("writing_process.py")
    process = await asyncio.create_subprocess_exec(sys.executable, script, path, *what, stdin=PIPE, stdout=PIPE)
    assert await line(process) == "ready"
    return process


async def line(process: Process) -> str:
    assert process.stdout
    async with asyncio.timeout(PATIENCE_S):
        return (await process.stdout.readline()).decode().rstrip("\n")


async def kill_while_writing(process: Process, appends: int) -> dict[str, int]:
    """Kill it after that many acknowledged appends; returns the last acknowledged position of each log."""
    acknowledged: dict[str, int] = {}
    for _ in range(appends):
        key, position = (await line(process)).split()
        acknowledged[key] = int(position)
    process.kill()
    assert process.stdout
    rest = (await process.stdout.read()).decode()
    await process.wait()
    for whole in rest.splitlines()[: rest.count("\n")]:
        key, position = whole.split()
        acknowledged[key] = int(position)
    return acknowledged


@pytest.mark.timeout(90)
async def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(opened: Opened, path: Path) -> None:
    """SIGKILL at a random moment, several times on one file: every acknowledged append is there, whole, without gaps.

    The lock of the dead writer holds nobody up, and its socket is gone after the next append.
    """
    for lap in range(ROUNDS):
        process = await start(path, "flood")
        acknowledged = await kill_while_writing(process, 1000 + Random(lap).randrange(500))
        async with opened() as store:
            assert store.integrity() == []
            assert len(acknowledged) == 8
            for key, position in acknowledged.items():
                records = await store.log.read(LogKey(key), 0, limit=1_000_000)
                assert positions(records) == [record.line for record in records] == list(range(1, len(records) + 1))
                assert len(records) >= position
                assert all(record.body == body(key, record.position) for record in records)
            await store.log.append(OTHER, lap, drafts("next"), STAMP)
            assert len(list(folder_of(path).iterdir())) == 1


async def test_an_append_in_one_process_wakes_another(
    opened: Opened, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two real processes, and no looking: the datagram wakes, and the entry can be read at once."""
    monkeypatch.setattr(lookout, "LOOK_S", 1e9)
    process = await start(path, "once", OTHER)
    async with opened() as store, store.log.watch() as hints:
        assert process.stdin
        process.stdin.write(b"go\n")
        assert await until_heard(hints, Hint(OTHER, 1)) == [Hint(OTHER, 1)]
        assert [record.body for record in await store.log.read(OTHER, 0)] == [body(OTHER, 1)]
    process.stdin.close()
    assert await process.wait() == 0
