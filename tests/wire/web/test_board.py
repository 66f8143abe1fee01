"""The board on a room's page: leases, silence, verdicts that are waited for, and evidence that is not what it seems."""

import re

import httpx2
import pytest_asyncio

from stateroom.app import StateroomApp, make_engine
from stateroom.core.claims import STALL_MS
from stateroom.core.halting import CancelTask
from stateroom.core.handing import RequestHandoff
from stateroom.core.holding import ClaimTask
from stateroom.core.lifecycle import SetPolicy
from stateroom.core.policy import REVIEW_SECONDS
from stateroom.core.proving import ReportCommit, SubmitTask, VerifyTask
from stateroom.core.tasks import OpenTask
from stateroom.settings import Settings
from tests.serving import serving
from tests.wire.across.house import AheadClock
from tests.wire.web.conftest import Web, text_of

TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"


@pytest_asyncio.fixture
async def board(tmp_path):
    """mara's room with nova and atlas, and T-01, which has no verifier; `board.pass_s` lets time pass."""
    settings, clock = Settings(store=f"sqlite:///{tmp_path / 'rooms.db'}"), AheadClock()
    async with (
        serving(settings, StateroomApp(make_engine(settings, clock), settings)) as served,
        httpx2.AsyncClient(base_url=served.url, timeout=20, trust_env=False) as http,
    ):
        room = await Web(served, http).create()
        for name, kind in (("mara", "human"), ("nova", "agent"), ("atlas", "agent")):
            await room.join(name, kind)
        await room.do("mara", OpenTask("Roll back"))

        async def pass_s(seconds):
            clock.ahead_ms += round(seconds * 1000)
            await served.engine.tick(room.card)

        room.pass_s = pass_s
        yield room


async def card(room, id="T-01"):
    """One task's HTML."""
    html = await room.page()
    start = html.rindex('<li class="task', 0, html.index(f"<code>{id}</code>"))
    return html[start : html.index("</li>", start)]


async def shown(room, id="T-01"):
    """What a reader sees of one task."""
    return text_of("<body" + await card(room, id))


def alarms(html):
    """What is shown in red, with its sign."""
    return [text_of(f"<body{one}") for one in re.findall(r'<p class="failed"(>.*?</p>)', html)]


def failing(commit=""):
    return SubmitTask("T-01", "client.py", "retry.max = 1", "1 failed", 1, commit=commit)


async def test_a_lease_shows_when_it_ends_and_who_asks(board):
    """Without a lease there is no end; nothing about it is an alarm."""
    await board.do("nova", ClaimTask("T-01"))
    assert "lease" not in await shown(board)
    await board.do("nova", ClaimTask("T-01", 86_400))
    await board.do("atlas", RequestHandoff("T-01"))
    text = await shown(board)
    assert re.search(rf"held by nova lease until {TIME} asked for by atlas", text)
    assert (alarms(await card(board)), "loud" in await card(board)) == ([], False)


async def test_a_silent_holder_is_an_alarm_until_it_does_something(board):
    """With its last sign of life."""
    await board.do("nova", ClaimTask("T-01"))
    await board.pass_s(STALL_MS / 1000)
    (said,) = alarms(await card(board))
    assert re.fullmatch(rf"⚠ stalled: nothing since {TIME}", said)
    assert 'class="task loud"' in await card(board)
    await board.say("nova", "still here")
    assert alarms(await card(board)) == []


async def test_a_verdict_that_is_waited_for_says_whose_and_since_when(board):
    """Anybody's but the owner's, or its verifier's; overdue by the room's policy."""
    await board.do("nova", SubmitTask("T-01", "client.py", "retry.max = 1", "42 passed", 0))
    assert re.search(rf"awaits the verdict of anybody but its owner since {TIME}", await shown(board))
    assert alarms(await card(board)) == []
    await board.pass_s(REVIEW_SECONDS - 1)
    assert alarms(await card(board)) == []
    board.web.engine.presence.stamp(board.card.key, "atlas")
    await board.pass_s(1)
    assert "awaits the verdict of atlas since" in await shown(board)
    assert alarms(await card(board)) == ["⚠ verdict overdue"]
    await board.do("mara", SetPolicy(review_seconds=0))
    assert alarms(await card(board)) == []


async def test_a_failed_run_and_stale_evidence_are_said_in_red(board):
    """With the exit code and both commits; a verdict quiets the card, and the run stays a failed one."""
    await board.do("nova", failing("abc1234"))
    assert alarms(await card(board)) == ["⚠ evidence by nova: run FAILED with exit code 1"]
    await board.do("nova", ReportCommit("T-01", "def5678"))
    assert alarms(await card(board))[1:] == ["⚠ stale evidence: it is about commit abc1234, now def5678 is reported"]
    assert 'class="task loud"' in await card(board)
    await board.do("atlas", VerifyTask("T-01", "done", "known failure"))
    assert alarms(await card(board)) == ["⚠ evidence by nova: run FAILED with exit code 1"]
    assert 'class="task"' in await card(board)


async def test_evidence_without_a_commit_is_stale_once_there_is_one(board):
    """And a run that says it went well while its output does not is looked at."""
    await board.do("nova", SubmitTask("T-01", "client.py", "retry.max = 1", "2 failed <b>", 0))
    await board.do("atlas", ReportCommit("T-01", "def5678"))
    said = alarms(await card(board))
    assert said[0] == "⚠ stale evidence: it names no commit, now def5678 is reported"
    assert said[1].startswith("⚠ exitCode is 0, but its output says")
    await board.do("atlas", VerifyTask("T-01", "rejected", "run it again"))
    assert len(alarms(await card(board))) == 2


async def test_a_board_with_nothing_left_to_do_says_since_when(board):
    """Until there is something to do again."""
    done = rf"Nothing is left to do on the board, since {TIME}"
    assert not re.search(done, text_of(await board.page()))
    await board.do("nova", SubmitTask("T-01", "client.py", "retry.max = 1", "42 passed", 0))
    await board.do("atlas", VerifyTask("T-01", "done"))
    assert re.search(done, text_of(await board.page()))
    await board.do("mara", OpenTask("one more"))
    assert not re.search(done, text_of(await board.page()))
    await board.do("mara", CancelTask("T-02"))
    assert re.search(done, text_of(await board.page()))
