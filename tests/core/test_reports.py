"""What a room remembers of its reports."""

from stateroom.core.lifecycle import EndRoom
from stateroom.core.reports import KeepReport, ReportCard, ReportKept
from tests.core.talking import Talk


def test_a_report_is_kept_with_when_and_by_whom():
    """The room is not told, and nobody becomes a member by it."""
    talk = Talk("ann")
    card = ReportCard("r1", "d" * 64, 3, talk.now, "zoe")
    answer = talk.when("zoe", KeepReport("r1", "d" * 64, 3)).then(ReportKept(card))
    assert (answer.log[-1].event.told, answer.log[-1].line) == (False, 0)
    assert talk.room.reports.newest() == card
    assert "zoe" not in talk.room.members.names()


def test_the_newest_two_hundred_are_remembered(monkeypatch):
    """Oldest first; older ones are still found by their ids."""
    monkeypatch.setattr("stateroom.core.reports.REPORTS_KEPT", 3)
    talk = Talk("ann")
    assert talk.room.reports.newest() is None
    for number in range(5):
        talk.do("", KeepReport(f"r{number}", "d" * 64, number))
    assert [card.id for card in talk.room.reports.cards] == ["r2", "r3", "r4"]


def test_an_ended_room_is_reported():
    """That is when most reports are made."""
    talk = Talk("ann")
    talk.host(EndRoom())
    talk.when("ann", KeepReport("r1", "d" * 64, 3)).then(ReportKept)
