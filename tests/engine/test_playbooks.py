"""Playbooks through the engine: what two servers on one store know of them, and who has none."""

import asyncio

import pytest

from stateroom.core.kept_playbooks import KEPT
from stateroom.core.official import OFFICIAL
from stateroom.core.playbooks import Playbook
from stateroom.core.refusals import PlaybooksFull, UnknownPlaybook, UnknownTemplate
from stateroom.core.roles import RoleSlot
from stateroom.core.tasks import Draft
from stateroom.engine import conversation, playbooks
from stateroom.engine.access import GUEST, Caller, Unauthorized
from stateroom.log.seam import Unavailable
from tests.engine.conftest import running

CREW = Playbook("", "Crew", roles=(RoleSlot("Builder"),), tasks=(Draft("build"),))
STRANGER = Caller("", GUEST)


def named(name: str) -> Playbook:
    return Playbook("", name, tasks=(Draft("t"),))


async def save(bench, playbook=CREW):
    return await playbooks.save(bench.engine, bench.caller, playbook)


async def ids(bench):
    return [one.id for one in await playbooks.listed(bench.engine, bench.caller)]


@pytest.mark.parametrize(
    "look",
    [
        lambda bench: playbooks.one(bench.engine, bench.caller, "crew"),
        lambda bench: playbooks.start(bench.engine, bench.caller, "crew"),
        lambda bench: conversation.create(bench.engine, bench.caller, "t", "Nova", "crew"),
    ],
    ids=["shown", "started from", "made a room of"],
)
async def test_what_one_server_has_just_saved_another_finds(bench, other, look):
    """Also where the hint that there is something new is still on its way."""
    assert await ids(other) == list(OFFICIAL)
    other.engine.rooms._hear = lambda hint: None
    await save(bench)
    assert await look(other)


async def test_what_one_server_has_just_saved_another_lists(bench, other):
    """The list is as new as the store."""
    assert await ids(other) == list(OFFICIAL)
    other.engine.rooms._hear = lambda hint: None
    await save(bench)
    assert await ids(other) == [*OFFICIAL, "crew"]


async def test_two_servers_at_once_do_not_keep_one_too_many(bench, other):
    """The last place goes to one of them; the other is told that there is none."""
    for number in range(KEPT - 1):
        await save(bench, named(f"p{number}"))
    found = await asyncio.gather(save(bench, named("one")), save(other, named("two")), return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == sorted(["Saved", PlaybooksFull.__name__])
    assert len(await ids(bench)) == len(OFFICIAL) + KEPT


async def test_a_save_whose_answer_was_lost_can_be_repeated(bench):
    """It has happened: the second time changes nothing, and says that nothing was replaced."""
    bench.log.lost.append(Unavailable("gone"))
    with pytest.raises(Unavailable):
        await save(bench)
    saved = await save(bench)
    assert (saved.playbook.id, saved.replaced) == ("crew", False)
    assert await ids(bench) == [*OFFICIAL, "crew"]


async def test_a_secret_in_a_name_does_not_hide_what_was_saved(bench):
    """Saved again just so, it is found under the name it was kept by."""
    leaky = named("crew ghp_" + "a1B2" * 10)
    first = await save(bench, leaky)
    assert first.playbook.id == "crew-redacted"
    assert (await save(bench, leaky)).playbook == first.playbook


async def test_who_has_only_a_code_has_no_playbooks_of_a_team(bench):
    """It starts from those that come with Stateroom, and neither saves nor removes any."""
    await save(bench)
    engine = bench.engine
    assert [one.id for one in await playbooks.listed(engine, STRANGER)] == list(OFFICIAL)
    assert (await playbooks.start(engine, STRANGER, "docs-sprint")).tasks == 2
    with pytest.raises(UnknownPlaybook):
        await playbooks.one(engine, STRANGER, "crew")
    with pytest.raises(UnknownTemplate):
        await playbooks.start(engine, STRANGER, "crew")
    with pytest.raises(Unauthorized):
        await playbooks.save(engine, STRANGER, CREW)
    with pytest.raises(Unauthorized):
        await playbooks.remove(engine, STRANGER, "crew")


async def test_a_playbook_survives_a_restart(bench, store, clock):
    """A server that starts on the store has what others saved and removed."""
    await save(bench)
    await save(bench, named("gone"))
    await playbooks.remove(bench.engine, bench.caller, "gone")
    async with running(store, clock) as fresh:
        assert (await playbooks.one(fresh.engine, fresh.caller, "Crew")).tasks == CREW.tasks
        with pytest.raises(UnknownPlaybook):
            await playbooks.one(fresh.engine, fresh.caller, "gone")
