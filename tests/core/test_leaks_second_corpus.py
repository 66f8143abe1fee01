"""A second corpus of printed calls and of talk, written without knowing how they are told apart."""

import json

import pytest

from stateroom.core import leaks
from stateroom.core.leaks import Tools
from tests.corpus.leaks import LEAKS
from tests.corpus.ordinary import LINES, MESSAGES

NEEDED = {
    "room_task": {"action"},
    "room_send": {"text"},
    "write_context": {"type", "summary", "payload", "consuming_agents"},
    "room_end": set(),
}
AS_JSON = ("payload", "consuming_agents")


def taken(tool, arguments):
    """The arguments, if nothing that the tool needs is missing; what tags have as text is read where it is JSON."""
    if not NEEDED[tool] <= arguments.keys():
        return None
    return {
        key: json.loads(value) if key in AS_JSON and isinstance(value, str) else value
        for key, value in arguments.items()
    }


def find(text):
    return leaks.find(text, Tools(frozenset(NEEDED), taken))


def test_the_corpus_is_large_enough():
    """At least sixty forms, and five hundred lines of talk."""
    assert len({text for text, _, _ in LEAKS}) == len(LEAKS) >= 60
    assert len(set(LINES)) >= 500


@pytest.mark.parametrize(("text", "calls", "left"), LEAKS, ids=range(len(LEAKS)))
def test_a_printed_call_is_found_and_taken_out(text, calls, left):
    """Every form, with its arguments, and what stood around it."""
    found = find(text)
    assert [(call.tool, call.arguments) for call in found.calls] == calls
    assert found.text == left


def test_ordinary_talk_is_left_alone():
    """No message is taken for a call, nor three of them at once."""
    assert [text for text in MESSAGES if find(text).calls] == []
    assert [n for n in range(len(MESSAGES)) if find("\n\n".join(MESSAGES[n : n + 3])).calls] == []
    assert all(find(text).text is text for text in MESSAGES)


@pytest.mark.parametrize(("text", "calls", "left"), LEAKS, ids=range(len(LEAKS)))
def test_a_call_that_is_quoted_is_no_call(text, calls, left):
    """In a quotation it is talked about."""
    assert find("\n".join(f"> {line}" for line in text.splitlines())).calls == ()


@pytest.mark.parametrize(("text", "calls", "left"), LEAKS[::5], ids=range(len(LEAKS[::5])))
def test_half_a_call_is_none(text, calls, left):
    """Cut off anywhere, nothing is carried out that was not wholly said."""
    whole = find(text).calls
    for end in range(0, len(text), 3):
        got = find(text[:end]).calls
        assert got == whole[: len(got)]


@pytest.mark.parametrize(
    "said", ["Taking docs.", "I write the contract now.", "Let me fix the parser.", "Claiming the template task."]
)
def test_what_somebody_works_on_is_no_sign_that_a_call_is_shown(said):
    """Beside a call with marks of its own, and to somebody who is about to do something."""
    text = f'{said}\n<tool_call>{{"name": "room_task", "arguments": {{"action": "claim"}}}}</tool_call>'
    assert [call.tool for call in find(text).calls] == ["room_task"]
    shown = 'An example of the format:\n<tool_call>{"name": "room_task", "arguments": {"action": "claim"}}</tool_call>'
    assert find(shown).calls == ()
