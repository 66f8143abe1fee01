"""The manifest holds together: every promise has its test, every test's promise is known, nothing is forgotten."""

import importlib
import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from .promised_facts import FACTS
from .promised_mends import MENDS
from .promises import KNOWN_GAPS, NOT_HERE, Promise

PROMISES = [*FACTS, *MENDS]
IDS = {promise.id for promise in PROMISES}


def collect() -> dict[str, set[str]]:
    """The tests of this folder by name, and the promises that each says it shows."""
    found: dict[str, set[str]] = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        module = importlib.import_module(f"{__package__}.{path.stem}")
        for name, test in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_") and test.__module__ == module.__name__:
                assert name not in found, f"two tests are called {name}"
                found[name] = shown_by(test)
    return found


def shown_by(test: Callable[..., object]) -> set[str]:
    """The promises that a test is marked with."""
    marks = getattr(test, "pytestmark", [])
    return {id for mark in marks if mark.name == "promise" for id in mark.args}


TESTS = collect()


@pytest.mark.parametrize("promise", PROMISES, ids=[promise.id for promise in PROMISES])
def test_a_promise_names_a_test_that_shows_it(promise: Promise) -> None:
    """The test exists, and says so itself."""
    assert promise.test in TESTS, "there is no such test"
    assert promise.id in TESTS[promise.test], "the test is not marked with the promise"
    assert promise.sentence.endswith((".", "…`."))


@pytest.mark.parametrize("name", TESTS)
def test_a_test_shows_only_promises_that_are_known(name: str) -> None:
    """A mark with an unknown id is a slip, or a promise that the manifest lacks."""
    assert TESTS[name] - IDS == set()


def test_every_promise_is_listed_once() -> None:
    """No id stands for two sentences, and none is both promised and not."""
    assert [id for id, count in Counter(promise.id for promise in PROMISES).items() if count > 1] == []
    assert IDS & NOT_HERE.keys() == set()


def test_every_fact_and_weakness_is_accounted_for() -> None:
    """Facts 51 to 135 and W-01 to W-74: promised here, or left out with a reason."""
    wanted = {str(number) for number in range(51, 136)} | {f"W-{number:02}" for number in range(1, 75)}
    assert wanted - IDS - NOT_HERE.keys() == set()
    assert all(reason.endswith(".") for reason in (*NOT_HERE.values(), *KNOWN_GAPS.values()))


def test_every_test_says_in_a_sentence_what_it_shows() -> None:
    """Also the smallest one has a docstring."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        module = importlib.import_module(f"{__package__}.{path.stem}")
        for name, test in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_"):
                assert (inspect.getdoc(test) or "").rstrip().endswith("."), name
