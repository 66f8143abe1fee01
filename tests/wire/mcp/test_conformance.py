"""The official MCP conformance suites, both versions, every era they know: every scenario that applies passes."""

import json
from pathlib import Path

import pytest

from tests.wire.mcp import conformance_suite
from tests.wire.mcp.conformance_suite import Verdict
from tests.wire.mcp.serving import fixture_server

DATA = json.loads((Path(__file__).parent / "conformance.json").read_text())
"""Suite and revision -> scenario -> "applies", {"except": check -> why not}, or {"reason": why it does not apply}."""
PACKAGES = {"0.1.16": "conformance-stable", "0.2.0-alpha.12": "conformance-alpha"}


def judged(scenario: str, expected, verdict: Verdict) -> str | None:
    """What is wrong with a scenario, or with what the data say about it."""
    if expected == "applies":
        return None if verdict.clean() else f"{scenario} fails: {verdict.faults or 'nothing was checked'}"
    if "reason" in expected:
        return f"{scenario} passes: take it off the list" if verdict.clean() else None
    if stale := set(expected["except"]) - set(verdict.faults):
        return f"{scenario} passes {stale}: take them off the list"
    return None if verdict.clean(expected["except"]) else f"{scenario} fails: {verdict.faults}"


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", DATA)
async def test_every_scenario_that_applies_passes(name, tmp_path):
    """What does not apply is data with a reason; a scenario without data and a reason that no longer holds fail too."""
    suite, _, version = name.partition(", ")
    expected = DATA[name]
    await conformance_suite.install()
    async with fixture_server() as url:
        found = await conformance_suite.verdicts(PACKAGES[suite], version, url, tmp_path)
    assert await conformance_suite.scenarios(PACKAGES[suite], version) == set(expected) == set(found)
    wrong = [fault for scenario in found if (fault := judged(scenario, expected[scenario], found[scenario]))]
    passed = [scenario for scenario, what in expected.items() if "reason" not in what]
    print(f"{name}: {len(passed)} scenarios of {len(expected)} apply")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("expected", "passed", "faults", "wrong"),
    [
        ("applies", {"a"}, {}, False),
        ("applies", {"a"}, {"b": "no"}, True),
        ("applies", {conformance_suite.ABOUT_ANYTHING}, {}, True),
        ({"reason": "why"}, {"a"}, {"b": "no"}, False),
        ({"reason": "why"}, {"a"}, {}, True),
        ({"except": {"b": "why"}}, {"a"}, {"b": "no"}, False),
        ({"except": {"b": "why"}}, {"a"}, {"b": "no", "c": "no"}, True),
        ({"except": {"b": "why"}}, {"a", "b"}, {}, True),
    ],
)
def test_the_judge_is_strict(expected, passed, faults, wrong):
    """A failure, a success of nothing, and a reason that no longer holds are all told."""
    assert (judged("a scenario", expected, Verdict(passed, faults)) is not None) == wrong


def test_the_suites_are_the_versions_the_data_are_about():
    """The lock pins what the data name."""
    locked = json.loads((conformance_suite.HERE / "package-lock.json").read_text())["packages"]
    assert {suite: locked[f"node_modules/{package}"]["version"] for suite, package in PACKAGES.items()} == {
        suite: suite for suite in PACKAGES
    }


def test_the_lock_names_no_address():
    """The lock has names, versions and hashes, and no word about where packages come from."""
    assert '"resolved"' not in (conformance_suite.HERE / "package-lock.json").read_text()
