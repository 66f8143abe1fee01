"""`stateroom playbooks`: recipes are listed, shown, saved and removed, and rooms are created from them."""

import json

import pytest

from stateroom.cli import PLAYBOOKS
from stateroom.client import Client
from stateroom.core.official import OFFICIAL
from tests.cli.running import store_url

RECIPE = {
    "topic": "Ship: {what}",
    "replyMode": "sequential",
    "roles": [{"name": "Builder", "role": "builder", "brief": "Build."}, {"name": "QA"}],
    "tasks": [
        {"title": "build", "owner": "Builder", "verifier": "QA", "dod": "works"},
        {"title": "ship", "depends_on": [0]},
    ],
    "opening": "What for?",
}


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.json"
    path.write_text(json.dumps(RECIPE))
    return str(path)


async def test_playbooks_are_listed(cli, server, recipe):
    """Those that come with Stateroom, then the team's: whose, how many tasks, which roles."""
    await cli("playbooks", "save", "Ship [red]it", "--file", recipe, "--url", server.url)
    lines = (await cli("playbooks", "list", "--url", server.url)).out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*OFFICIAL, "ship-red-it"]
    assert lines[1].split()[-6:] == ["Stateroom", "sequential", "Builder,", "Reviewer,", "QA", "3"]
    assert "Ship [red]it" in lines[-1]
    assert lines[-1].split()[-5:] == ["open", "sequential", "Builder,", "QA", "2"]
    listed = (await cli("playbooks", "list", "--json", "--url", server.url)).json
    assert [one["id"] for one in listed] == [*OFFICIAL, "ship-red-it"]


async def test_a_playbook_is_shown(cli, server, recipe):
    """What it wants of whom, by its id or name; as data it can be saved again."""
    await cli("playbooks", "save", "Ship it", "--file", recipe, "--url", server.url)
    shown = (await cli("playbooks", "show", "SHIP it", "--url", server.url)).out.splitlines()
    assert shown == [
        "ship-it  2 roles, 2 tasks, sequential mode",
        "Ship it",
        "  topic    Ship: {what}",
        "  opening  What for?",
        "  role     Builder: builder: Build.",
        "  role     QA",
        "  task 0   build (Builder, verified by QA)",
        "  task 1   ship (after 0)",
    ]
    data = (await cli("playbooks", "show", "ship-it", "--json", "--url", server.url)).json
    assert {name: data[name] for name in RECIPE} == RECIPE


async def test_text_of_others_does_not_steer_the_terminal(cli, server, tmp_path):
    """Escapes and markup in a recipe are shown as they are."""
    path = tmp_path / "evil.json"
    path.write_text(json.dumps({"topic": "\x1b[2J[bold]", "roles": [{"name": "[red]"}], "tasks": []}))
    await cli("playbooks", "save", "Evil \x07", "--file", str(path), "--url", server.url)
    for ran in (
        await cli("playbooks", "show", "evil", "--url", server.url),
        await cli("playbooks", "list", "--url", server.url),
    ):
        assert ran.status == 0
        assert not {"\x1b", "\x07"} & set(ran.out)
        assert "[red]" in ran.out


async def test_a_room_is_saved_and_another_is_created_from_it(cli, server):
    """From the room by its code, then by `create-room --playbook`; what it replaces is said."""
    async with Client(server.url) as client:
        made = await client.create_room(host="Ann", topic="Cache")
        await client.take_seat(made.code, "claude-1", role="builder")
        await client.command(made.code, "open-task", {"title": "build", "owner": "claude-1"}, by="Ann")
        save = ("playbooks", "save", "Crew", "--room", made.code, "--url", server.url)
        assert (await cli(*save)).out.splitlines() == [
            "Playbook crew is saved: 1 role, 1 task.",
            "Start a room from it: stateroom create-room TOPIC --playbook crew",
        ]
        await client.command(made.code, "open-task", {"title": "more"}, by="Ann")
        assert "replaces the one there was: 1 role, 2 tasks" in (await cli(*save)).out
        saved = (await cli(*save, "--json")).json
        assert (saved["replaced"], saved["playbook"]["sourceRoomCode"]) == (False, made.code)
        create = ("create-room", "Next", "--host", "Ann", "--playbook", "crew", "--json", "--url", server.url)
        code = (await cli(*create)).json["code"]
        await client.take_seat(code, "gpt-7", role="builder")
        assert [(task["title"], task["owner"]) for task in await client.plan(code)] == [
            ("build", "gpt-7"),
            ("more", None),
        ]


async def test_what_is_shown_can_be_saved_elsewhere(cli, server):
    """`--file -` reads standard input: a playbook goes through a pipe, and is the receiver's own."""
    shown = (await cli("playbooks", "show", "docs-sprint", "--json", "--url", server.url)).out.encode()
    ran = await cli.process("playbooks", "save", "Piped", "--file", "-", "--url", server.url, stdin=shown)
    assert ran.out.startswith("Playbook piped is saved: 3 roles, 2 tasks.")


async def test_a_removed_playbook_is_gone_for_the_command_line(cli, server, recipe):
    """The second removal says that there is none."""
    await cli("playbooks", "save", "Ship it", "--file", recipe, "--url", server.url)
    remove = ("playbooks", "remove", "ship-it", "--url", server.url)
    assert (await cli(*remove)).out == "Playbook ship-it is removed.\n"
    assert "There is no playbook ship-it" in (await cli(*remove)).refused()


async def test_playbooks_are_kept_in_a_store_without_a_server(cli, filled, recipe):
    """The same commands on a store on which none runs."""
    where = ("--store", store_url(filled))
    await cli("playbooks", "save", "Ship it", "--file", recipe, *where)
    assert (await cli("playbooks", "show", "ship-it", *where)).status == 0
    assert (await cli("playbooks", "remove", "ship-it", "--json", *where)).json == {"removed": "ship-it"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("save", "x"), "Name either a room with --room or a file with --file"),
        (("save", "x", "--room", "demo", "--file", "a.json"), "Name either a room"),
        (("save", "x", "--room", "nope"), "Room not found"),
        (("save", "x", "--file", "/no/such/file"), "can not be read: No such file"),
        (("save", "x", "--file", "/"), "can not be read"),
        (("save", "x", "--file", "LIST"), "is no recipe in JSON"),
        (("save", "x", "--file", "BROKEN"), "is no recipe in JSON"),
        (("save", "x", "--file", "DEEP"), "is no recipe in JSON"),
        (("save", "x", "--file", "ODD"), "unknown field"),
        (("save", "🚀", "--file", "GOOD"), "no letter or digit"),
        (("save", "Docs sprint", "--file", "GOOD"), "comes with Stateroom"),
        (("show", "nope"), "There is no playbook nope"),
        (("remove", "docs-sprint"), "comes with Stateroom"),
    ],
)
async def test_what_can_not_be_done_is_said_in_a_sentence(cli, server, tmp_path, arguments, said):
    """Status 1, nothing on stdout, no traceback."""
    files = {"LIST": "[]", "BROKEN": "{", "DEEP": "[" * 100_000, "ODD": '{"evidence": 1}', "GOOD": json.dumps(RECIPE)}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    given = [str(tmp_path / one) if one in files else one for one in arguments]
    assert said in (await cli("playbooks", *given, "--url", server.url)).refused()


async def test_every_playbook_command_has_a_help_text(cli):
    """The group is in the overview, its commands in its own, and each of their options is explained."""
    assert "playbooks" in (await cli("--help")).out
    overview = (await cli("playbooks", "--help")).out
    for command, text in PLAYBOOKS.items():
        summary, *_ = text.split("\n\n")
        assert summary in overview
        helped = await cli("playbooks", command, "--help")
        assert summary in helped.out
        assert "--json" in helped.out
