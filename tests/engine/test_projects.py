"""Projects in the engine: whose they are, and that no ended room is forgotten (agent-room §13)."""

import pytest

from stateroom.core.lifecycle import EndRoom
from stateroom.core.refusals import BadName, ProjectKeyWrong, TooLong
from stateroom.core.speech import Say
from stateroom.engine import conversation, projects
from stateroom.engine.access import GUEST, Caller
from stateroom.engine.engine import Engine
from stateroom.engine.execute import Wish
from stateroom.engine.projects import ProjectPass

GUESTS = Caller("", GUEST)
OTHERS = Caller("blue", "key:blue")


async def told(bench, made, host="Hal"):
    """A room of the project in which something was decided."""
    room = await conversation.create(
        bench.engine, bench.caller, "t", host, project=ProjectPass(made.project.id, made.key)
    )
    await conversation.join(bench.engine, bench.caller, room.card, conversation.Newcomer("ann"))
    await conversation.say(bench.engine, bench.caller, room.card, "ann", Say("[DECISION] use SQLite"))
    return room


async def test_who_may_use_a_project(bench):
    """Its team, and whoever shows its key; not another team, not a guest without it."""
    made = await projects.create(bench.engine, bench.caller, "Shop")
    id = made.project.id
    assert (id[:4], made.key[:4]) == ("prj_", "pak_")
    assert (await projects.open_(bench.engine, bench.caller, ProjectPass(id))).name == "Shop"
    for caller in (GUESTS, OTHERS):
        assert (await projects.open_(bench.engine, caller, ProjectPass(id, made.key))).name == "Shop"
        with pytest.raises(ProjectKeyWrong):
            await projects.open_(bench.engine, caller, ProjectPass(id))
        assert await projects.mine(bench.engine, caller) == []
    with pytest.raises(ProjectKeyWrong):
        await projects.open_(bench.engine, bench.caller, ProjectPass(id, "pak_wrong"))
    assert [one.id for one in await projects.mine(bench.engine, bench.caller)] == [id]


async def test_a_guest_makes_no_project(bench):
    """And nothing is made where a name or brief is refused."""
    with pytest.raises(ProjectKeyWrong):
        await projects.create(bench.engine, GUESTS, "Shop")
    with pytest.raises(BadName):
        await projects.create(bench.engine, bench.caller, " ")
    with pytest.raises(TooLong):
        await projects.create(bench.engine, bench.caller, "Shop", "x" * 16_001)
    assert await projects.mine(bench.engine, bench.caller) == []


async def test_an_unknown_project_is_not_made_by_asking(bench):
    """Looking leaves no log behind."""
    with pytest.raises(ProjectKeyWrong):
        await projects.open_(bench.engine, bench.caller, ProjectPass("prj_nobody"))
    assert await bench.store.log.read("project:prj_nobody", 0, 10) == []


async def test_what_an_end_leaves_is_learned_at_once(bench):
    """By the call that ends the room."""
    made = await projects.create(bench.engine, bench.caller, "Shop")
    room = await told(bench, made)
    await bench.engine.execute(bench.caller, room.card, EndRoom(), "Hal", proof=bench.caller.proof(room.host_key))
    state = await bench.engine.rooms.view(f"project:{made.project.id}", lambda project: project)
    assert [fact.text for fact in state.facts.values()] == ["use SQLite"]


async def test_a_server_that_died_before_learning_loses_nothing(bench):
    """Whoever looks next learns, from whichever server, and two that look at once learn once."""
    made = await projects.create(bench.engine, bench.caller, "Shop")
    room = await told(bench, made)
    wish = Wish(EndRoom(), "Hal", bench.caller.via, proof=bench.caller.proof(room.host_key))
    await bench.engine.executor.execute(room.card.key, wish)  # the server dies right here
    other = Engine(bench.store, bench.clock)
    for engine in (other, bench.engine, other):
        found = await projects.heritage(engine, room.card)
        assert found is not None
        assert found.memory.text == f"### Decisions\n- use SQLite ({room.card.code}, line 1)"
    entries = await bench.store.log.read(f"project:{made.project.id}", 0, 100)
    assert sum(b'"RoomLearned"' in entry.body for entry in entries) == 1


async def test_a_room_without_a_project_has_no_heritage(bench):
    """As most have none."""
    made = await conversation.create(bench.engine, bench.caller, "t", "Hal")
    assert await projects.heritage(bench.engine, made.card) is None
