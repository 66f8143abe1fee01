"""Reports over `/api/room` (agent-room §15)."""

from .conftest import Room


async def test_a_report_is_made_and_found_again(room: Room):
    """Frozen: what is said later is not in it; what the client reads of it is there."""
    await room.join("Nova")
    await room.say("Nova", "[DECISION] use the cache")
    assert await room.ok("getReport") == {"report": None}
    report = (await room.ok("createReport"))["report"]
    assert (report["messageCount"], len(report["participants"]), report["code"]) == (1, 2, room.code)
    await room.say("Nova", "more")
    assert (await room.ok("getReport"))["report"] == report
    assert report["url"].startswith("http://rooms.test/reports/")
    await room.host("end")
    assert (await room.ok("createReport", name="Nova"))["report"]["messageCount"] > 1


async def test_a_decision_becomes_context_once(room: Room):
    """By its artifact's id, linked to its line; asked twice it is one entry, and a stranger may not."""
    await room.join("Nova")
    await room.say("Nova", "[DECISION] use the cache")
    artifact = (await room.ok("createReport"))["report"]["artifacts"][0]
    first = await room.ok("decisionToContext", artifactId=artifact["id"], name="Nova")
    assert first["context"]["type"] == "arch_decision"
    assert await room.ok("decisionToContext", artifactId=artifact["id"], name="Nova") == first
    assert await room.refused("decisionToContext", artifactId=artifact["id"], name="Sol") == "NotParticipantError"
    assert await room.refused("decisionToContext", artifactId="none", name="Nova") == "ArtifactNotFoundError"
