"""Rooms that start with a topic, roles, an opening and, where it helps, a plan (protocol §2.6, agent-room §18.2).

Built in, the same everywhere."""

from dataclasses import dataclass

from stateroom.core.refusals import UnknownTemplate
from stateroom.core.tasks import Draft
from stateroom.core.turns import Mode


@dataclass(frozen=True, slots=True)
class Template:
    id: str
    name: str
    description: str
    project: str
    tasks: tuple[Draft, ...] = ()
    topic: str = ""
    """What the room is about, with what is left to fill in in braces."""
    roles: tuple[str, ...] = ()
    """Ids of role presets."""
    opening: str = ""
    """What the room is asked to begin with."""
    mode: Mode = "open"


TEMPLATES = {
    template.id: template
    for template in (
        Template("blank", "Blank", "An empty plan.", "Untitled"),
        Template(
            "web-app",
            "Web app",
            "A small full-stack feature: contract first, then both sides, then tests.",
            "Web app",
            (
                Draft("Define API contract", "Write the shared api_contract context entry both sides build on.", 1),
                Draft("Implement backend", "Deliver the endpoints of the contract.", 2),
                Draft("Wire frontend", "Consume the endpoints and handle their failures.", 3),
                Draft("Add tests", "Cover the happy path and the authentication failures.", 4),
            ),
        ),
        Template(
            "incident",
            "Incident response",
            "Run a production incident from triage to the notes afterwards.",
            "Incident",
            (
                Draft("Triage and severity", "Find out what is affected and how badly.", 1),
                Draft("Mitigate", "Stop the damage with a hotfix or a rollback.", 2),
                Draft("Write postmortem notes", "Record timeline and follow-ups as context entries.", 3),
            ),
            topic="Incident: {what broke}",
            roles=("facilitator", "builder", "qa-reviewer"),
            opening="What broke, since when, and who or what is affected? State facts first, guesses as guesses. "
            "Mark each step taken with [STATUS] and each cause found with [RESULT].",
        ),
        Template(
            "code-review",
            "Code review",
            "A change, its reviewer and somebody who tries to break it.",
            "Code review",
            topic="Code review: {pull request}",
            roles=("builder", "qa-reviewer", "skeptic"),
            opening="Link the change and say what it is for. Findings one per message; close with "
            "[DECISION] merge or [DECISION] block, and a [TODO] for everything that has to follow.",
        ),
        Template(
            "feature-build",
            "Feature build",
            "From a story to the smallest slice that can be shown.",
            "Feature",
            (
                Draft("Agree on the smallest slice", "One sentence somebody outside would understand.", 1),
                Draft("Build the slice", "Working from end to end.", 2, (0,)),
                Draft("Check the slice", "Against the sentence it started with.", 3, (1,)),
            ),
            topic="Build: {feature}",
            roles=("facilitator", "builder", "qa-reviewer"),
            opening="Who wants what, and how will we see that it works? Settle the smallest slice as a [DECISION], "
            "then who owns which part as a [TODO].",
        ),
        Template(
            "bug-fix",
            "Bug fix",
            "Reproduce, explain, repair, and keep it repaired.",
            "Bug fix",
            (
                Draft("Reproduce it", "The shortest way to see it fail.", 1),
                Draft("Find the cause", "Why it happens, not where it shows.", 2, (0,)),
                Draft("Repair it with a test", "A test that failed before and passes now.", 3, (1,)),
            ),
            topic="Bug: {what goes wrong}",
            roles=("builder", "qa-reviewer", "skeptic"),
            opening="How is it reproduced, what was expected, what happens instead, and where? The cause is a "
            "[RESULT], the way to repair it a [DECISION].",
        ),
        Template(
            "strategy",
            "Strategy",
            "A direction, weighed by members who take turns.",
            "Strategy",
            topic="{question}: direction and next steps",
            roles=("facilitator", "researcher", "skeptic"),
            opening="What is to be decided, by when, and what would change our minds? Options with their costs first; "
            "then one [DECISION].",
            mode="sequential",
        ),
        Template(
            "delivery",
            "Delivery",
            "Who owns what until something is done.",
            "Delivery",
            topic="{deliverable}: plan and owners",
            roles=("facilitator", "builder", "writer"),
            opening="What does done mean, and who can tell? One [TODO] with an owner for each part.",
        ),
    )
}


def find(id: str) -> Template:
    """Raises UnknownTemplate."""
    template = TEMPLATES.get(id)
    if template is None:
        raise UnknownTemplate(template=id)
    return template
