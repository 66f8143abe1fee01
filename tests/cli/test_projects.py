"""`stateroom projects`: made, briefed, filled by people and by rooms that end, from the command line."""

import pytest

from stateroom.cli import PROJECTS
from stateroom.client import Client
from tests.cli.running import store_url


async def made(cli, url, *more):
    return (await cli("projects", "create", "Shop", *more, "--json", "--url", url)).json


async def test_a_project_is_made_and_its_key_shown_once(cli, server):
    """With the line that makes a room of it; later nobody is shown the key."""
    ran = await cli("projects", "create", "Shop", "--brief", "Small.", "--url", server.url)
    assert ran.status == 0
    assert "pak_" in ran.out
    assert "stateroom create-room TOPIC --project prj_" in ran.out
    (listed,) = (await cli("projects", "list", "--json", "--url", server.url)).json
    assert (listed["name"], listed["rooms"], listed["facts"], "key" in listed) == ("Shop", 0, 0, False)
    shown = await cli("projects", "show", listed["id"], "--url", server.url)
    assert "Small." in shown.out
    assert "pak_" not in shown.out
    assert "pak_" not in (await cli("projects", "list", "--url", server.url)).out


async def test_a_room_of_a_project_leaves_what_it_decided(cli, server):
    """`create-room --project`; `show` has it with room and line."""
    project = await made(cli, server.url)
    more = ("--project", project["id"], "--project-key", project["key"], "--host", "Ann", "--json")
    room = (await cli("create-room", "Cache", *more, "--url", server.url)).json
    async with Client(server.url) as client:
        await client.take_seat(room["code"], "Ann", host_key=room["host_key"])
        await client.command(room["code"], "say", {"text": "[DECISION] use [bold]SQLite"}, by="Ann")
        await client.command(room["code"], "end-room", {}, by="Ann", host_key=room["host_key"])
    shown = (await cli("projects", "show", project["id"], "--url", server.url)).out
    assert "Decisions" in shown
    assert f"M-01  use [bold]SQLite  [{room['code']} line 1]" in shown


async def test_people_note_edit_and_forget(cli, server):
    """Each prints the project as it is then."""
    project = await made(cli, server.url)
    id = project["id"]
    noted = await cli("projects", "remember", id, "no meetings", "--category", "preferences", "--url", server.url)
    assert "M-01  no meetings" in noted.out
    edited = await cli("projects", "edit", id, "M-01", "no meetings on Fridays", "--url", server.url)
    assert "M-01  no meetings on Fridays (edited)" in edited.out
    gone = (await cli("projects", "forget", id, "M-01", "--json", "--url", server.url)).json
    assert gone["facts"] == []
    brief = (await cli("projects", "brief", id, "Large.", "--name", "Store", "--json", "--url", server.url)).json
    assert (brief["brief"], brief["brief_version"], brief["name"]) == ("Large.", 1, "Store")


async def test_how_much_newcomers_are_told_is_said(cli, server):
    """In the budget that was asked for."""
    project = await made(cli, server.url)
    for text in ("it is fast", "it is cheap"):
        await cli("projects", "remember", project["id"], text, "--url", server.url)
    for budget, number in (("4000", 2), ("30", 1), ("0", 0)):
        shown = await cli("projects", "show", project["id"], "--budget", budget, "--url", server.url)
        assert f"In {budget} characters of memory newcomers are told {number} of 2 facts." in shown.out


async def test_a_replaced_key_opens_nothing(cli, server):
    """The fresh one does."""
    project = await made(cli, server.url)
    fresh = (await cli("projects", "rotate-key", project["id"], "--json", "--url", server.url)).json
    assert fresh["key"] != project["key"]
    for key, status in ((project["key"], 1), (fresh["key"], 0)):
        more = ("--project", project["id"], "--project-key", key, "--host", "Ann")
        assert (await cli("create-room", "t", *more, "--url", server.url)).status == status


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "prj_nobody"), "no project of this id"),
        (("create", " "), "is empty"),
        (("remember", "{id}", "..."), "says nothing"),
        (("edit", "{id}", "M-99", "x is y"), "no M-99"),
        (("forget", "{id}", "M-99"), "no M-99"),
    ],
)
async def test_what_goes_wrong_is_said_in_a_sentence(cli, server, arguments, said):
    """Status 1, and nothing has changed."""
    project = await made(cli, server.url)
    ran = await cli("projects", *(one.format(id=project["id"]) for one in arguments), "--url", server.url)
    assert ran.status == 1
    assert said in ran.err
    assert "Traceback" not in ran.err


async def test_it_works_on_a_store_without_a_server(cli, store, server):
    """As the other commands do."""
    async with cli.up("--store", store_url(store)):
        pass
    made_there = await cli("projects", "create", "Shop", "--json", "--store", store_url(store))
    assert made_there.status == 0
    (listed,) = (await cli("projects", "list", "--json", "--store", store_url(store))).json
    assert listed["id"] == made_there.json["id"]


@pytest.mark.parametrize("command", PROJECTS)
async def test_every_command_helps(cli, command):
    """With what it takes."""
    ran = await cli("projects", command, "--help")
    assert ran.status == 0
    assert "--json" in ran.out
