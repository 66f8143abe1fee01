"""Line breaks that a model spelled out become line breaks, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.repair import unescape

TEXTS = st.text(st.sampled_from(["\\", "n", "r", "t", "\n", "\r", "a", " "]))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (r"one\ntwo", "one\ntwo"),
        (r"one\r\ntwo", "one\ntwo"),
        (r"one\rtwo", "one\ntwo"),
        (r"one\n\ntwo", "one\n\ntwo"),
        (r"one\ttwo", "one\ttwo"),
        (r"\n\r", "\n\n"),
        ("nothing to do", "nothing to do"),
        (r"a \ alone", r"a \ alone"),
        (r"\x41 \b", r"\x41 \b"),
        ("", ""),
    ],
)
def test_spelled_out_breaks_become_breaks(said, meant):
    """The sequences AR §16.2 names, and no others."""
    assert unescape(said) == meant


@pytest.mark.parametrize("said", ["print('a\\n')\nok", "one\r\\n", "one\n\\ttwo"])
def test_a_text_with_a_real_break_says_what_it_means(said):
    """One real line break shows that the writer can write them."""
    assert unescape(said) == said


@given(TEXTS)
def test_repairing_twice_is_repairing_once(text):
    """A repaired text needs no repair, unless only tabs were spelled out beside a broken sequence."""
    once = unescape(text)
    assert unescape(once) == once or "\n" not in once


@given(TEXTS, TEXTS, st.sampled_from("\r\n"))
def test_a_real_break_anywhere_keeps_the_text(before, after, real):
    """Wherever the real line break stands."""
    assert unescape(before + real + after) == before + real + after


@given(TEXTS)
def test_no_sequence_is_left_spelled_out(text):
    """Whatever is repaired holds no carriage return and no spelled-out break."""
    if "\n" not in text and "\r" not in text:
        assert not {"\\n", "\\r", "\r"} & {unescape(text)[at : at + size] for at in range(len(text)) for size in (1, 2)}
