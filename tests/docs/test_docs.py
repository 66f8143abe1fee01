"""What the documentation says is what the code does."""

import importlib.util
import re
from pathlib import Path

import pytest

from stateroom.cli import app
from stateroom.core.refusals import Refusal
from stateroom.faces.mcp.profiles import TOOLS

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


@pytest.mark.parametrize("name", sorted(build.pages()))
def test_reference_pages_are_fresh(name):
    """The generated pages are what `make docs` would write now."""
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == build.NOTICE + build.pages()[name] + "\n", "run `make docs`"


def test_the_readme_names_only_tools_commands_and_pages_that_exist():
    """Every tool, command and link in the README is real."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    known = {tool.name for tool in TOOLS}
    called = set(re.findall(r"`([a-z]+_[a-z_]+)(?:\(|`)", readme)) - {"change_request", "api_contract"}
    assert called <= known, called - known
    commands = set(re.findall(r"`?stateroom ([a-z][a-z-]*)", readme)) - {"http"}
    assert commands <= set(app), commands
    for link in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (ROOT / link).exists() or (link.startswith("docs/") and (ROOT / link).exists()), link


def test_every_make_target_of_the_readme_exists():
    """`make x` in the documentation is a target."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in ("README.md", "AGENTS.md"):
        for target in re.findall(r"`?make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8")):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_refusal_has_words_a_status_and_a_next_step():
    """Codes are unique; sentences and hints are there (design §4)."""
    kinds = Refusal.__subclasses__()
    assert len({kind.code for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert kind.__doc__
        assert kind.hint
        assert 400 <= kind.status < 600


def test_agents_file_stays_short():
    """At most 100 lines, so that it is read."""
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= 100
