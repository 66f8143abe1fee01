"""Rooms that start with a plan (protocol §2.6). Built in, the same everywhere."""

from dataclasses import dataclass

from stateroom.core.refusals import UnknownTemplate
from stateroom.core.tasks import Draft


@dataclass(frozen=True, slots=True)
class Template:
    id: str
    name: str
    description: str
    project: str
    tasks: tuple[Draft, ...] = ()


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
        ),
    )
}


def find(id: str) -> Template:
    """Raises UnknownTemplate."""
    template = TEMPLATES.get(id)
    if template is None:
        raise UnknownTemplate(template=id)
    return template
