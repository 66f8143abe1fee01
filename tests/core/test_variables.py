"""Small named strings."""

import pytest

from stateroom.core.refusals import BadText, TooLong
from stateroom.core.variables import SetVariable, VariableSet
from stateroom.testing.scenes import Scene


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("k", "v", VariableSet("k", "v")),
        ("k", "", VariableSet("k", "")),
        ("k" * 128, "v" * 4096, VariableSet),
        ("k" * 129, "v", TooLong),
        ("k", "v" * 4097, TooLong),
        ("k", "\x00", BadText),
        ("\ud800", "v", BadText),
    ],
)
def test_what_follows_from_setting(key, value, expected):
    """A key has up to 128 characters, a value up to 4,096."""
    Scene().when("ann", SetVariable(key, value)).then(expected)


def test_the_last_value_stands():
    """Setting again says so again, even if nothing differs; keys are compared exactly."""
    scene = Scene(("ann", SetVariable("k", "1")), ("bob", SetVariable("k", "2")), ("bob", SetVariable("K", "3")))
    assert scene.room.variables.values == {"k": "2", "K": "3"}
    scene.when("bob", SetVariable("k", "2")).then(VariableSet("k", "2"))


def test_values_stay_strings():
    """Nothing is ever guessed into a number, a truth or an object (W-40)."""
    values = {text: text for text in ("3000", "true", "null", "1.0", '{"a":1}', "")}
    assert Scene(*[("ann", SetVariable(key, key)) for key in values]).room.variables.values == values


def test_a_variable_is_an_event_but_no_line_of_the_talk():
    """Told, and nothing anybody said (design §7)."""
    answer = Scene().when("ann", SetVariable("k", "v"))
    assert (answer["told"], answer["line"]) == (True, False)
