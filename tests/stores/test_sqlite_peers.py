"""How processes on one file wake each other: datagrams, and the slow look for when one is lost."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from stateroom.core.ids import LogKey
from stateroom.log.seam import Hint
from stateroom.stores.hints import Watchers
from stateroom.stores.sqlite import lookout, peers
from stateroom.stores.sqlite.ledger import Move
from stateroom.stores.sqlite.lookout import Lookout
from stateroom.testing.conformance.samples import KEY, OTHER, PATIENCE_S, STAMP, drafts
from stateroom.testing.conformance.watching import until_heard
from tests.stores.conftest import Opened


@pytest.fixture
def no_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores opened from now on hear of others by datagram or not at all."""
    monkeypatch.setattr(lookout, "LOOK_S", 1e9)
    monkeypatch.setattr(lookout, "LOOK_UNAIDED_S", 1e9)


def sockets(path: Path) -> list[Path]:
    return sorted(peers.folder_of(path).iterdir())


def dead_socket(path: Path) -> Path:
    """What a process that was killed leaves behind."""
    place = peers.folder_of(path) / "dead"
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    dead.bind(str(place))
    dead.close()
    return place


async def test_a_datagram_alone_wakes_the_other(no_looking: None, opened: Opened) -> None:
    """It names the log and its head, in both directions."""
    async with opened() as one, opened() as two, one.log.watch() as at_one, two.log.watch() as at_two:
        await one.log.append(KEY, 0, drafts("1", "2"), STAMP)
        await two.log.append(OTHER, 0, drafts("1"), STAMP)
        for hints in (at_one, at_two):
            assert set(await until_heard(hints, Hint(KEY, 2), Hint(OTHER, 1))) == {Hint(KEY, 2), Hint(OTHER, 1)}


async def test_a_socket_is_there_while_the_store_is_open(opened: Opened, path: Path) -> None:
    """One for each opened store, none after closing."""
    async with opened():
        async with opened():
            assert len(sockets(path)) == 2
        assert len(sockets(path)) == 1
    assert sockets(path) == []


async def test_a_dead_socket_is_removed_and_nothing_else(no_looking: None, opened: Opened, path: Path) -> None:
    """Whoever is refused clears it away; the living are told all the same, and a stray file is left alone."""
    async with opened() as one, opened() as two, two.log.watch() as hints:
        dead = dead_socket(path)
        stray = dead.with_name("stray.txt")
        stray.touch()
        await one.log.append(KEY, 0, drafts("1"), STAMP)
        assert await until_heard(hints, Hint(KEY, 1)) == [Hint(KEY, 1)]
        assert not dead.exists()
        assert stray.exists()
        assert len(sockets(path)) == 3


async def test_a_long_path_moves_the_meeting_place(no_looking: None, opened: Opened, tmp_path: Path) -> None:
    """Unix sockets take about 100 bytes: two processes on a file deep down still find each other."""
    path = tmp_path / ("deep" * 30) / "stateroom.db"
    assert len(str(peers.folder_of(path))) < 60
    async with opened(path) as one, opened(path) as two, two.log.watch() as hints:
        await one.log.append(KEY, 0, drafts("1"), STAMP)
        assert await until_heard(hints, Hint(KEY, 1)) == [Hint(KEY, 1)]
    peers.folder_of(path).rmdir()


async def test_two_names_of_one_file_are_one_meeting_place(no_looking: None, opened: Opened, tmp_path: Path) -> None:
    """A symbolic link leads to the same folder, whether to the file or to the folder it is in."""
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "link.db").symlink_to(tmp_path / "real" / "s.db")
    real = tmp_path / "real" / "s.db"
    for after, link in enumerate((tmp_path / "folder" / "s.db", tmp_path / "link.db")):
        async with opened(real) as one, opened(link) as two, two.log.watch() as hints:
            await one.log.append(KEY, after, drafts("1"), STAMP)
            assert await until_heard(hints, Hint(KEY, after + 1)) == [Hint(KEY, after + 1)]


async def test_nobody_wakes_itself(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process alone on its file sends nothing."""
    sent: list[object] = []
    monkeypatch.setattr(peers, "_send", lambda *what: sent.append(what))
    async with opened() as store:
        await store.log.append(KEY, 0, drafts("1"), STAMP)
    assert sent == []


@pytest.mark.parametrize("logs", [1, 100, 5000])
def test_a_datagram_stays_small_and_keeps_its_number(logs: int) -> None:
    """A few hints travel as they are; too many are left out, but not the number that shows a hole."""
    move = Move(7, tuple(Hint(LogKey(f"team/ä {n}"), n) for n in range(logs)))
    message = peers._encode(move)
    assert len(message) <= peers.LARGEST_PING
    assert peers._decode(message) == (move if logs < 5000 else Move(7, None))


async def test_more_logs_than_a_datagram_names(no_looking: None, opened: Opened) -> None:
    """Then it says: look everywhere."""
    async with opened() as one, opened() as two, two.log.watch() as hints:
        keys = [LogKey(f"team/{'x' * 100}/{n}") for n in range(500)]
        await asyncio.gather(*(one.log.append(key, 0, drafts("1"), STAMP) for key in keys))
        assert None in await until_heard(hints, *(Hint(key, 1) for key in keys))


@pytest.mark.parametrize("message", [b"", b"{", b"[]", b"[1]", b"[1, [2]]", b'[1, [["a"]]]', b"\xff"])
async def test_a_datagram_nobody_understands_still_wakes(
    no_looking: None, opened: Opened, path: Path, message: bytes
) -> None:
    """A newer version may say more than we know: look everywhere."""
    async with opened() as store, store.log.watch() as hints:
        sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        sender.sendto(message, str(sockets(path)[0]))
        sender.close()
        assert await until_heard(hints, Hint(KEY, 1)) == [None]


async def first(hints: AsyncIterator[Hint | None]) -> Hint | None:
    async with asyncio.timeout(PATIENCE_S):
        return await anext(hints)


async def test_a_lost_datagram_is_noticed(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's own count of moves shows the hole, and watchers hear None."""
    monkeypatch.setattr(peers, "_send", lambda *_: None)
    async with opened() as one, opened() as two, two.log.watch() as hints:
        await one.log.append(KEY, 0, drafts("1"), STAMP)
        assert await first(hints) is None


async def test_where_there_are_no_datagrams_looking_is_enough(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: each process looks often, and hears None."""
    monkeypatch.delattr(socket, "AF_UNIX")
    async with opened() as one, opened() as two, two.log.watch() as hints:
        await one.log.append(KEY, 0, drafts("1"), STAMP)
        assert await first(hints) is None
        await one.log.drop(KEY)
        assert await first(hints) is None


async def test_a_folder_that_others_may_enter_is_not_trusted(opened: Opened, path: Path) -> None:
    """Somebody else could wake us with lies, or listen: then looking has to do."""
    peers.folder_of(path).mkdir(mode=0o755)
    async with opened() as one, opened() as two, two.log.watch() as hints:
        assert sockets(path) == []
        await one.log.append(KEY, 0, drafts("1"), STAMP)
        assert await first(hints) is None


async def test_only_moves_of_logs_wake(opened: Opened) -> None:
    """Another process's shelf and blobs are nobody's news, even to the slow look."""
    async with opened() as one, opened() as two, two.log.watch() as hints:
        await one.shelf.put({"a": b"1"}, 60)
        await one.blobs.put(b"blob")
        await one.log.append(KEY, 0, drafts("1"), STAMP)
        assert await first(hints) == Hint(KEY, 1)


async def test_the_slow_look_is_silent_while_datagrams_arrive(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process knows the numbers of its own moves and of the others': nobody is sent to look everywhere."""
    enough = asyncio.Event()
    looks: list[int] = []

    def look(self: Lookout, moves: int) -> None:
        original(self, moves)
        looks.append(moves)
        if looks.count(30) == 6:
            enough.set()

    original = Lookout.look
    monkeypatch.setattr(Lookout, "look", look)
    async with opened() as one, opened() as two, one.log.watch() as at_one, two.log.watch() as at_two:
        for after in range(30):
            await (one, one, two)[after % 3].log.append(KEY, after, drafts("x"), STAMP)
        await asyncio.wait_for(enough.wait(), PATIENCE_S)
        for hints in (at_one, at_two):
            assert await until_heard(hints, Hint(KEY, 30)) == [Hint(KEY, 30)]


class Announced(Watchers):
    """Keeps what is announced."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Hint | None] = []

    def announce(self, news: Iterable[Hint | None]) -> None:
        self.heard.extend(news)


def heard_by(watch: Lookout, *steps: int | Move) -> list[Hint | None]:
    """Feed moves (heard) and numbers (looks) to a lookout; returns what it announced."""
    watch.watchers = announced = Announced()
    for step in steps:
        watch.hear(step) if isinstance(step, Move) else watch.look(step)
    return announced.heard


def move(number: int) -> Move:
    return Move(number, (Hint(KEY, number),))


def test_looks_are_silent_while_every_move_is_heard() -> None:
    """In whatever order the datagrams come, and when one is still under way at the first look."""
    watch = Lookout(10, aided=True)
    steps = (10, move(11), 11, 11, move(13), 13, move(12), 14, move(14), 14, 14)
    assert heard_by(watch, *steps) == [Hint(KEY, 11), Hint(KEY, 13), Hint(KEY, 12), Hint(KEY, 14)]


def test_a_move_still_unheard_at_the_second_look_is_missed_once() -> None:
    """One None for the hole, and none again for the same one."""
    assert heard_by(Lookout(10, aided=True), 12, 12, 12, move(13), 13, 13) == [None, Hint(KEY, 13)]
    assert heard_by(Lookout(10, aided=True), move(12), 12, 12) == [Hint(KEY, 12), None]


def test_without_datagrams_the_first_look_counts() -> None:
    """There is nothing to wait for."""
    assert heard_by(Lookout(10, aided=False), 10, 11, 11, 13) == [None, None]
