"""Projects in the native API, for the team that owns them. Their keys are for rooms, made in `POST /rooms`."""

from typing import Annotated

from msgspec import Meta, Struct

from stateroom.core.here import Command
from stateroom.core.memory import BUDGET_CHARS
from stateroom.core.project import EditFact, ForgetFact, Remember, SetBrief
from stateroom.engine import projects
from stateroom.engine.projects import ProjectPass
from stateroom.faces.rest.endpoint import Endpoint, Given
from stateroom.wire.projects import (
    NewBrief,
    NewFact,
    NewProject,
    NewWords,
    ProjectLine,
    ProjectShape,
    project_line,
    project_shape,
)

MOST_CHARS = 64_000


class BudgetQuery(Struct, forbid_unknown_fields=True):
    budget: Annotated[int, Meta(ge=0, le=MOST_CHARS)] = BUDGET_CHARS
    """Characters of the memory as text."""


async def create(given: Given) -> ProjectShape:
    made = await projects.create(given.engine, given.caller, given.body.name, given.body.brief)
    return project_shape(made.project, BUDGET_CHARS, made.key)


async def list_projects(given: Given) -> list[ProjectLine]:
    return [project_line(one) for one in await projects.mine(given.engine, given.caller)]


async def show(given: Given) -> ProjectShape:
    found = await projects.open_(given.engine, given.caller, _named(given))
    return project_shape(found, given.query.budget)


async def rotate_key(given: Given) -> ProjectShape:
    made = await projects.rotate_key(given.engine, given.caller, _named(given))
    return project_shape(made.project, BUDGET_CHARS, made.key)


async def set_brief(given: Given) -> ProjectShape:
    return await _changed(given, SetBrief(given.body.brief, given.body.name))


async def remember(given: Given) -> ProjectShape:
    return await _changed(given, Remember(given.body.category, given.body.text))


async def edit(given: Given) -> ProjectShape:
    return await _changed(given, EditFact(given.path["fact"], given.body.text))


async def forget(given: Given) -> ProjectShape:
    return await _changed(given, ForgetFact(given.path["fact"]))


def _named(given: Given) -> ProjectPass:
    return ProjectPass(given.path["project"])


async def _changed(given: Given, command: Command) -> ProjectShape:
    await projects.wish(given.engine, given.caller, _named(given), command)
    found = await projects.open_(given.engine, given.caller, _named(given))
    return project_shape(found, BUDGET_CHARS)


ONE = "/projects/{project}"
ENDPOINTS = [
    Endpoint(
        method="POST",
        path="/projects",
        summary="Make a project: a brief and a memory that outlive rooms. The answer has its key, this once.",
        answer=ProjectShape,
        run=create,
        body=NewProject,
        status=201,
    ),
    Endpoint(
        method="GET", path="/projects", summary="Your team's projects.", answer=list[ProjectLine], run=list_projects
    ),
    Endpoint(
        method="GET",
        path=ONE,
        summary="A project of your team: its brief, its rooms, what it remembers.",
        answer=ProjectShape,
        run=show,
        query=BudgetQuery,
    ),
    Endpoint(
        method="POST",
        path=f"{ONE}/key",
        summary="Replace the project's key; the old one opens nothing any more.",
        answer=ProjectShape,
        run=rotate_key,
    ),
    Endpoint(
        method="PUT",
        path=f"{ONE}/brief",
        summary="Say what the project is about, and perhaps what it is called.",
        answer=ProjectShape,
        run=set_brief,
        body=NewBrief,
    ),
    Endpoint(
        method="POST",
        path=f"{ONE}/facts",
        summary="Note a fact by hand.",
        answer=ProjectShape,
        run=remember,
        body=NewFact,
        status=201,
    ),
    Endpoint(
        method="PUT",
        path=f"{ONE}/facts/{{fact}}",
        summary="Change the words of a fact.",
        answer=ProjectShape,
        run=edit,
        body=NewWords,
    ),
    Endpoint(
        method="POST",
        path=f"{ONE}/facts/{{fact}}/forget",
        summary="Take a fact out of the memory; it is not learned again.",
        answer=ProjectShape,
        run=forget,
    ),
]
