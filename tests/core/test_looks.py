"""How members appear, and which names look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.looks import PALETTE, TWINS, color, initials, skeleton
from stateroom.core.members import fold
from tests.core.talking import Talk


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ann", "AN"),
        ("Ann Lee", "AL"),
        ("claude code (2)", "CC"),
        ("Claude (2)", "CL"),
        ("x", "X?"),
        ("🤖", "??"),
        ("-a b", "AB"),
        ("名前", "名前"),
        ("a-b", "AB"),
    ],
)
def test_initials(name, expected):
    """Of the first two words, else the first two letters, filled up where there are fewer."""
    assert initials(name) == expected


@given(st.text(min_size=1, max_size=20).filter(lambda text: text.strip()))
def test_everybody_has_initials(name):
    """Whatever the name."""
    assert len(initials(name.strip())) >= 2


def test_everybody_has_a_colour_of_its_own_while_there_are_enough():
    """The first free one of the eight where its own is taken; then they repeat (agent-room §2.7 rule 3)."""
    talk = Talk(*[f"agent {n}" for n in "abcdefghij"])
    colors = [member.color for member in talk.room.members.by_fold.values()]
    assert set(colors[:8]) == set(PALETTE)
    assert set(colors[8:]) <= set(PALETTE)


def test_a_wanted_colour_is_kept_where_nobody_has_it():
    """It need not be of the palette; where all are used it is kept all the same."""
    assert color("ann", "#123456", []) == "#123456"
    assert color("ann", "#ec4899", ["#EC4899"]) == PALETTE[0]
    assert color("ann", PALETTE[0], PALETTE) == PALETTE[0]


def test_a_name_has_its_colour():
    """The same in every room where it is free."""
    assert color("ann", "", []) == color("ann", "", []) in PALETTE


def test_letters_that_look_alike_are_one():
    """Each stands for a letter of the Latin alphabet, and is none itself."""
    assert all(chr(plain).isascii() if isinstance(plain, int) else plain.isascii() for plain in TWINS.values())
    assert not any(chr(odd).isascii() for odd in TWINS)
    assert all(chr(odd) == chr(odd).casefold() for odd in TWINS), "they are looked up after folding"


@pytest.mark.parametrize("name", ["clаude", "cläude", "c l-a_u.d e", "ｃｌａｕｄｅ", "CLAUDE", "сӏаudе"])
def test_what_the_eye_takes_for_one_name(name):
    """Letters of other alphabets, accents, blanks and signs."""
    assert skeleton(fold(name)) == "claude"


@pytest.mark.parametrize(("name", "latin"), [("АВЕКМНОРСТХ", "ABEKMHOPCTX"), ("ΑΒΕΚΜΗΟΡ", "ABEKMHOP")])
def test_capital_letters_look_alike_too(name, latin):
    """Also where the small ones do not."""
    assert skeleton(fold(name)) == skeleton(fold(latin))


@given(st.text(max_size=12))
def test_a_name_looks_like_itself_however_it_is_written(name):
    """Space around it and between its letters changes nothing, nor does folding it twice."""
    assert skeleton(fold(name)) == skeleton(fold(f" {name} ")) == skeleton(fold(fold(name)))
