"""Calls that a model has printed are found, and whoever only talks about tools is left alone (agent-room §16.1)."""

import sys

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateroom.core import leaks
from stateroom.core.leaks import MOST_CALLS, MOST_CHARS, Call, Tools
from stateroom.core.leaks.calls import calls_in
from stateroom.core.leaks.values import NotACall, Reader
from stateroom.faces.mcp.profiles import CALLABLE
from tests.corpus.leaked import AFTER, BEFORE, FORMS, SHOWN, TALK

FILLED = {"code", "name", "roomId", "agentId", "author", "from", "requestedBy"}
"""What the message that a call stood in says already."""
FIELDS = {tool.name: msgspec.structs.fields(tool.arguments) for tool in CALLABLE}
NEEDED = {name: {one.encode_name for one in fields if one.required} - FILLED for name, fields in FIELDS.items()}
KNOWN = {name: {one.encode_name for one in fields} | FILLED for name, fields in FIELDS.items()}
CLAIM = '{"name": "room_task", "arguments": {"action": "claim", "id": "T-01"}}'
LONE = [one for one in FORMS if not one[3]]
"""Forms that are nothing but calls."""
WHOLE = [one for one in LONE if one[0] not in ("unclosed fence", "llama fn open only")]


def taken(tool, arguments):
    """The arguments, if the tool knows all of them and misses none."""
    return arguments if NEEDED[tool] <= arguments.keys() <= KNOWN[tool] else None


TOOLS = Tools(KNOWN, taken)


def find(text):
    return leaks.find(text, TOOLS)


def test_the_corpus_is_as_large_as_it_should_be():
    """At least sixty forms, and five hundred lines of talk."""
    assert len({text for _, text, _, _ in FORMS}) == len(FORMS) >= 60
    assert len({line for text in TALK + SHOWN for line in text.splitlines() if line.strip()}) >= 500
    assert len(set(TALK + SHOWN)) == len(TALK + SHOWN) >= 400


@pytest.mark.parametrize(("text", "calls", "left"), [one[1:] for one in FORMS], ids=[one[0] for one in FORMS])
def test_a_printed_call_is_taken_out_of_the_text(text, calls, left):
    """Every form of the corpus, with its arguments, and what stood around it."""
    found = find(text)
    assert [(call.tool, call.arguments) for call in found.calls] == calls
    assert found.text == left


def test_the_whole_corpus_is_repaired():
    """All of the forms, and none of the talk: repaired n of n, false positives 0."""
    repaired = [
        name for name, text, calls, _ in FORMS if [(one.tool, one.arguments) for one in find(text).calls] == calls
    ]
    assert len(repaired) == len(FORMS)
    assert [text for text in TALK + SHOWN if find(text).calls] == []


def test_ordinary_talk_is_the_very_same_text():
    """Not a letter of it is touched, nor are several messages in one."""
    assert all(find(text).text is text for text in TALK + SHOWN)
    texts = ["\n\n".join(TALK[n : n + 3]) for n in range(len(TALK))]
    assert [text for text in texts if find(text).calls] == []


@pytest.mark.parametrize("before", BEFORE)
def test_behind_words_that_show_it_a_call_is_talk(before):
    """Whatever its form, right below them or a blank line further on."""
    shown = [
        (name, breaks) for name, text, _, _ in LONE for breaks in ("\n", "\n\n") if find(before + breaks + text).calls
    ]
    assert shown == []


@pytest.mark.parametrize("after", AFTER)
def test_before_words_that_look_back_a_call_is_talk(after):
    """Whatever its form."""
    assert [name for name, text, _, _ in WHOLE if find(f"{text}\n{after}").calls] == []


@pytest.mark.parametrize(("name", "text"), [one[:2] for one in FORMS], ids=[one[0] for one in FORMS])
def test_in_a_quotation_or_among_other_code_a_call_is_talk(name, text):
    """A quoted line, a fence with more in it, an indented block."""
    assert find("\n".join(f"> {line}" for line in text.splitlines())).calls == ()
    assert find(f"`````\nfrom the log\n{text}\n`````").calls == ()
    assert find("\n".join(f"    {line}" for line in text.splitlines())).calls == ()


@pytest.mark.parametrize(("name", "text", "calls", "left"), FORMS, ids=[one[0] for one in FORMS])
def test_of_a_text_that_breaks_off_no_half_call_is_made(name, text, calls, left):
    """Cut anywhere: what is found is what was wholly there."""
    for end in range(0, len(text), 3):
        found = [(one.tool, one.arguments) for one in find(text[:end]).calls]
        assert found == calls[: len(found)]


@pytest.mark.parametrize(
    "before", ["I'll take it.", "On it.", "Claiming now.", "Let me claim it:", "We start with T-01"]
)
def test_behind_words_that_announce_it_a_call_is_made(before):
    """And the words stay."""
    for text in (
        CLAIM,
        f"```json\n{CLAIM}\n```",
        'room_task(action="claim", id="T-01")',
        f"<tool_call>{CLAIM}</tool_call>",
    ):
        found = find(f"{before}\n\n{text}\n\nMore soon.")
        assert ([one.tool for one in found.calls], found.text) == (["room_task"], f"{before}\n\nMore soon.")


@pytest.mark.parametrize("text", TALK[::7] + SHOWN[::7])
def test_ordinary_talk_beside_a_call_does_not_hide_it(text):
    """Between other messages, announced."""
    if text.count("```") % 2 or text.count("~~~") % 2 or text.count("````") % 2:
        return
    found = find(f"{text}\n\nI'll take it.\n<tool_call>{CLAIM}</tool_call>\nBack in a minute.\n\n{text}")
    assert [one.tool for one in found.calls] == ["room_task"]
    assert "tool_call>" not in found.text.replace(text, "").replace(text.strip(), "")


def test_a_tool_that_is_not_there_is_not_called():
    """Nor one whose arguments it does not take, or that has more beside it than a call has."""
    assert find('{"name": "rm_rf", "arguments": {"path": "/"}}').calls == ()
    assert find('{"name": "room_task", "arguments": {"id": "T-01"}}').calls == ()
    assert find('{"name": "room_task", "arguments": {"action": "claim", "colour": "red"}}').calls == ()
    assert find('{"name": "room_task", "arguments": {"action": "claim"}, "result": {}}').calls == ()


@pytest.mark.parametrize(
    "text",
    [
        f'{{"role": "assistant", "content": "On it", "tool_calls": [{CLAIM}]}}',
        f'{{"tool_calls": [{CLAIM}], "usage": {{"tokens": 12}}}}',
        f'{{"function_call": {CLAIM}, "finish_reason": "stop"}}',
        f'{{"tool_calls": [{CLAIM}, 7]}}',
        'search(q="cache")',
        'search {"q": "cache"}',
        'search\n```json\n{"q": "cache"}\n```',
    ],
)
def test_what_could_be_something_else_is_left(text):
    """A message with more than calls in it; a function of anybody's whose name is a plain word."""
    assert find(text).calls == ()


def test_a_plain_word_behind_the_servers_prefix_is_a_tool():
    """There is no doubt about it."""
    assert find('mcp__stateroom__search(q="cache")').calls == (Call("search", {"q": "cache"}),)
    assert find('functions.search({"q": "cache"})').calls == (Call("search", {"q": "cache"}),)


@pytest.mark.parametrize(
    ("value", "meant"),
    [("a &lt; b &amp;&amp; c", "a < b && c"), ("<b>&lt;</b>", "<b>&lt;</b>"), ("\n  two\nlines\n", "  two\nlines")],
)
def test_what_stands_between_tags_is_what_was_meant(value, meant):
    """Entities where it was written in them; the line breaks that are layout are gone, no others."""
    found = find(f'<invoke name="room_send"><parameter name="text">{value}</parameter></invoke>')
    assert found.calls == (Call("room_send", {"text": meant}),)


@pytest.mark.parametrize("before", ["> I'll take it.", "# Let me claim it.", "| I'll | take it. |", "```\nx\n```"])
def test_behind_what_is_no_talk_nothing_is_made(before):
    """A quotation, a heading, a table, code."""
    assert find(f"{before}\n<tool_call>{CLAIM}</tool_call>").calls == ()


@pytest.mark.parametrize("after", ["and so on", "in the chat", "(from me)", "} while (true)", "</details>"])
def test_before_words_that_go_on_nothing_is_made(after):
    """The call is part of something longer."""
    assert find(f"{CLAIM}\n{after}").calls == ()


def test_in_a_code_span_a_call_is_talk():
    """Behind one it may be made."""
    assert find(f"I'll take it. `<tool_call>{CLAIM}</tool_call>`").calls == ()
    assert find(f"I'll take it. `x <tool_call>{CLAIM}</tool_call> y`").calls == ()
    assert find(f"`I'll take it. <tool_call>{CLAIM}</tool_call> More soon.`").calls == ()
    assert find(f"I'll take `T-01`. <tool_call>{CLAIM}</tool_call>").text == "I'll take `T-01`."


def test_of_more_calls_than_a_text_may_hold_the_rest_stays_text():
    """A text is no script, and nothing of it is lost."""
    found = find('room_send(text="x")\n' * 25)
    assert (len(found.calls), found.text.count("room_send")) == (MOST_CALLS, 5)


def test_a_text_that_no_room_takes_is_not_looked_at():
    """It is refused anyway."""
    text = CLAIM + "\n" * MOST_CHARS
    assert find(text).text is text
    assert find(text[:MOST_CHARS]).calls


def test_a_call_is_a_value():
    """Two that say the same are the same."""
    assert Call("room_end", {}) == Call("room_end", {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"a\"}\\"', 'a"}\\'),
        (r"'it\'s'", "it's"),
        ('"""one\n"two" three"""', 'one\n"two" three'),
        (r'"\u00e9\ud83d\ude00\x41"', "é😀A"),
        (r'"\d"', r"\d"),
        ('{a: 1, "b": [true, None, -2.5e3,],}', {"a": 1, "b": [True, None, -2500.0]}),
        ("`a b`", "a b"),
        ("[]", []),
    ],
)
def test_values_are_read_as_they_are_written(text, value):
    """JSON, and what Python and JavaScript write instead."""
    assert Reader(text).value(0) == (value, len(text))


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a"', '{"a" 1}', "[1 2]", "nil", "NaN", "01", "1x", "`${a}`", "'", '"a', "[" * 40 + "]" * 40, "a+b"],
)
def test_what_is_no_value_is_none(text):
    """No evaluation, no guesses, no end of nesting."""
    with pytest.raises(NotACall):
        Reader(text).value(0)


def test_calls_that_are_nested_without_end_are_none():
    """A wrapper in a wrapper in a wrapper."""
    value = {"name": "room_send", "arguments": {"text": "x"}}
    assert calls_in([{"function_call": value}], TOOLS)
    with pytest.raises(NotACall):
        calls_in([[[[[value]]]]], TOOLS)


HOSTILE = [
    *(
        "{",
        "[",
        "<",
        "`",
        "```\n",
        "~~~\n```\n",
        "\n",
        " ",
        "\0",
        '"',
        "\\",
        "- \n",
        "1. ",
        ",;\n",
        "a\r",
        "> {\n",
        "<|",
        "<|a|>",
    ),
    *(
        '{"a":',
        '[{"a":1},\n',
        f"{CLAIM},\n",
        f"{CLAIM}\n",
        '{"a":"',
        "{'a':'''",
        '{"a":`',
        "to=functions.",
        "functools[",
        "[TOOL_CALLS] [",
    ),
    *("room_task(", "room_task(\n", "room_task({\n", 'room_send(text="', "print(room_send(", "room_task\n```json\n{"),
    *(
        "<tool_call>",
        "<tool_call>\n",
        "</tool_call>",
        "`<tool_call>`\n",
        f"<tool_call>{CLAIM}",
        "Action: room_task\nAction Input: {",
    ),
    *(
        '<invoke name="room_task">',
        '<invoke name="room_task"><parameter name="action">',
        "<function=room_task>\n<parameter=action>\n",
    ),
    *(
        "<|channel|>commentary to=functions.room_task<|message|>{",
        "<tool_call>room_task\n<arg_key>a</arg_key><arg_value>",
    ),
    *("＜invoke name=＂room_task＂＞", "<｜tool▁call▁begin｜>room_task<｜tool▁sep｜>", "\ud800", "\u202e<tool_call>"),
]


def work(text):
    """How many calls of functions it takes to look through a text."""
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        find(text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("piece", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_costs_no_more_than_its_length(piece):
    """However deep, long or crooked: twice the text, twice the work, and nothing is raised."""
    short, long = (work((piece * (size // len(piece) + 1))[:size]) for size in (MOST_CHARS // 2, MOST_CHARS))
    assert long <= 2.3 * short + 500
    assert long <= 60 * MOST_CHARS


PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            '"',
            "'",
            "`",
            "```",
            "~~~",
            "\n",
            "<",
            ">",
            "/",
            "|",
            ":",
            ",",
            "=",
            "\\",
            "\0",
            " ",
            "- ",
        ),
        *(
            "name",
            "room_task",
            "arguments",
            "invoke",
            "parameter",
            "function",
            "<tool_call>",
            "to=functions.",
            "claim",
            CLAIM,
        ),
        *(
            '<invoke name="room_send">',
            '<parameter name="text">',
            "</parameter>",
            "</invoke>",
            "</tool_call>",
            'room_send(text="x")',
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join))
def test_any_text_is_read_without_harm(text):
    """Nothing found is nothing changed; what is left was there before, in its order."""
    found = find(text)
    if not found.calls:
        assert found.text is text
    letters = iter(text)
    assert all(letter in letters for letter in "".join(found.text.split()))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(LONE), st.sampled_from(LONE))
def test_calls_are_found_in_their_order(one, other):
    """Whatever their forms, announced one by one."""
    if one not in WHOLE or other not in WHOLE:
        return
    found = find(f"I'll do that.\n{one[1]}\n\nNow I go on.\n{other[1]}\n")
    assert [(call.tool, call.arguments) for call in found.calls] == one[2] + other[2]
    assert found.text == "I'll do that.\n\nNow I go on."
