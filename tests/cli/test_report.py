"""`stateroom report`: what came out of a room, shown or frozen."""

from rich.console import Console

from stateroom.client import Client
from tests.cli.running import store_url
from tests.cli.talking import room_of


async def test_a_report_is_shown_in_every_form(cli, server):
    """Minutes unless said otherwise; decision record, pull request, and all of it as data."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "[DECISION] use ids", "Ben")
        report = ("report", made.code, "--url", server.url)
        assert "# Checkout API" in (await cli(*report)).out
        assert "## Considered options" in (await cli(*report, "--format", "adr")).out
        assert "## Follow-ups" in (await cli(*report, "--format", "pr")).out
        assert (await cli(*report, "--format", "json")).json["decisions"] == ["Ben: use ids"]
        assert (await cli(*report, "--json")).json["code"] == made.code


async def test_a_report_is_frozen_and_its_address_printed(cli, server):
    """`--export`: one line, the address; what is said afterwards is not in it. As data with its id and position."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "[DECISION] use ids", "Ben")
        ran = await cli("report", made.code, "--export", "--url", server.url)
        id = ran.out.rpartition("/")[2].strip()
        assert (ran.status, ran.out.count("\n"), ran.err) == (0, 1, "")
        await client.say(made.code, "[DECISION] use names", "Ben")
        assert (await client.frozen(id)).report["decisions"] == ["Ben: use ids"]
        again = (await cli("report", made.code, "--export", "--json", "--url", server.url)).json
        assert again["url"].endswith(f"/reports/{again['id']}")
        assert len((await client.frozen(again["id"])).report["decisions"]) == 2


async def test_a_report_does_not_steer_the_terminal(cli, server, monkeypatch):
    """On a terminal what would steer it is shown; into a file it is written as it is."""
    async with Client(server.url) as client:
        made = await room_of(client)
        await client.say(made.code, "soft\u00adhyphen", "Ben")
        piped = (await cli("report", made.code, "--url", server.url)).out
        monkeypatch.setattr("stateroom.cli.report.out", Console(force_terminal=True))
        shown = (await cli("report", made.code, "--url", server.url)).out
    assert "soft\u00adhyphen" in piped
    assert "soft\\xadhyphen" in shown
    assert shown.count("\n") == piped.count("\n")


async def test_a_report_of_a_store_without_a_server(cli, filled):
    """No server runs: the report is made all the same; an exported one says what its address needs."""
    report = ("report", "demo", "--store", store_url(filled))
    assert "# demo" in (await cli(*report)).out
    ran = await cli(*report, "--export")
    assert ran.status == 0
    assert "No server runs on this store" in ran.err
