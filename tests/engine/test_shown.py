"""What was just read for somebody is good for the next one, as long as the log stands where it stood."""

from stateroom.core.speech import Say
from stateroom.engine import conversation, transcript
from stateroom.engine.shown import KEPT, LINES, Shown


def test_an_answer_holds_while_the_log_stands_still():
    """Another state of the log, or another life of it, has another answer."""
    shown = Shown[str]()
    shown.keep(("a", 0, 5), (5, 100, 1), "five lines")
    assert shown.find(("a", 0, 5), (5, 100, 1)) == "five lines"
    assert shown.find(("a", 0, 5), (6, 110, 1)) is None
    assert shown.find(("a", 0, 5), (5, 100, 2)) is None
    assert shown.find(("a", 1, 4), (5, 100, 1)) is None


def test_only_the_latest_and_the_short_are_kept():
    """So the memory it takes is bounded."""
    shown = Shown[int]()
    for line in range(KEPT + 1):
        shown.keep(("a", line, 1), (1,), line)
    assert shown.find(("a", 0, 1), (1,)) is None
    assert shown.find(("a", KEPT, 1), (1,)) == KEPT
    shown.keep(("a", 0, LINES + 1), (1,), 0)
    assert shown.find(("a", 0, LINES + 1), (1,)) is None


async def test_listeners_share_what_they_are_told_until_something_is_said(bench):
    """Two who ask for the same lines get the same answer; the next line makes another."""
    made = await conversation.create(bench.engine, bench.caller, "Shared", "Hal")
    await conversation.join(bench.engine, bench.caller, made.card, conversation.Newcomer("ann"))
    await conversation.say(bench.engine, bench.caller, made.card, "ann", Say("one"))
    first = await transcript.after(bench.engine, made.card, 0)
    assert await transcript.after(bench.engine, made.card, 0) is first
    await conversation.say(bench.engine, bench.caller, made.card, "ann", Say("two"))
    again = await transcript.after(bench.engine, made.card, 0)
    assert [entry.event.text for entry in again.entries] == ["one", "two"]
