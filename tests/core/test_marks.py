"""Which marks a text makes, and which it only shows."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stateroom.core.marks import MARK_CHARS, MAX_MARKS, Mark, find, has, prose

FENCE = "```"
PIECES = [
    *(
        "[TODO]",
        "[decision]",
        "[Status]",
        "[RESULT]",
        "[",
        "]",
        "`",
        "``",
        "```",
        "~~~",
        "~~~~",
        ">",
        "> ",
        "**",
        "_",
        ":",
    ),
    *("\n", "\r\n", "\r", "\u2028", "\n\n", " ", "    ", "\t", "a", "say it", "- ", "1. ", "é", "＠", "\0", "\\"),
]
TALK = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
WORDS = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=12)


def made(text):
    """The marks of a text, as pairs."""
    return [(mark.kind, mark.text) for mark in find(text)]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("[DECISION] Use Redis", [("decision", "Use Redis")]),
        ("[todo] x", [("todo", "x")]),
        ("[ReSuLt]\tgreen  ", [("result", "green")]),
        ("[STATUS]ready", [("status", "ready")]),
        ("Done. [STATUS] PR #142 ready · 8 files", [("status", "PR #142 ready · 8 files")]),
        ("[TODO] a\n[TODO] b", [("todo", "a"), ("todo", "b")]),
        ("[TODO] a\r\n[TODO] b\r[TODO] c\u2028d", [("todo", "a"), ("todo", "b"), ("todo", "c")]),
        ("[TODO] a [DECISION] b", [("todo", "a"), ("decision", "b")]),
        ("[TODO][DECISION] b", [("decision", "b")]),
        ("    [TODO] indented is not code", [("todo", "indented is not code")]),
        ("[RESULT] ✅", [("result", "✅")]),
        ("[DECISION] keep `f([TODO])` here", [("decision", "keep `f([TODO])` here")]),
        ("``[TODO] a ` b", [("todo", "a ` b")]),
        ("[TODO] [x] is [no mark]", [("todo", "[x] is [no mark]")]),
    ],
)
def test_a_mark_takes_the_rest_of_its_line(text, marks):
    """Any letter case, anywhere in a line, several in one line."""
    assert made(text) == marks


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "no marks",
            "[TODO]",
            "[TODO]   ",
            "[TODO",
            "TODO]",
            "[ TODO ]",
            "[TODOS] x",
            "[BLOCKED] x",
            "[ſTATUS] x",
        ),
        "［TODO］ x",
    ],
)
def test_what_is_no_mark(text):
    """A mark needs its exact word and something to say."""
    assert made(text) == []


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("[DECISION]\nUse Redis\nand more", [("decision", "Use Redis")]),
        ("[DECISION]\n\n  \n  Use Redis", [("decision", "Use Redis")]),
        ("## 3. **[DECISION]**\r\nUse Redis", [("decision", "Use Redis")]),
        ("- [TODO]\n  - write it", [("todo", "- write it")]),
        ("✅ [RESULT]:\ngreen", [("result", "green")]),
        ("[TODO]\n`make test`", [("todo", "`make test`")]),
        ("[TODO]\n[DECISION] x", [("decision", "x")]),
        ("[TODO]\nsee [DECISION] x", [("decision", "x")]),
        ("[TODO]\n[DECISION]\nx", [("decision", "x")]),
        ("[TODO]\n> quoted\nx", []),
        (f"[TODO]\n{FENCE}\ncode\n{FENCE}\nx", []),
        ("We tag such things [TODO]\nNext paragraph", []),
        ("[TODO] [DECISION]\nx", []),
        ("[TODO] y\nx", [("todo", "y")]),
    ],
)
def test_a_mark_alone_takes_the_next_line(text, marks):
    """The next line that is not blank, if it is talk without a mark of its own."""
    assert made(text) == marks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**[DECISION]** Use Redis", "Use Redis"),
        ("**[DECISION]:** Use Redis", "Use Redis"),
        ("**[DECISION] Use Redis**", "Use Redis"),
        ("**[DECISION] Use** Redis", "Use** Redis"),
        ("_[DECISION]_ Use Redis", "Use Redis"),
        ("***[DECISION]***: Use Redis", "Use Redis"),
        ("[DECISION]: Use Redis", "Use Redis"),
        ("[DECISION]：用 Redis", "用 Redis"),
        ("[DECISION] **Use** Redis", "**Use** Redis"),
    ],
)
def test_emphasis_and_colon_belong_to_the_mark(text, said):
    """Agents write marks in bold and with a colon; neither is what they decided."""
    assert made(text) == [("decision", said)]


@pytest.mark.parametrize(
    "hidden",
    [
        "`[TODO] x`",
        "say `[TODO] x` or ``[TODO] ` y``",
        f"{FENCE}\n[TODO] x\n{FENCE}",
        f"{FENCE}md\n[TODO] x\n  {FENCE}  ",
        f"  {FENCE}\n[TODO] x",
        f"- {FENCE}\n  [TODO] x\n  {FENCE}",
        "~~~ any ` info\n[TODO] x\n~~~",
        "~~~\n[TODO] x\n```\n[TODO] y\n~~~~",
        "````\n```\n[TODO] x\n```\n````",
        f"{FENCE}\n[TODO] x\n{FENCE} not closed\n[TODO] y",
        "> [TODO] x",
        "   >[TODO] x",
        "> a\n> [TODO] b",
        f"{FENCE}[TODO] x{FENCE}",
    ],
)
def test_code_and_quotations_make_no_marks(hidden):
    """What is quoted or shown as code is talked about, also in a fence that nobody closed (gap 82)."""
    assert made(hidden) == []
    assert "TODO" not in prose(hidden)


@pytest.mark.parametrize(
    "text",
    [
        "it`s [TODO] x",
        "`a` [TODO] x",
        "`` ` [TODO] x",
        f"{FENCE}\ncode\n{FENCE}\n[TODO] x",
        f"> {FENCE}\n[TODO] x",
        f"{FENCE}a{FENCE}\n[TODO] x",
        "> quoted\n[TODO] x",
        "    > [TODO] x",
        "a > [TODO] x",
        "~~ [TODO] x",
        "`a\n[TODO] x\nb`",
    ],
)
def test_beside_code_and_quotations_marks_are_made(text):
    """A stray backtick, a closed fence or a quotation above takes no mark away."""
    assert made(text) == [("todo", "x")]


def test_a_message_has_a_bounded_number_of_marks_of_bounded_length():
    """The first 50 marks count, each cut at 1,000 characters."""
    many = find(f"[TODO] {'x' * 2_000}\n" * 60)
    assert len(many) == MAX_MARKS
    assert {len(mark.text) for mark in many} == {MARK_CHARS}


def test_whether_a_kind_is_among_marks():
    """Rules ask for a kind, not for its text."""
    marks = find("[TODO] x")
    assert has(marks, "todo")
    assert not has(marks, "result")
    assert marks == (Mark("todo", "x"),)


@given(TALK)
@example("[TODO]\n" * 3)
def test_marks_are_well_formed_whatever_is_said(text):
    """Every mark has a known kind and one trimmed line of text that stands in the message."""
    for mark in find(text):
        assert mark.kind in {"decision", "todo", "status", "result"}
        assert mark.text == mark.text.strip()
        assert 0 < len(mark.text) <= MARK_CHARS
        assert len(mark.text.splitlines()) == 1
        assert mark.text in text


@given(TALK, TALK)
def test_marks_survive_what_is_said_below_them(text, more):
    """More lines may give a text to a mark that stood alone, and add marks; they take and change none."""
    before = find(text)
    assert find(f"{text}\n{more}")[: len(before)] == before


@given(st.lists(st.tuples(st.sampled_from(["decision", "todo", "status", "result"]), WORDS), max_size=MAX_MARKS))
def test_marks_come_back_as_they_were_made(marks):
    """Marks written one a line are read back in order."""
    assert made("\n".join(f"[{kind.upper()}] {said}" for kind, said in marks)) == marks


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "`",
            "`a``b",
            "```x`\n",
            "[",
            "[TODO]",
            "[TODO]\n",
            "[TODO] x ",
            "**[",
            "> [TODO]\n",
            "~~~\n",
            "\n",
            "- ",
            "`" * 1_000 + "x ",
        ),
        *("1. ", "_", "\t"),
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(piece):
    """Ten times the longest message is read in good time, which anything quadratic would not be."""
    text = piece * (320_000 // len(piece))
    assert len(find(text)) <= MAX_MARKS
    assert len(prose(f"[{text}")) <= len(text) + 1
