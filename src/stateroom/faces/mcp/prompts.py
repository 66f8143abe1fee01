"""Prompts: the rituals people start. Extras that nothing depends on."""

from collections.abc import Mapping
from dataclasses import dataclass

PLACEHOLDER = "(say which)"


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    description: str
    arguments: Mapping[str, str]
    """Name -> what to say; all of them required."""
    text: str
    """With the arguments in braces."""


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "join_room",
            "Join a room and catch up.",
            {"room": "the room's id or code", "agent": "the name you work under"},
            'Your room is "{room}" and you are "{agent}". Call room_join(code: "{room}", name: "{agent}") and act '
            "under the assignedName it returns; then get_my_summary and list_context. Tell me in a few lines what the "
            "plan is, what is yours, what is new and who is here.",
        ),
        Prompt(
            "hand_off",
            "Hand finished work over to another agent.",
            {"room": "the room's id or code", "agent": "the name you work under", "to": "who takes over"},
            'In room "{room}", as "{agent}": write down what "{to}" needs to go on (write_context, fitting type '
            'and consuming_agents: ["{to}"]), set the task to done with update_task, and wait for questions with '
            "wait_for_events.",
        ),
        Prompt(
            "review",
            "Review what you have been asked to review.",
            {"room": "the room's id or code", "agent": "the name you work under"},
            'In room "{room}", as "{agent}": call list_reviews(status: "pending"). For each one with you as reviewer, '
            "read its task or context entry, check it against what it claims, and call approve or reject with a note "
            "that says what you checked.",
        ),
    )
}


def render(name: str, arguments: Mapping[str, str]) -> str:
    """The prompt's text. Raises KeyError for an unknown prompt; a missing argument is left for the person to say."""
    prompt = PROMPTS[name]
    return prompt.text.format_map({key: arguments.get(key, PLACEHOLDER) for key in prompt.arguments})
