"""How one turn moves: deadlines, who follows whom, when it is over."""

import pytest

from stateroom.core import turns
from stateroom.core.turns import (
    GRACE_MS,
    SPOKEN_KEPT,
    Invitation,
    ModeConfig,
    Slot,
    Timeouts,
    begin,
    give,
    noted,
    over,
    passed,
    renewed,
    silent,
    stepped_in,
    without,
)

ALL = ["ann", "bob", "cyn"]
PLAIN = ModeConfig()


def turn(leader="ann", others=ALL, config=PLAIN, mode="sequential"):
    return begin(mode, config, leader, others, 1_000)


def floor_of(now):
    """`name role` of the speaker, and who waits."""
    current = f"{now.current.name} {now.current.role}" if now.current else ""
    return current, [slot.name for slot in now.queue]


def test_a_turn_begins_with_the_lead_and_everybody_else_in_line():
    """In order of joining, the lead itself not among them."""
    assert floor_of(turn("bob")) == ("bob lead", ["ann", "cyn"])
    assert {slot.role for slot in turn().queue} == {"supplement"}
    assert (turn().id, turn().leader) == (1_000, "ann")


def test_a_moderators_turn_has_no_line():
    """Others are invited, not queued."""
    assert floor_of(turn(mode="moderator")) == ("ann moderator", [])


@pytest.mark.parametrize(
    ("role", "first_s", "hard_s"), [("lead", 150, 600), ("supplement", 150, 600), ("wrap", 150, 600)]
)
def test_a_speaker_has_150_seconds_to_its_first_word_and_600_in_all(role, first_s, hard_s):
    """Counted from when it was given the floor."""
    now = give(turn(), Slot("bob", role), PLAIN, 50_000)
    assert (now.since, now.deadline) == (50_000, 50_000 + first_s * 1000)
    assert now.hard_deadline == 50_000 + hard_s * 1000


def test_a_moderator_has_600_seconds_and_no_hard_end():
    """It keeps the floor for as long as it speaks."""
    now = give(turn(mode="moderator"), Slot("ann", "moderator"), PLAIN, 0)
    assert (now.deadline, now.hard_deadline, now.grace_until) == (600_000, None, None)


@pytest.mark.parametrize("role", ["lead", "supplement", "wrap", "moderator"])
def test_a_rooms_own_times_go_before_ours(role):
    """Each role has its own, and the hard end is never before the first deadline."""
    config = ModeConfig(timeouts=Timeouts(**{role: 700_000}))
    now = give(turn(), Slot("bob", role), config, 0)
    assert now.deadline == 700_000
    assert now.hard_deadline == (None if role == "moderator" else 700_000)
    other = "wrap" if role != "wrap" else "lead"
    assert give(turn(), Slot("bob", other), config, 0).deadline == 150_000


@pytest.mark.parametrize(
    ("grace_ms", "lead_ms", "expected"),
    [(None, None, GRACE_MS), (None, 5_000, 5_000), (0, None, 0), (90_000, None, 90_000), (1, 5_000, 1)],
)
def test_how_long_the_lead_is_waited_for(grace_ms, lead_ms, expected):
    """20 s, never longer than the lead has at all, or as the room says."""
    config = ModeConfig(timeouts=Timeouts(lead=lead_ms), grace_ms=grace_ms)
    assert config.grace() == expected
    assert turn(config=config).grace_until == 1_000 + expected


def test_only_a_lead_that_others_wait_for_is_on_grace():
    """Nobody could step in for one who is alone, and nobody does for a supplement or at the end."""
    assert turn(others=["ann"]).grace_until is None
    for role in ("supplement", "wrap"):
        assert give(turn(), Slot("bob", role), PLAIN, 0).grace_until is None


def test_when_the_next_in_line_may_step_in():
    """From the end of the grace on, while the lead has shown no life, and only the first in line."""
    now = turn()
    assert now.stand_in(1_000 + GRACE_MS - 1) is None
    assert now.stand_in(1_000 + GRACE_MS) == "bob"
    assert renewed(now, 2_000).stand_in(99_000) is None
    assert over(now).stand_in(99_000) is None
    supplement = passed(now, "replied", PLAIN, ALL, 2_000)
    assert supplement.stand_in(99_000) is None


def test_a_turn_goes_through_all_and_back_to_the_lead():
    """lead, supplements in line, wrap, over; each with a fresh deadline."""
    now, seen = turn(), []
    for step in range(4):
        seen.append(floor_of(now)[0])
        assert now.deadline == now.since + 150_000
        now = passed(now, "replied", PLAIN, ALL, 10_000 * (step + 1))
    assert seen == ["ann lead", "bob supplement", "cyn supplement", "ann wrap"]
    assert not now.running
    assert [(one.name, one.role, one.at) for one in now.spoken] == [
        ("ann", "lead", 10_000),
        ("bob", "supplement", 20_000),
        ("cyn", "supplement", 30_000),
        ("ann", "wrap", 40_000),
    ]


@pytest.mark.parametrize("bob", ["replied", "no_addition", "timed_out", "skipped"])
@pytest.mark.parametrize("cyn", ["replied", "no_addition", "timed_out", "skipped"])
@pytest.mark.parametrize("lead", ["replied", "no_addition", "timed_out", "skipped"])
def test_the_lead_closes_only_what_somebody_added_to(lead, bob, cyn):
    """Whatever became of its own answer."""
    now = turn()
    for ending in (lead, bob, cyn):
        now = passed(now, ending, PLAIN, ALL, 2_000)
    assert floor_of(now) == ("ann wrap" if "replied" in (bob, cyn) else "", [])


def test_who_cannot_speak_any_more_is_passed_over():
    """Also the lead at the end."""
    now = passed(turn(), "replied", PLAIN, ["ann", "cyn"], 2_000)
    assert floor_of(now) == ("cyn supplement", [])
    assert not passed(now, "replied", PLAIN, ["bob", "cyn"], 3_000).running


def test_stepping_in_takes_the_leads_place():
    """The lead is noted as skipped, the one who spoke as having replied, and the next in line has the floor."""
    now = stepped_in(turn(), PLAIN, ALL, 30_000)
    assert floor_of(now) == ("cyn supplement", [])
    assert [(one.name, one.role, one.ending) for one in now.spoken] == [
        ("ann", "lead", "skipped_by_grace"),
        ("bob", "supplement", "replied"),
    ]


def test_stepping_in_as_the_last_in_line_leads_to_the_wrap():
    """Something was added, so the lead may close."""
    assert floor_of(stepped_in(turn(others=["ann", "bob"]), PLAIN, ALL, 30_000)) == ("ann wrap", [])


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (1_000, 301_000),
        (100_000, 400_000),
        (301_000, 601_000),
        (550_000, 601_000),
        (601_000, 601_000),
    ],
)
def test_a_sign_of_life_gives_300_seconds_from_then_within_the_600(now, expected):
    """Never past the hard end."""
    assert renewed(turn(), now).deadline == expected


def test_a_sign_of_life_never_takes_time_away():
    """A room may give a speaker more than a sign of life would."""
    config = ModeConfig(timeouts=Timeouts(lead=590_000))
    assert renewed(turn(config=config), 2_000).deadline == 591_000
    assert renewed(turn(config=config), 2_000).hard_deadline == 601_000


def test_nothing_runs_out_in_a_turn_that_is_over():
    """Only the record stays."""
    now = over(passed(turn(), "replied", PLAIN, ALL, 2_000))
    assert (now.current, now.queue, now.deadline, now.hard_deadline, now.grace_until) == (None, (), None, None, None)
    assert (now.invited, now.running, len(now.spoken)) == ((), False, 1)


def test_somebody_out_of_a_turn_is_out_of_line_and_uninvited():
    """In any spelling of its name; the speaker keeps the floor."""
    now = turns.replace(turn(), invited=(Invitation("BOB", 1, "host"), Invitation("cyn", 1, "host")))
    now = without(now, " Bob")
    assert floor_of(now) == ("ann lead", ["cyn"])
    assert [one.name for one in now.invited] == ["cyn"]
    assert without(now, "ann").current == now.current


def test_a_moderators_record_does_not_grow_for_ever():
    """Its turn may last for days, and every fact carries the record."""
    now = turn(mode="moderator")
    for at in range(SPOKEN_KEPT + 5):
        now = noted(now, now.current, "replied", at)
    assert len(now.spoken) == SPOKEN_KEPT
    assert now.spoken[-1].at == SPOKEN_KEPT + 4


def test_who_has_been_silent_since_anybody_spoke():
    """The last ones whose time has run out, newest first."""
    now = turn(mode="moderator")
    assert silent(now) == []
    for name, ending in (("ann", "timed_out"), ("bob", "replied"), ("cyn", "timed_out"), ("ann", "timed_out")):
        now = noted(now, Slot(name, "moderator"), ending, 1)
    assert silent(now) == ["ann", "cyn"]
