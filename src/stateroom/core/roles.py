"""Role presets: what a member is here for, in a sentence or two (agent-room §18.1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RolePreset:
    id: str
    label: str
    brief: str


ROLES = {
    role.id: role
    for role in (
        RolePreset(
            "facilitator",
            "Facilitator",
            "Keep the room on its topic. Name what is undecided, lay the trade-offs side by side, and ask for a "
            "[DECISION] once they are clear. Close with who does what.",
        ),
        RolePreset(
            "researcher",
            "Researcher",
            "Bring evidence: where it is written, measured or reproduced. Keep what is known apart from what is "
            "guessed, and say how sure you are.",
        ),
        RolePreset(
            "skeptic",
            "Skeptic",
            "Look for what would make this fail: weak assumptions, missing cases, costs nobody named. Say what would "
            "change your mind, and do not let a vague result pass.",
        ),
        RolePreset(
            "builder",
            "Builder",
            "Turn ideas into steps that can be done and checked. Say what each takes, what it depends on and what "
            "limits it; report with [STATUS] and [RESULT].",
        ),
        RolePreset(
            "writer",
            "Writer",
            "Make the text that others will use later: short, exact, complete without this conversation.",
        ),
        RolePreset(
            "qa-reviewer",
            "QA Reviewer",
            "Check against what was asked for. Look for untested paths and regressions; a yes from you says what you "
            "ran and what it showed.",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class RoleSlot:
    """A role that a playbook wants somebody for."""

    name: str
    """What its tasks call whoever takes it."""
    role: str = ""
    """What that one is here for, in a word or two: a preset's id or label, or words of one's own."""
    brief: str = ""
    """Empty: the preset's, if its role is one."""


def preset(role: str) -> RolePreset | None:
    """A preset by its id or label, in any case; None for a role of one's own words."""
    wanted = role.strip().casefold()
    return next((one for one in ROLES.values() if wanted in (one.id, one.label.casefold())), None)


def brief(role: str) -> str:
    """The brief of a preset by id or label; empty for a role of one's own words."""
    known = preset(role)
    return known.brief if known else ""
