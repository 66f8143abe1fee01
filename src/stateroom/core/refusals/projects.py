"""Refusals about projects."""

from stateroom.core.refusals.base import Refusal


class ProjectKeyWrong(Refusal):
    """There is no project of this id that this key opens."""

    code, status = "project_key_wrong", 403
    hint = "Give projectId (prj_…) and the key that goes with it now (pak_…): an older one opens nothing any more."


class BadFact(Refusal):
    """This can not be remembered: it says nothing, or in a category that there is not."""

    code, status = "bad_fact", 400
    hint = "Give one sentence, and a category: decisions, preferences, facts, deliverables, open_questions or lessons."


class UnknownFact(Refusal):
    """There is no {fact} in the memory of this project."""

    code, status = "unknown_fact", 404
    hint = "Show the project to see what it remembers, with ids."
