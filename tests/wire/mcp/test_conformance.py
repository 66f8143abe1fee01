"""The official MCP conformance suites, both versions, both eras: every scenario that applies passes."""

import json
from pathlib import Path

import pytest

from tests.wire.mcp import conformance_suite
from tests.wire.mcp.serving import fixture_server

DATA = json.loads((Path(__file__).parent / "conformance.json").read_text())
SUITES = {
    "0.1.16": ("conformance-stable", ()),
    "0.2 alpha, 2025-11-25": ("conformance-alpha", ("--spec-version", "2025-11-25")),
    "0.2 alpha, 2026-07-28": ("conformance-alpha", ("--spec-version", "2026-07-28")),
}
AT_LEAST = {"0.1.16": 13, "0.2 alpha, 2025-11-25": 13, "0.2 alpha, 2026-07-28": 14}
"""Scenarios that have to pass: a suite that suddenly checks nothing is no success."""


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", SUITES)
async def test_every_scenario_that_applies_passes(name, tmp_path):
    """What does not apply is data with a reason; a reason that no longer holds fails too."""
    package, options = SUITES[name]
    await conformance_suite.install()
    async with fixture_server() as url:
        found = await conformance_suite.results(package, url, tmp_path, *options)
    failed, stale, passed = [], [], 0
    for scenario, checks in found.items():
        faults = {id: text for id, text in checks.items() if text and id not in DATA["not_applicable_checks"]}
        if scenario in DATA["not_applicable"]:
            stale += [scenario] if checks and not faults else []
        elif faults:
            failed.append((scenario, faults))
        else:
            passed += bool(checks)
    print(f"{name}: {passed} scenarios passed, {len(found) - passed} do not apply")
    assert not failed
    assert not stale, "these pass: take them off the list"
    assert passed >= AT_LEAST[name]


def test_the_lock_names_no_address():
    """The lock has names, versions and hashes, and no word about where packages come from."""
    assert '"resolved"' not in (conformance_suite.HERE / "package-lock.json").read_text()
