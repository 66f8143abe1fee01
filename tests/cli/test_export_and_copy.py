"""`stateroom export` and `stateroom copy`: everything in a room, to the byte."""

import base64

import msgspec
import pytest

from stateroom.app import make_store
from stateroom.cli.inside import inside
from stateroom.client import Client
from stateroom.core.ids import LogKey
from stateroom.log.seam import Draft, Stamp
from stateroom.settings import Settings
from tests.cli.running import damage, fill, store_url

ROOM = LogKey("open/demo")


async def records(path, key=ROOM):
    """A room's log as it is stored."""
    store = make_store(store_url(path))
    await store.open()
    try:
        return await store.log.read(key, 0)
    finally:
        await store.close()


def lines(text):
    return [msgspec.json.decode(line) for line in text.splitlines()]


async def test_an_export_holds_every_entry_as_it_is_stored(cli, filled):
    """A header, then one line an entry; the bodies are the stored bytes, so nothing is lost."""
    header, *exported = lines((await cli("export", "demo", "--store", store_url(filled))).out)
    assert (header["format"], header["room"], header["team"]) == (1, "demo", "open")
    stored = await records(filled)
    assert [entry["position"] for entry in exported] == [record.position for record in stored]
    for entry, record in zip(exported, stored, strict=True):
        assert msgspec.json.encode(entry.pop("body")) == record.body
        assert entry == {name: getattr(record, name) for name in ("position", "line", "at", "by", "via", "cause")}


async def test_a_server_exports_the_same(cli, filled):
    """Named by its URL the server is asked, and gives the same lines as the store."""
    from_store = (await cli("export", "demo", "--store", store_url(filled))).out
    async with cli.up("--store", store_url(filled)) as up:
        beside_it = await cli("export", "demo", "--store", store_url(filled))
        through_it = await cli("export", "demo", "--url", up.url)
    assert from_store == beside_it.out
    assert lines(from_store) == lines(through_it.out)


async def test_a_damaged_entry_is_exported_too(cli, filled):
    """From the store its very bytes; through a server that can not give them, the command says so and fails."""
    damage(filled, 3)
    exported = lines((await cli("export", "demo", "--store", store_url(filled))).out)
    assert base64.b64decode(exported[3]["raw"]) == (await records(filled))[2].body
    async with cli.up("--store", store_url(filled)) as up:
        ran = await cli("export", "demo", "--url", up.url)
    assert ran.status == 1
    assert "1 entries are damaged" in ran.err
    assert "unreadable" in lines(ran.out)[3]


async def test_a_file_is_put_in_place_only_when_it_is_complete(cli, filled, tmp_path):
    """A failed export leaves an earlier file as it was, and no other behind; a good one says how much it wrote."""
    output = tmp_path / "out" / "demo.jsonl"
    assert "Can not write" in (await cli("export", "demo", "--output", output, "--store", store_url(filled))).refused()
    output.parent.mkdir()
    output.write_text("earlier")
    assert (await cli("export", "nowhere", "--output", output, "--store", store_url(filled))).refused()
    assert [path.read_text() for path in output.parent.iterdir()] == ["earlier"]
    said = (await cli("export", "demo", "--output", output, "--store", store_url(filled), "--json")).json
    assert said == {"room": "demo", "entries": len(await records(filled)), "damaged": 0, "output": str(output)}
    assert len(lines(output.read_text())) == said["entries"] + 1


async def test_a_copy_is_the_same_room(cli, filled, tmp_path):
    """Every record, the code, and each member's place: what was read stays read."""
    copied = tmp_path / "copy.db"
    (done,) = (await cli("copy", store_url(filled), store_url(copied), "--json")).json
    assert await records(copied) == await records(filled)
    assert (done["room"], done["entries"], done["already"]) == ("demo", len(await records(filled)), 0)
    rooms = [(await cli("rooms", "--store", store_url(path), "--json")).json for path in (filled, copied)]
    assert [[room["code"] for room in listed] for listed in rooms] == [[done["code"]]] * 2
    async with inside(Settings(store=store_url(copied))) as client:
        unread = (await client.inbox("demo", "frontend"))["events"]
    assert [event["type"] for event in unread] == ["task_updated", "note", "note", "note"]  # task_added was taken


async def test_a_copy_goes_on_where_it_stopped(cli, filled, tmp_path):
    """Run again it copies only what has come since; an interrupted one, whose room nobody knows yet, is finished."""
    copied = tmp_path / "copy.db"
    await cli("copy", store_url(filled), store_url(copied))
    before = len(await records(filled))
    async with inside(Settings(store=store_url(filled))) as client:
        wish = {"type": "note", "to": "all", "payload": {}}
        await client.command("demo", "post-message", wish, by="backend")
    again = await cli("copy", store_url(filled), store_url(copied), "--room", "demo")
    assert f"{before + 1} entries, {before} of them already there" in again.out
    half = tmp_path / "half.db"
    store = make_store(store_url(half))
    await store.open()
    for record in (await records(filled))[:2]:
        stamp = Stamp(record.by, record.via, record.cause, record.at)
        await store.log.append(ROOM, record.position - 1, [Draft(record.body, record.line > 0)], stamp)
    await store.close()
    (done,) = (await cli("copy", store_url(filled), store_url(half), "--json")).json
    assert done["already"] == 2
    assert await records(half) == await records(filled)


async def test_a_damaged_entry_is_copied_as_it_is(cli, filled, tmp_path):
    """Nobody can read it, and still it keeps its place."""
    damage(filled, 3)
    copied = tmp_path / "copy.db"
    assert (await cli("copy", store_url(filled), store_url(copied))).status == 0
    assert await records(copied) == await records(filled)


async def test_another_room_is_never_overwritten(cli, filled, tmp_path):
    """The destination has a room of that id with another past: refused, and nothing in it has changed."""
    other = tmp_path / "other.db"
    async with inside(Settings(store=store_url(other))) as client:
        await fill(client, "demo", messages=1)
    before = await records(other)
    said = (await cli("copy", store_url(filled), store_url(other))).refused()
    assert "is not this one" in said
    assert await records(other) == before


async def test_rooms_of_all_teams_are_copied_or_one_by_its_code(cli, store, tmp_path):
    """Two teams' rooms of one id: both are copied; the id alone is ambiguous, the code is not."""
    keys = "red:red-secret,blue:blue-secret"
    for team in ("red", "blue"):
        async with inside(Settings(store=store_url(store), api_keys=keys, api_key=f"{team}-secret")) as client:
            await fill(client, "demo", messages=1)
    everything, one = tmp_path / "all.db", tmp_path / "one.db"
    done = (await cli("copy", store_url(store), store_url(everything), "--json")).json
    assert {each["team"] for each in done} == {"red", "blue"}
    assert "Say its code" in (await cli("copy", store_url(store), store_url(one), "--room", "demo")).refused()
    (blue,) = (each for each in done if each["team"] == "blue")
    (copied,) = (await cli("copy", store_url(store), store_url(one), "--room", blue["code"], "--json")).json
    assert copied["team"] == "blue"


@pytest.mark.parametrize(
    ("source", "destination", "sentence"),
    [
        ("{tmp}/none.db", "{tmp}/to.db", "There is no store at"),
        ("{tmp}/rooms.db", "{tmp}/../{name}/rooms.db", "are the same store"),
        ("{tmp}/rooms.db", "{tmp}", "is a folder"),
        ("{tmp}/text.db", "{tmp}/to.db", "is not a Stateroom file"),
    ],
)
async def test_what_can_not_be_copied_is_one_sentence(cli, filled, tmp_path, source, destination, sentence):
    """A source that is not there, one store twice, a folder, another program's file: said, and nothing is made."""
    (tmp_path / "text.db").write_text("certainly no database, and long enough to be looked at" * 20)
    places = [store_url(place.format(tmp=tmp_path, name=tmp_path.name)) for place in (source, destination)]
    assert sentence in (await cli("copy", *places)).refused()
    assert not (tmp_path / "none.db").exists()


async def test_a_copy_beside_a_running_server_is_seen_by_it(cli, filled, tmp_path):
    """A server runs on the destination: it knows the copied room at once, without being started again."""
    copied = tmp_path / "copy.db"
    async with cli.up("--store", store_url(copied)) as up, Client(up.url) as client:
        assert await client.rooms() == []
        await cli("copy", store_url(filled), store_url(copied))
        assert (await client.room("demo")).position == len(await records(filled))
