"""Who a text calls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.members import fold
from stateroom.core.mentions import MAX_CALLS, MAX_UNKNOWN, NOBODY, find

NAMES = ("Bob", "Bobby", "Ann Lee", "Claude (2)", "claude-code", "小明", "Zoë", "Weiß")
PIECES = [
    *(
        "@",
        "＠",
        "Bob",
        "bob",
        "by",
        "Ann",
        "Ann Lee",
        " Lee",
        "Claude",
        " (2)",
        " (",
        "-",
        "_",
        ".",
        "1",
        "é",
        "\u0301",
    ),
    *("小明", "看", "`", "```", "> ", "\n", " ", "mail", "*", "ß", "ﬁ", "℡", "🤖", "\u00a0", "İ"),
]
TALK = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("@Bob look", ["Bob"]),
        ("@bob, @BOBBY", ["Bob", "Bobby"]),
        ("＠Ｂｏｂ please", ["Bob"]),
        ("@Bobby", ["Bobby"]),
        ("@WEISS", ["Weiß"]),
        ("@Bob's turn", ["Bob"]),
        ("@Bob.", ["Bob"]),
        ("@Bob.Look", ["Bob"]),
        ("(@Bob) **@Ann Lee** _@zoe\u0308_ “@Bobby”", ["Bob", "Ann Lee", "Zoë", "Bobby"]),
        ("@ann\u00a0lee!", ["Ann Lee"]),
        ("cc:@Bob,@Bobby", ["Bob", "Bobby"]),
        ("@Bobby @Bob @Bobby", ["Bobby", "Bob"]),
        ("@Claude (2): yours", ["Claude (2)"]),
        ("@claude: yours", ["Claude (2)"]),
        ("@claude-code go", ["claude-code"]),
        ("请@Bob看看", ["Bob"]),
        ("@小明看看", ["小明"]),
        ("line\n@Bob", ["Bob"]),
        ("    @Bob indented", ["Bob"]),
    ],
)
def test_a_name_behind_the_sign_is_called(text, named):
    """In any spelling that folds to the name, in the order of the text, each once."""
    assert find(text, NAMES) == find(text, reversed(NAMES))
    assert list(find(text, NAMES).named) == named
    assert find(text, NAMES).unknown == ()


@pytest.mark.parametrize(
    "text",
    [
        *("", "Bob", "@ Bob", "@", "@@", "mail bob@bob.org", "x@Bob", "medium.com/@Bob", "a.@Bob", "`x`@Bob"),
        *("`@Bob`", "> @Bob", "```\n@Bob\n```"),
    ],
)
def test_nobody_is_called(text):
    """Addresses call nobody, nor do code and quotations."""
    assert find(text, NAMES) == NOBODY


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("@Bobb", ["Bobb"]),
        ("@Bob2", ["Bob2"]),
        ("@Bob_2", ["Bob_2"]),
        ("@Bob-2", ["Bob-2"]),
        ("@Bob (3)", ["Bob (3)"]),
        ("@Claude (3) and @Claude-3.5.", ["Claude (3)", "Claude-3.5"]),
        ("@bo\u0301b", ["bo\u0301b"]),
        ("@Bob\u0301", ["Bob\u0301"]),
        ("@Bob.5", ["Bob.5"]),
        ("@Ann: hi", ["Ann"]),
        ("@nobody @Nobody @NOBODY_", ["nobody"]),
        ("@Zo", ["Zo"]),
    ],
)
def test_a_call_that_is_nobody_s_name_is_told(text, unknown):
    """So that the sender can be warned; a longer word is no call of the name it begins with."""
    assert list(find(text, NAMES).unknown) == unknown
    assert find(text, NAMES).named == ()


def test_a_number_is_needed_only_when_somebody_has_the_bare_name():
    """`@Claude` is Claude; without a Claude it is everybody who is Claude with a number."""
    assert find("@Claude", ["Claude (2)", "Claude", "Claude (3)"]).named == ("Claude",)
    assert find("@Claude", ["Claude (2)", "Claude (3)"]).named == ("Claude (2)", "Claude (3)")
    assert find("@Claude (3)", ["Claude (2)", "Claude (3)"]).named == ("Claude (3)",)


def test_names_that_begin_with_a_sign_can_be_called():
    """A known name needs no letter in front; an unknown one does."""
    assert find("@🤖 Bot, @_x", ["🤖 Bot", "_x"]).named == ("🤖 Bot", "_x")
    assert find("@🤖 Bot", []) == NOBODY


def test_an_empty_name_is_nobody_s():
    """A bare sign calls nobody, whoever is known."""
    assert find("@ x @! @", ["", " "]) == NOBODY


def test_the_longest_name_is_called():
    """Of names that begin with each other."""
    assert find("@Ann Lee, @Ann", ["Ann", "Ann Lee"]).named == ("Ann Lee", "Ann")
    assert find("@Ann Leeds", ["Ann", "Ann Lee"]).named == ("Ann",)


def test_only_so_many_calls_are_looked_at():
    """A text full of signs calls nobody at its end: the work is bounded."""
    assert find("@x " * (MAX_CALLS - 1) + "@Bob", NAMES).named == ("Bob",)
    assert find("@x " * MAX_CALLS + "@Bob", NAMES).named == ()


def test_what_folds_into_a_longer_word_is_no_call():
    """The sign ℡ reads as letters, so the name goes on; yet nobody is warned that Bob is nobody."""
    assert find("@Bob℡", NAMES) == NOBODY


def test_unknown_calls_are_few():
    """At most ten are told."""
    assert len(find(" ".join(f"@n{at}" for at in range(50)), []).unknown) == MAX_UNKNOWN


@given(TALK, st.lists(st.sampled_from([*NAMES, "", " ", "İ", "ﬁ"]), max_size=6))
def test_what_is_found_makes_sense_whatever_is_said(text, names):
    """Named are known names, once each; unknown is nobody's name and stands in the text."""
    found = find(text, names)
    assert set(found.named) <= set(names)
    assert len(set(found.named)) == len(found.named)
    assert not {fold(word) for word in found.unknown} & {fold(name) for name in names}
    assert all(word in text for word in found.unknown)


@given(st.sampled_from(NAMES), TALK.filter(lambda said: "`" not in said and "\n" not in said and ">" not in said))
def test_a_name_on_its_own_line_is_always_called(name, said):
    """Whatever stands on the lines around it."""
    assert name in find(f"{said}\n@{name}\n{said}", NAMES).named


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        *("@", "@a", "@a ", "@Bob ", "@a__", "@a.-", "@Claude (", " @n\u0301\u0327", " @" + "\u0301\u0327" * 200),
        "\u0301\u0327",
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(piece):
    """Long texts and many names are read in good time, which anything quadratic would not be."""
    names = [f"agent-{at}" * (at % 12 + 1) for at in range(200)] + ["a" * 128]
    assert len(find(f"@x {piece * (320_000 // len(piece))}", names).unknown) <= MAX_UNKNOWN
