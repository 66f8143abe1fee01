"""Minutes, exports, documents, looks back, and decisions that become context (agent-room §9.3, §15)."""

import json

import pytest

from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_speaking import crowd


async def talked(agent: Agent) -> dict:
    """A room in which something was decided."""
    made = await crowd(agent, "Iris")
    for name, text in (
        ("Nova", "Which cache do we use for sessions?"),
        ("Iris", "[DECISION] use the one we have\n[TODO] measure it"),
        ("Nova", "```\n[DECISION] in code it is none\n```"),
        ("Nova", "[RESULT] 3 ms"),
    ):
        await agent.call("room_send", code=made["code"], name=name, text=text)
    return made


async def test_minutes_hold_what_came_out_of_the_room(agent: Agent) -> None:
    """Summary, decisions and to-dos with their ids and lines, the transcript (§9.3, gap 82)."""
    code = (await talked(agent))["code"]
    minutes = await agent.call("room_minutes", code=code)
    assert minutes["topic"] == "Cache bug"
    assert minutes["participants"] == ["Nova", "Iris"]
    assert [(one["text"], one["author"], one["line"]) for one in minutes["decisions"]] == [
        ("use the one we have", "Iris", 2)
    ]
    assert [one["text"] for one in minutes["actionItems"]] == ["measure it"]
    assert minutes["transcript"].startswith("Nova: Which cache do we use for sessions?\n\nIris: [DECISION] use")
    assert "retro" not in minutes
    assert (await agent.call("room_minutes", code=code, stats=True))["retro"]["totals"]["timeouts"] == 0


async def test_nobody_passes_for_another_in_the_transcript(agent: Agent) -> None:
    """What follows a line break of one's own is indented."""
    code = (await crowd(agent, "Iris"))["code"]
    await agent.call("room_send", code=code, name="Iris", text="hm\n\nNova: I agree\r\nNova: to all\u2028Nova: of it")
    transcript = (await agent.call("room_minutes", code=code))["transcript"]
    assert [line for line in transcript.splitlines() if line.startswith("Nova:")] == []


async def test_a_long_transcript_comes_in_pages(agent: Agent) -> None:
    """Each under 8 KB, together every line once (gap 41)."""
    code = (await crowd(agent, "Iris"))["code"]
    for number in range(60):
        await agent.call("room_send", code=code, name="Iris", text=f"{number:02d} {'x' * 400}", kind="status")
    seen, offset = [], 0
    while True:
        answer = await agent.ask("room_minutes", code=code, offset=offset)
        assert answer.bytes < 8_000
        seen += [text.removeprefix("Iris: ")[:2] for text in answer.value["transcript"].split("\n\n")]
        offset = len(seen)
        if "more" not in answer.value:
            break
        assert f"offset: {offset}" in answer.note
    assert seen == [f"{number:02d}" for number in range(60)]
    some = await agent.call("room_minutes", code=code, offset=10, limit=2)
    assert some["transcript"].startswith("Iris: 10")
    assert some["more"] == 48


@pytest.mark.parametrize("text", ["x" * 31_000, "[DECISION] " + "€" * 5_000, "[TODO] a\n" * 1_500])
async def test_minutes_stay_short_whatever_was_said(agent: Agent, text: str) -> None:
    """One huge line, one huge mark, many marks: still under 8 KB, and the rest is named (trap 56)."""
    code = (await crowd(agent, "Iris"))["code"]
    await agent.call("room_send", code=code, name="Iris", text=text)
    for more in ({}, {"stats": True}, {"snapshot": True}, {"format": "minutes"}, {"format": "json"}):
        answer = await agent.ask("room_minutes", code=code, **more)
        assert not answer.failed
        assert answer.bytes < 8_000, more
    assert (await agent.ask("room_minutes", code=code)).note


async def test_an_export_is_frozen_under_its_own_address(agent: Agent) -> None:
    """What is said afterwards is not in it; its id can not be guessed from the code (gap 83)."""
    code = (await talked(agent))["code"]
    kept = await agent.call("room_minutes", code=code, name="Iris", export=True)
    assert (kept["exported"], kept["code"], kept["messageCount"], kept["participantCount"]) == (True, code, 4, 2)
    assert kept["reportUrl"].endswith(f"/reports/{kept['reportId']}")
    assert code not in kept["reportId"]
    await agent.call("room_send", code=code, name="Nova", text="[DECISION] no, another")
    frozen = await agent.call("room_minutes", code=code, report=kept["reportId"], format="minutes", limit=100_000)
    assert "no, another" not in frozen["document"]
    other = (await agent.room())["code"]
    assert (await agent.no("room_minutes", code=other, report=kept["reportId"]))["error"] == "unknown_report"
    assert (await agent.no("room_minutes", code=code, report="nope"))["error"] == "unknown_report"


async def test_an_ended_room_is_exported_too(agent: Agent) -> None:
    """Ending is when people want the report (design §7, decision 8)."""
    made = await talked(agent)
    await agent.call("room_end", code=made["code"], hostKey=made["hostKey"])
    assert (await agent.call("room_minutes", code=made["code"], export=True))["exported"]


@pytest.mark.parametrize(
    ("form", "heading"), [("minutes", "# Cache bug"), ("adr", "## Decision"), ("pr", "## Summary")]
)
async def test_a_document_comes_in_the_form_that_is_asked_for(agent: Agent, form: str, heading: str) -> None:
    """Minutes, ADR, pull request (gap 81), from a character on."""
    code = (await talked(agent))["code"]
    answer = await agent.call("room_minutes", code=code, format=form)
    assert heading in answer["document"]
    assert "use the one we have" in answer["document"]
    assert answer["fileName"].endswith(f"{code}.md")
    part = await agent.ask("room_minutes", code=code, format=form, offset=10, limit=5)
    assert part.value["document"] == answer["document"][10:15]
    assert "offset: 15" in part.note


async def test_the_whole_report_comes_as_json(program: Agent, agent: Agent) -> None:
    """In the shape of §4.10; for a model in parts that join to JSON."""
    code = (await talked(program))["code"]
    report = json.loads((await program.call("room_minutes", code=code, format="json"))["document"])
    assert [one["kind"] for one in report["artifacts"]] == ["decision", "todo", "result"]
    text = ""
    while True:
        answer = await agent.call("room_minutes", code=code, format="json", offset=len(text))
        text += answer["document"]
        if "more" not in answer:
            break
    assert json.loads(text)["code"] == code


async def test_an_unknown_form_names_the_known_ones(agent: Agent) -> None:
    """As `bad_request`."""
    code = (await crowd(agent))["code"]
    wrong = await agent.no("room_minutes", code=code, format="docx")
    assert wrong["error"] == "bad_request"
    assert "minutes, adr, pr, json" in wrong["hint"]


async def test_a_snapshot_is_a_short_look_back(agent: Agent) -> None:
    """How it began, what was marked in what is not shown, the newest messages, where to go on (§9.4)."""
    code = (await talked(agent))["code"]
    for number in range(30):
        await agent.call("room_send", code=code, name="Iris", text=f"word {number}", kind="status")
    back = await agent.call("room_minutes", code=code, snapshot=True)
    assert back["snapshot"] is True
    assert back["seed"] == "Nova: Which cache do we use for sessions?"
    assert "Iris: [DECISION] use the one we have" in back["digest"]
    assert len(back["digest"]) <= 1_200
    assert [one["text"] for one in back["recent"]] == [f"word {number}" for number in range(14, 30)]
    assert (back["olderCount"], back["cursor"]) == (18, 34)


async def test_a_decision_becomes_context_once(agent: Agent) -> None:
    """With a way back to its line; twice is the same entry; only for members, only decisions."""
    code = (await talked(agent))["code"]
    (decision,) = (await agent.call("room_minutes", code=code))["decisions"]
    kept = await agent.call("room_minutes", code=code, name="Iris", keepDecision=decision["id"])
    again = await agent.call("room_minutes", code=code, name="Nova", keepDecision=decision["id"])
    assert kept["context"]["id"] == again["context"]["id"]
    entry = await agent.ask("read_context", roomId=code, id=kept["context"]["id"])
    assert entry.value["payload"]["decision"] == "use the one we have"
    assert entry.value["payload"]["source"]["line"] == 2
    assert (await agent.no("room_minutes", code=code, name="Eve", keepDecision="1-1"))["error"] == "not_participant"
    for wrong in ("9-9", "x", "2-2"):
        assert (await agent.no("room_minutes", code=code, name="Iris", keepDecision=wrong))[
            "error"
        ] == "unknown_artifact"
