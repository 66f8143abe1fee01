"""Reports as pages: the newest of a room, one by its own id, a draft where there is none; and as files."""

import re

import pytest

from stateroom.core.ids import Position
from stateroom.core.messages import WithdrawMessage
from stateroom.engine import reports
from stateroom.settings import Settings
from tests.wire.web.conftest import ids_of, text_of

BASE = Settings().base_url


async def export(room):
    id, _ = await reports.export(room.web.engine, room.web.caller, room.card, "")
    return id


async def test_without_a_report_the_minutes_so_far_are_shown_as_a_draft(busy):
    """They change with the room, and say so."""
    html = await busy.page("/report")
    assert "Minutes so far" in text_of(html)
    assert "Nobody has exported a report of this room." in text_of(html)
    assert "/reports/" not in html
    await busy.say("nova", "[TODO] tell support")
    assert "tell support" in await busy.page("/report")


async def test_the_newest_report_is_found_by_the_rooms_code(busy):
    """With the address under which it stays."""
    await export(busy)
    await busy.say("nova", "[TODO] tell support")
    newest = await export(busy)
    html = await busy.page("/report")
    assert f'<a href="{BASE}/reports/{newest}">' in html
    assert "tell support" in html
    assert "frozen" in text_of(html)


async def test_a_report_stays_as_it_is(busy):
    """What is said or withdrawn later does not reach it; a newer report has it."""
    id = await export(busy)
    before = await busy.web.page(f"/reports/{id}")
    await busy.say("nova", "[DECISION] later")
    await busy.do("mara", WithdrawMessage(Position(ids_of(before)[0])))
    assert await busy.web.page(f"/reports/{id}") == before
    assert "What changed on Thursday?" in before


async def test_a_report_shows_outcomes_with_links_to_their_lines(busy):
    """Three columns; who said it, and where."""
    html = await busy.page("/report")
    source = ids_of(html)[2]
    text = text_of(html)
    assert re.search(r"Decisions 1 roll back nova ,", text)
    assert "Nothing was marked to be done." in text
    assert re.search(r"Status and results 1 Result retries went from 1 to 4 nova ,", text)
    assert html.count(f'href="#line-{source}"') >= 3
    assert f'id="line-{source}"' in html


async def test_a_decision_against_something_is_marked(busy):
    """So that nobody takes it for what was chosen."""
    assert "not taken" not in text_of(await busy.page("/report"))
    await busy.say("nova", "[DECISION] reject a longer timeout")
    assert "not taken reject a longer timeout" in text_of(await busy.page("/report"))


async def test_a_report_shows_members_tasks_and_transcript(busy):
    """Counted: messages, share, what was sent back."""
    text = text_of(await busy.page("/report"))
    assert re.search(r"nova Builder agent \d+ \d+ % 0", text)
    assert "T-01 Roll back awaiting review nova atlas 1" in text
    assert "What changed on Thursday?" in text


async def test_a_report_of_many_lines_comes_in_pages(web):
    """And what is marked early is found from wherever one reads."""
    room = await web.create("Long")
    await room.join("ann", "human")
    early = await room.say("ann", "[DECISION] early")
    for number in range(2, 252):
        await room.say("ann", f"line {number}.")
    id = await export(room)
    for path in (f"/r/{room.code}/report", f"/reports/{id}"):
        html = await web.page(path)
        assert early not in ids_of(html)
        assert f'href="{path}?at={early}#line-{early}"' in html
        assert early in ids_of(await web.page(f"{path}?at={early}"))
        older = re.search(r'href="([^"]*)#end">Older lines', html)
        assert ids_of(await web.page(older[1]))[0] == early


async def test_a_report_is_data_as_well(busy):
    """The shape that clients know, whole."""
    id = await export(busy)
    data = await busy.web.data(f"/reports/{id}")
    assert (
        data
        == await busy.web.data(f"/r/{busy.code}/report")
        == (await busy.web.get(f"/reports/{id}?format=json")).json()
    )
    assert (data["id"], data["code"], data["decisions"]) == (id, busy.code, ["nova: roll back"])


@pytest.mark.parametrize("form", ["minutes", "adr", "pr"])
async def test_a_report_is_downloaded_as_markdown(busy, form):
    """Under a name that says what it is; the page links to it."""
    id = await export(busy)
    for path in (f"/reports/{id}", f"/r/{busy.code}/report"):
        assert f'href="{path}?format={form}"' in await busy.web.page(path)
        answer = await busy.web.get(f"{path}?format={form}", accept="application/json")
        assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
        name = f"Why-is-checkout-slow-{busy.code}.md"
        assert answer.headers["content-disposition"] == f"attachment; filename=\"{name}\"; filename*=UTF-8''{name}"
        assert "roll back" in answer.text


async def test_a_file_name_keeps_letters_of_all_scripts(web):
    """In the form that RFC 8187 reads; the plain one has a stand-in for each."""
    room = await web.create("Größe")
    disposition = (await web.get(f"/r/{room.code}/report?format=minutes")).headers["content-disposition"]
    assert f'filename="Gr__e-{room.code}.md"' in disposition
    assert f"filename*=UTF-8''Gr%C3%B6%C3%9Fe-{room.code}.md" in disposition


async def test_an_unknown_format_is_refused(busy):
    """With the ones there are."""
    answer = await busy.web.get(f"/r/{busy.code}/report?format=pdf")
    assert answer.status_code == 400
    assert "Use minutes, adr, pr or json." in text_of(answer.text)


async def test_a_report_needs_no_key_and_its_id_says_nothing_about_the_room(keyed):
    """Whoever has the address may read it (gap 83)."""
    room = await keyed.create("Secret plan")
    id = await export(room)
    assert room.code not in id
    assert len(id) >= 24
    assert "Secret plan" in (await keyed.get(f"/reports/{id}")).text
    assert (await keyed.get(f"/reports/{id}x")).status_code == 404
    assert (await keyed.get(f"/reports/{room.code}")).status_code == 404
