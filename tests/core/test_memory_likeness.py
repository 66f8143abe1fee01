"""Which facts say the same: the little that is forgiven, and that everything else counts (agent-room §13, gap 93)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.likeness import bucket, near, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Uses Redis", "**uses**  `redis`."),
        ("The API is versioned", "API versioned!"),
        ("We use SQLite for the sessions", "use SQLite for session"),
        ("deploys are automatic", "deploys are automaitc"),
        ("ＡＰＩ", "api"),
        ("don’t cache", "Don't cache"),
        ("at –5 degrees", "at −5 degrees"),
    ],
)
def test_the_same_said_otherwise_is_one_fact(one, other):
    """Case, spaces, punctuation, articles, a plural of a long word, two letters that changed places."""
    assert near(tokens(one), tokens(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Uses Redis", "Never uses Redis"),
        ("Uses Redis", "Uses Redis for sessions only"),
        ("Uses Redis", "Uses SQLite"),
        ("Uses Redis", "~~Uses Redis~~"),
        ("limit is 5", "limit is 50"),
        ("limit is 5", "limit is -5"),
        ("limit is 5", "limit is .5"),
        ("limit is 5", "limit is 5%"),
        ("limit > 5", "limit < 5"),
        ("x == y", "x != y"),
        ("a + b", "a - b"),
        ("costs $5", "costs €5"),
        ("Python 3.11", "Python 3.12"),
        ("Uses C++", "Uses C#"),
        ("Uses C", "Uses C#"),
        ("Uses HTTPS", "Uses HTTP"),
        ("✅ deploy", "❌ deploy"),
        ("कि", "की"),
        ("不使用Redis", "使用Redis"),
        ("contact rules", "contract rules"),
        ("the encoder is slow", "the decoder is slow"),
        ("Reactive pages", "Creative pages"),
        ("a conversation begins", "a conservation begins"),
        ("safe to call", "unsafe to call"),
        ("Ann reviews Bob", "Bob reviews Ann"),
        ("X is used", "X was used"),
        ("must be done", "must not be done"),
        ("T-01 is open", "T-02 is open"),
        ("!important holds", "important holds"),
        ("automaitc databsae", "automatic database"),
    ],
)
def test_what_differs_in_meaning_is_two_facts(one, other):
    """A short fact is never lost in a longer one; a negation, a number, a symbol and a vowel sign always count."""
    assert not near(tokens(one), tokens(other))


@pytest.mark.parametrize("text", ["", "...", " - ", "--- ## ***", "the", "\u200b"])
def test_what_says_nothing_has_no_words(text):
    """Punctuation, and words that carry no meaning of their own."""
    assert tokens(text) == ()


@given(st.text(max_size=60))
def test_every_text_is_near_itself_and_comes_apart_in_any_script(text):
    """Without an error, and the same again when its words are put together."""
    words = tokens(text)
    assert near(words, words)
    assert all(words)


@given(
    st.lists(st.sampled_from(("redis", "not", "5", "-5", "database", "databsae", "dataabse", "reactive", "creative")))
)
def test_what_is_near_is_in_one_bucket(words):
    """So that looking there is enough."""
    one = tuple(words)
    for at in range(len(one)):
        other = (*one[:at], "database", *one[at + 1 :])
        assert bucket(one) == bucket(other) or not near(one, other)
