"""`stateroom doctor`: what is right is said shortly, what is wrong with what to do, and the status tells programs."""

import os
import shutil
import socket

import apsw

from tests.cli.running import damage, store_url
from tests.serving import free_port


def finding(ran, what):
    (found,) = (one for one in ran.json["findings"] if one["what"] == what)
    return found


async def test_everything_is_well(cli, filled):
    """A good store without a server: every check is ✔, status 0, and the versions are there."""
    port = str(free_port())
    ran = await cli("doctor", "--store", store_url(filled), "--json", STATEROOM_PORT=port)
    assert (ran.status, ran.json["ok"]) == (0, True)
    checked = [one["what"] for one in ran.json["findings"]]
    assert checked == ["versions", "settings", "disk", "store", "writable", "entries", "integrity", "server", "port"]
    assert apsw.sqlite_lib_version() in finding(ran, "versions")["said"]
    assert finding(ran, "versions")["details"]["packages"]["apsw"]
    people = await cli("doctor", "--store", store_url(filled), STATEROOM_PORT=port)
    assert (people.status, people.out.count("✔"), people.out.count("✘")) == (0, len(checked), 0)


async def test_a_store_that_is_not_made_yet_is_no_fault(cli, store):
    """Looking makes nothing."""
    ran = await cli("doctor", "--store", store_url(store), "--json", STATEROOM_PORT=str(free_port()))
    assert ran.status == 0
    assert not store.exists()


async def test_damaged_entries_are_counted_with_their_positions(cli, filled):
    """Two entries of one room can not be read: which ones, that everything else works, and status 1."""
    damage(filled, 3)
    damage_again = apsw.Connection(str(filled))
    damage_again.execute("UPDATE entries SET body = x'00' WHERE position = 5 AND length(body) > 0")
    damage_again.close()
    ran = await cli("doctor", "--store", store_url(filled), "--json")
    assert ran.status == 1
    entries = finding(ran, "entries")
    assert entries["details"] == {"damaged": {"open/demo": [3, 5]}}
    assert "2 in open/demo at 3, 5" in entries["said"]
    assert "restore a backup" in entries["said"]
    told = (await cli("tail", "demo", "--store", store_url(filled), "--json")).json
    assert [event["type"] for event in told].count("unreadable") == 2


async def test_a_log_with_a_hole_is_found(cli, filled):
    """An entry is gone that the log's head still counts: integrity says so."""
    db = apsw.Connection(str(filled))
    db.execute("DROP TRIGGER entries_do_not_vanish")
    db.execute("DELETE FROM entries WHERE position = 4")
    db.close()
    ran = await cli("doctor", "--store", store_url(filled), "--json")
    assert ran.status == 1
    assert "open/demo" in finding(ran, "integrity")["said"]


async def test_a_file_that_is_no_store_is_said(cli, tmp_path):
    """A folder, another program's file, a file cut in the middle: ✘ with what to do."""
    (tmp_path / "text.db").write_text("certainly no database, and long enough to be looked at" * 20)
    for name, sentence in (("text.db", "is not a Stateroom file"), ("", "is a folder")):
        ran = await cli("doctor", "--store", store_url(tmp_path / name), "--json")
        assert ran.status == 1
        assert sentence in finding(ran, "store")["said"]
    ran = await cli("doctor", "--store", "mysql://x", "--json")
    assert (ran.status, finding(ran, "settings")["ok"]) == (1, False)


async def test_a_file_with_bad_pages_is_said(cli, filled):
    """Half the pages are overwritten: whatever is noticed first, the answer is a finding, not a traceback."""
    size = filled.stat().st_size
    with filled.open("r+b") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 2))
    ran = await cli("doctor", "--store", store_url(filled), "--json")
    assert (ran.status, ran.json["ok"], ran.err) == (1, False, "")


async def test_a_full_disk_is_said(cli, filled, monkeypatch):
    """Too little free space: how much is left, and what to do."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 10**6))
    ran = await cli("doctor", "--store", store_url(filled), "--json")
    assert ran.status == 1
    assert "Make room" in finding(ran, "disk")["said"]


async def test_the_running_server_is_asked(cli, filled):
    """A server runs on the store: it is found and is well; its port is not reported as taken."""
    async with cli.up("--store", store_url(filled)) as up:
        ran = await cli("doctor", "--store", store_url(filled), "--json")
        up.process.kill()
        await up.process.wait()
    assert f"{up.url} is well" in finding(ran, "server")["said"]
    assert ran.status == 0
    after = await cli("doctor", "--store", store_url(filled), "--json", STATEROOM_PORT=str(free_port()))
    assert "ended without tidying up" in finding(after, "server")["said"]
    assert after.status == 0


async def test_a_server_that_does_not_answer_is_said(cli, filled):
    """A URL is named and nobody is there: ✘, and how to start one."""
    url = f"http://127.0.0.1:{free_port()}"
    ran = await cli("doctor", "--json", STATEROOM_STORE=store_url(filled), STATEROOM_URL=url)
    assert (ran.status, finding(ran, "server")["ok"]) == (1, False)
    assert "stateroom up" in finding(ran, "server")["said"]


async def test_keys_are_counted_and_never_shown(cli, filled):
    """Teams by name, secrets not at all; a wrong client key and half a team key are found out."""
    keys = {"STATEROOM_API_KEYS": "red:red-secret,blue:blue-secret"}
    async with cli.up("--store", store_url(filled), **keys):
        store = ("doctor", "--store", store_url(filled), "--json")
        right = await cli(*store, **keys, STATEROOM_API_KEY="red-secret")
        none = await cli(*store, **keys)
        wrong = await cli(*store, **keys, STATEROOM_API_KEY="green-secret")
    assert "keys for blue, red" in finding(right, "settings")["said"]
    assert (right.status, none.status, wrong.status) == (0, 0, 1)
    assert "STATEROOM_API_KEY is not set" in finding(none, "server")["said"]
    assert "secret" not in right.out + none.out + wrong.out
    half = await cli(*store, STATEROOM_API_KEYS="red:red-secret,blue")
    assert "no team:secret" in finding(half, "settings")["said"]
    masked = await cli(*store[:1], "--url", "http://me:hush@127.0.0.1:1", "--json", STATEROOM_STORE=store_url(filled))
    assert "hush" not in masked.out


async def test_a_port_in_use_is_said(cli, store):
    """Another program has the port that `stateroom up` would take."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ran = await cli("doctor", "--store", store_url(store), "--json", STATEROOM_PORT=port)
    assert (ran.status, finding(ran, "port")["ok"]) == (1, False)
    assert "in use by another program" in finding(ran, "port")["said"]


async def test_a_profile_nobody_knows_is_said(cli, store):
    """STATEROOM_PROFILE with a typing error would silently list the default tools."""
    ran = await cli("doctor", "--store", store_url(store), "--json", STATEROOM_PROFILE="stat")
    assert "core, room, state, full" in finding(ran, "settings")["said"]
