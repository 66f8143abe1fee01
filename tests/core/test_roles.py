"""Role presets: what members are here for."""

import pytest

from stateroom.core.roles import ROLES, brief


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_a_role_is_known_by_its_id_or_label(role):
    """In any case (agent-room §18.1)."""
    for written in (role.id, role.label, role.label.upper(), f" {role.id} "):
        assert brief(written) == role.brief


@pytest.mark.parametrize("role", ["", "chef", "build", "qa reviewers"])
def test_a_role_of_ones_own_words_has_no_brief(role):
    """It says what it is itself."""
    assert brief(role) == ""


def test_the_roles():
    """Six of them, in this order; a brief is a sentence or two, and asks for no duty to answer (trap 41)."""
    assert list(ROLES) == ["facilitator", "researcher", "skeptic", "builder", "writer", "qa-reviewer"]
    assert all(30 < len(role.brief) < 300 and role.brief.endswith(".") for role in ROLES.values())
