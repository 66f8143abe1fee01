"""The manifest holds together: every gap of the page is mended by a test that says so, or left out with a reason."""

import importlib
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from .gaps import MENDED, NOT_HERE

ROWS = range(1, 9)
"""Of the conformance checks: those that are about the server's actions."""


def collect() -> dict[str, Callable[..., object]]:
    """The tests of this folder by name."""
    found: dict[str, Callable[..., object]] = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        module = importlib.import_module(f"{__package__}.{path.stem}")
        for name, test in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_") and test.__module__ == module.__name__:
                assert name not in found, f"two tests are called {name}"
                found[name] = test
    return found


def marked(test: Callable[..., object], name: str) -> set[object]:
    """What a test is marked with under that name."""
    marks = getattr(test, "pytestmark", [])
    return {argument for mark in marks if mark.name == name for argument in mark.args}


TESTS = collect()


@pytest.mark.parametrize("gap", MENDED)
def test_a_mended_gap_names_a_test_that_shows_it(gap: str) -> None:
    """The test exists, and says so itself."""
    assert MENDED[gap] in TESTS, "there is no such test"
    assert gap in marked(TESTS[MENDED[gap]], "mends"), "the test is not marked with the gap"


def test_every_gap_is_accounted_for() -> None:
    """1 to 59, with 52b and 52c: mended, or left out with a reason, and not both."""
    every = {*map(str, range(1, 60)), "52b", "52c"}
    assert MENDED.keys() | NOT_HERE.keys() == every
    assert MENDED.keys() & NOT_HERE.keys() == set()
    assert all(reason.endswith(".") for reason in NOT_HERE.values())


def test_every_mark_is_in_the_manifest() -> None:
    """A test can not mend what the manifest does not know."""
    assert set().union(*(marked(test, "mends") for test in TESTS.values())) <= MENDED.keys()


@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_conformance_checks_has_a_test(row: int) -> None:
    """Rows 1 to 8 of §23."""
    assert any(row in marked(test, "row") for test in TESTS.values())


def test_every_test_says_in_a_sentence_what_it_shows() -> None:
    """Also the smallest one has a docstring."""
    for name, test in TESTS.items():
        inner = getattr(test, "hypothesis", None)
        said = inspect.getdoc(inner.inner_test if inner else test) or ""
        assert said.rstrip().endswith("."), name
