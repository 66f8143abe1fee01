"""Minutes, reports and kept decisions in the native API."""

import pytest
import pytest_asyncio

from tests.wire.rest.test_conversation import Talk, hosted


@pytest_asyncio.fixture
async def talk(api):
    """mara's room, in which two decisions were made and a task was left over."""
    talk = await hosted(api)
    await talk.sit("mara", kind="human", host_key=talk.host_key)
    await talk.sit("nova")
    await talk.say("mara", "[DECISION] roll back")
    await talk.say("nova", "[DECISION] raise the timeout\n[TODO] tell support")
    return talk


async def report(talk: Talk, **query):
    answer = await talk.get("/report", **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def decisions(talk: Talk):
    return [one for one in (await report(talk))["report"]["artifacts"] if one["kind"] == "decision"]


async def keep(talk: Talk, artifact, by="nova", **keys):
    return await talk.post(f"/decisions/{artifact}/context", {"by": by, **keys})


async def test_the_room_as_it_stands_is_data_by_default(talk):
    """Decisions, what is to do, each mark with the line it was made in, and where in the log this is."""
    shown = await report(talk)
    assert (shown["id"], shown["url"], shown["markdown"]) == ("", "", "")
    assert shown["position"] == await talk.position()
    assert shown["report"]["decisions"] == ["mara: roll back", "nova: raise the timeout"]
    assert shown["report"]["actionItems"] == ["nova: tell support"]


@pytest.mark.parametrize(("format", "says"), [("minutes", "roll back"), ("adr", "roll back"), ("pr", "roll back")])
async def test_it_can_be_a_document(talk, format, says):
    """Markdown with the name of a file; the data stay out."""
    shown = await report(talk, format=format)
    assert says in shown["markdown"]
    assert shown["file_name"].endswith(".md")
    assert shown["report"] is None


@pytest.mark.parametrize("query", [{"format": "pdf"}, {"id": "x"}])
async def test_a_format_nobody_knows_is_refused(talk, query):
    """One clear 400."""
    answer = await talk.get("/report", **query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


async def test_an_exported_report_stays_as_it_was(talk):
    """By its id alone, whatever happens in the room afterwards; also after its end."""
    made = (await talk.post("/reports", {"by": "nova"})).json()
    assert made["url"].endswith(f"/reports/{made['id']}")
    await talk.say("mara", "[DECISION] ship it on Monday")
    await talk.host("end-room")
    kept = (await talk.api.get(f"/reports/{made['id']}")).json()
    assert kept == made
    assert kept["report"]["decisions"] == ["mara: roll back", "nova: raise the timeout"]
    document = (await talk.api.get(f"/reports/{made['id']}", format="adr")).json()
    assert "Monday" not in document["markdown"]
    assert "raise the timeout" in document["markdown"]
    later = await talk.post("/reports", {})
    assert (later.status_code, len(later.json()["report"]["decisions"])) == (201, 3)


async def test_a_report_nobody_made_is_not_there(talk):
    """404, with what to do."""
    answer = await talk.api.get("/reports/nothing")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_report")
    assert answer.json()["error"]["hint"]


async def test_a_report_of_no_room_is_no_report(api):
    """Neither looking nor exporting makes a room."""
    assert (await api.get("/rooms/nowhere/report")).status_code == 404
    assert (await api.post("/rooms/nowhere/reports", {})).status_code == 404
    assert (await api.post("/rooms/nowhere/decisions/1-1/context", {"by": "nova"})).status_code == 404
    assert (await api.get("/rooms")).json() == []


async def test_a_decision_becomes_context_that_links_back(talk):
    """Once, however often it is asked for and by whom."""
    first, second = await decisions(talk)
    kept = await keep(talk, second["id"])
    assert kept.status_code == 201
    entry = kept.json()
    assert (entry["id"], entry["type"], entry["author"]) == ("C-01", "arch_decision", "nova")
    assert entry["payload"]["consequences"] == ["tell support"]
    assert entry["payload"]["source"] == {
        "room": talk.room,
        "line": 2,
        "message": int(second["id"].partition("-")[0]),
        "artifact": second["id"],
        "author": "nova",
    }
    assert (await keep(talk, second["id"], "mara")).json() == entry
    assert (await keep(talk, first["id"])).json()["id"] == "C-02"
    assert [one["id"] for one in (await talk.get("/context")).json()] == ["C-01", "C-02"]


@pytest.mark.parametrize("artifact", ["1-1", "999-1", "nonsense", "0-0", "%20"])
async def test_what_is_no_decision_is_not_kept(talk, artifact):
    """Nor is what is left to do, nor a decision that was taken back; the log stays as it was."""
    before = await talk.position()
    answer = await keep(talk, artifact)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_artifact")
    assert await talk.position() == before


async def test_a_decision_that_was_withdrawn_can_not_be_kept(talk):
    """It is in no report any more either."""
    first, second = await decisions(talk)
    await talk.wish("withdraw-message", "mara", {"position": int(first["id"].partition("-")[0])})
    assert (await keep(talk, first["id"])).status_code == 404
    assert [one["id"] for one in await decisions(talk)] == [second["id"]]


@pytest.mark.parametrize("key", ["", "wrong", "mara's"])
async def test_keys_are_asked_for_where_the_room_asks_everybody(talk, key):
    """Exporting and keeping are deeds of a member: another's key, or none, does not do."""
    artifact = (await decisions(talk))[0]["id"]
    await talk.host("set-policy", identity="keyed")
    before = await talk.position()
    shown = talk.keys["mara"] if key == "mara's" else key
    for answer in (
        await keep(talk, artifact, seat_key=shown),
        await talk.post("/reports", {"by": "nova", "seat_key": shown}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "seat_key_needed")
    assert await talk.position() == before
    assert (await keep(talk, artifact, seat_key=talk.keys["nova"])).status_code == 201
    assert (await talk.post("/reports", {"by": "nova", "seat_key": talk.keys["nova"]})).status_code == 201


async def test_an_ended_room_keeps_no_more_decisions(talk):
    """It can be reported; its context does not grow any more."""
    artifact = (await decisions(talk))[0]["id"]
    await talk.host("end-room")
    refused = await keep(talk, artifact)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "room_ended")
    assert (await report(talk))["report"]["decisions"]
