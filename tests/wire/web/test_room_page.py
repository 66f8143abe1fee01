"""The page of a room: who is here, what there is to do, what was said, and the way to what is not shown."""

import re

from stateroom.core.context import WriteContext
from stateroom.core.floor import SetMode
from stateroom.core.holding import ClaimTask
from stateroom.core.ids import Name, Position
from stateroom.core.lifecycle import EndRoom, SetPolicy
from stateroom.core.messages import WithdrawMessage
from stateroom.core.proving import SubmitTask
from stateroom.core.seats import MuteMember
from stateroom.core.tasks import MoveTask, OpenTask
from stateroom.core.turns import ModeConfig
from stateroom.engine import attachments
from tests.wire.web.conftest import DECISION, ids_of, line, text_of


async def test_the_page_shows_topic_code_and_host(busy):
    """In the heading, in the title and among the facts."""
    html = await busy.page()
    assert "<title>Why is checkout slow? · Stateroom</title>" in html
    assert '<h1 dir="auto">Why is checkout slow?</h1>' in html
    assert busy.code in text_of(html)
    assert re.search(r"since \d{4}-\d\d-\d\d \d\d:\d\d UTC , by mara", text_of(html))


async def test_times_are_for_people_and_for_machines(busy):
    """In UTC, to the minute, and whole in `datetime`."""
    html = await busy.page()
    found = re.findall(r'<time datetime="([^"]*)" title="([^"]*)">', html)
    assert found
    for machine, person in found:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", machine)
        assert person == f"{machine[:10]} {machine[11:16]} UTC"


async def test_members_are_shown_with_kind_role_and_presence(busy):
    """Whoever listens comes first."""
    with busy.web.engine.presence.listening(busy.card.key, "atlas"):
        text = text_of(await busy.page())
    members = text[text.index("Members 3") : text.index("Board To do")]
    assert re.search(r"atlas Reviewer listening mara host person Lead online nova Builder online", members)


async def test_a_muted_member_is_shown_as_such(busy):
    """And nobody else is."""
    await busy.do("mara", MuteMember("nova"))
    assert re.findall(r"(\w+) muted", text_of(await busy.page()))[:1] == ["nova"]


async def test_who_was_seen_long_ago_is_away(web, monkeypatch):
    """With the time at which it was seen."""
    room = await web.create()
    await room.join("nova")
    now = web.engine.clock()
    monkeypatch.setattr(web.engine.presence, "_clock", lambda: now + 400_000)
    assert re.search(r"nova away, seen \d{4}-\d\d-\d\d \d\d:\d\d UTC", text_of(await room.page()))


async def test_lines_carry_their_marks_as_tags(busy):
    """One tag for each kind, on the line that makes it."""
    html = await busy.page()
    tagged = line(html, ids_of(html)[2])
    assert re.findall(r'class="tag (\w+)"', tagged) == ["result", "decision"]
    assert "[RESULT] retries went from 1 to 4\n[DECISION] roll back" in tagged
    assert 'class="tag' not in line(html, ids_of(html)[0])
    twice = await busy.say("nova", "[TODO] one [TODO] two")
    assert line(await busy.page(), twice).count('class="tag') == 1


async def test_status_notes_and_lines_of_the_room_look_different(busy):
    """By class, so that the style sheet dims the ones and shrinks the others."""
    html = await busy.page()
    kinds = re.findall(r'class="line (\w+)"', html)
    assert kinds[:4] == ["said", "status", "said", "system"]
    added = line(html, ids_of(html)[3])
    assert "Roll back" in added
    assert added.count("📝") == 1


async def test_an_answer_links_to_what_it_answers(busy):
    """With the beginning of it."""
    html = await busy.page()
    first, answer = ids_of(html)[0], ids_of(html)[2]
    assert f'<a href="#line-{first}">In reply to <bdi>mara</bdi></a>' in line(html, answer)
    assert "What changed on Thursday?" in line(html, answer)


async def test_what_was_withdrawn_is_not_shown(busy):
    """Neither on its line nor where it is quoted; its place stays."""
    first = ids_of(await busy.page())[0]
    await busy.do("mara", WithdrawMessage(Position(first)))
    html = await busy.page()
    assert "What changed on Thursday?" not in html
    assert 'class="line withdrawn"' in line(html, first)


async def test_an_attachment_is_a_link_that_serves_it(web):
    """With its type and size."""
    room = await web.create()
    await room.join("nova")
    data = b"a,b\n" * 400
    stored = await attachments.upload(
        web.engine, web.caller, room.card, name="p 99.csv", mime="text/csv", data=data, by="nova"
    )
    await room.say("nova", "Numbers.", attachments=(stored.id,))
    html = await room.page()
    [href] = re.findall(r'<a href="(/blobs/[^"]*)"', html)
    assert "text/csv, 2 KB" in html
    assert (await web.get(href)).content == data


async def test_the_turn_says_who_has_the_floor_and_who_is_next(busy):
    """And in an open room that everybody may speak."""
    assert "Open: everybody may speak." in text_of(await busy.page())
    await busy.do("mara", SetMode("sequential", ModeConfig(lead=Name("nova"))))
    assert "Nobody has the floor" in text_of(await busy.page())
    await busy.say("mara", "Go on.")
    text = text_of(await busy.page())
    assert re.search(r"nova has the floor as lead, until \d\d:\d\d UTC\. Next: atlas ?\.", text)
    assert "nova has the floor Builder" in text


async def test_the_board_shows_columns_with_verifier_and_evidence(busy):
    """What waits, what was shown, what was said to it."""
    text = text_of(await busy.page())
    board = text[text.index("Board To do") : text.index("Context 1")]
    assert "To do 1 T-02 Load test waits for T-01" in board
    assert "Awaiting review 1 T-01 Roll back held by nova awaits the verdict of atlas since" in board
    assert "evidence by nova: run, exit code 0, submission 2" in board
    assert "Definition of done A green run" in board


async def test_a_run_that_failed_is_shown_as_an_alarm(web):
    """In colour and with a sign, so that nobody needs the colour."""
    room = await failed_room(web)
    html = await room.page()
    assert re.search(r'class="failed">⚠ <bdi>evidence by nova: run FAILED with exit code 1</bdi>', html)


async def failed_room(web):

    room = await web.create()
    await room.join("nova")
    await room.do("nova", OpenTask("x", dod="d"))
    await room.do("nova", ClaimTask("T-01"))
    await room.do("nova", SubmitTask("T-01", "f", "e", "boom", 1))
    return room


async def test_a_verdict_and_a_blocked_task_give_their_reasons(busy):
    """In a column of their own, which is not there otherwise."""
    assert "Blocked" not in text_of(await busy.page())
    await busy.do("mara", MoveTask("T-02", "blocked", note="no sale data"))
    assert "Blocked 1 T-02" in text_of(await busy.page())


async def test_context_entries_are_listed(busy):
    """Type, version, summary, author and for whom, in a table with headers."""
    html = await busy.page()
    assert "C-01 arch decision 1.0 Retries live in the gateway nova atlas" in text_of(html)
    assert '<th scope="col">Version</th>' in html


async def test_of_many_tasks_members_and_entries_some_are_shown_and_all_are_counted(web):
    """So that a page has an end. What is long is cut."""
    room = await web.create()
    for number in range(205):
        await room.join(f"n{number}")
    for number in range(103):
        await room.do("n1", OpenTask(f"task {number}", dod="d" * 5_000))
        await room.do("n1", WriteContext("arch_decision", "s" * 4_000, DECISION))
    html = await room.page()
    assert (html.count('class="task"'), html.count("presence online"), html.count('<th scope="row">')) == (
        100,
        200,
        100,
    )
    text = text_of(html)
    for said in ("Members 205", "and 5 more", "To do 103", "and 3 more", "Context 103", "and 3 older ones", "C-103"):
        assert said in text
    assert "d" * 399 + "…" in text
    assert len(html) < 500_000


async def test_an_empty_room_says_so(web):
    """Instead of empty lists."""
    text = text_of(await (await web.create()).page())
    for sentence in ("There are no tasks.", "Nothing has been said yet.", "Nobody has joined yet."):
        assert sentence in text


async def test_a_room_that_ended_says_so(busy):
    """And can still be read."""
    await busy.do("mara", EndRoom())
    text = text_of(await busy.page())
    assert "The room was ended at" in text
    assert "What changed on Thursday?" in text


async def test_a_closed_exchange_is_announced(web):
    """Until a person speaks."""
    room = await web.create()
    for name in ("nova", "atlas"):
        await room.join(name)
    await room.join("mara", "human")
    await room.do("mara", SetPolicy(exchange_limit=2))
    for name in ("nova", "atlas"):
        await room.say(name, "thanks")
    assert "The exchange is closed" in text_of(await room.page())
    await room.say("mara", "Go on.")
    assert "The exchange is closed: agents" not in text_of(await room.page())
