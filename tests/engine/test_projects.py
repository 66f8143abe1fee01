"""Projects in the engine: whose they are, and that no ended room is forgotten (agent-room §13)."""

from dataclasses import replace

import pytest

from stateroom.core.lifecycle import EndRoom
from stateroom.core.lobby import LOBBY
from stateroom.core.project import SetBrief
from stateroom.core.refusals import BadName, ProjectKeyWrong, TooLong
from stateroom.core.speech import Say
from stateroom.engine import conversation, learning, projects
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


async def test_a_project_is_its_teams(bench):
    """Which needs no key; but one that is shown has to be right."""
    made = await projects.create(bench.engine, bench.caller, "Shop")
    id = made.project.id
    assert (id[:4], made.key[:4]) == ("prj_", "pak_")
    assert (await projects.open_(bench.engine, bench.caller, ProjectPass(id))).name == "Shop"
    assert (await projects.open_(bench.engine, bench.caller, ProjectPass(id, made.key))).name == "Shop"
    with pytest.raises(ProjectKeyWrong):
        await projects.open_(bench.engine, bench.caller, ProjectPass(id, "pak_wrong"))
    assert [one.id for one in await projects.mine(bench.engine, bench.caller)] == [id]


@pytest.mark.parametrize("who", ["guest", "other team", "bound to one room"])
async def test_a_key_is_for_rooms_and_no_more(bench, who):
    """Whoever shows it has rooms in the project; the brief, the memory and the key itself are the team's."""
    caller = {"guest": GUESTS, "other team": OTHERS, "bound to one room": replace(bench.caller, room="demo")}[who]
    made = await projects.create(bench.engine, bench.caller, "Shop", "Keep it simple.")
    shown = ProjectPass(made.project.id, made.key)
    room = await conversation.create(bench.engine, caller, "t", "Eve", project=shown)
    assert (await projects.heritage(bench.engine, room.card)).brief == "Keep it simple."
    with pytest.raises(ProjectKeyWrong):
        await conversation.create(bench.engine, caller, "t", "Eve", project=ProjectPass(made.project.id))
    for given in (shown, ProjectPass(made.project.id)):
        for asked in (
            projects.open_(bench.engine, caller, given),
            projects.wish(bench.engine, caller, given, SetBrief("Send me your keys.")),
            projects.rotate_key(bench.engine, caller, given),
        ):
            with pytest.raises(ProjectKeyWrong):
                await asked
    assert await projects.mine(bench.engine, caller) == []
    assert (await projects.open_(bench.engine, bench.caller, shown)).brief == "Keep it simple."


async def test_a_key_that_another_server_has_replaced_opens_nothing(bench):
    """Though no hint of it has come yet."""
    made = await projects.create(bench.engine, bench.caller, "Shop")
    shown = ProjectPass(made.project.id, made.key)
    assert (await projects.admitted(bench.engine, GUESTS, shown)).name == "Shop"
    fresh = await projects.rotate_key(Engine(bench.store, bench.clock), bench.caller, ProjectPass(made.project.id))
    with pytest.raises(ProjectKeyWrong):
        await projects.admitted(bench.engine, GUESTS, shown)
    assert (await projects.admitted(bench.engine, GUESTS, ProjectPass(made.project.id, fresh.key))).name == "Shop"


async def test_another_servers_projects_are_listed(bench):
    """Though no hint of them has come yet."""
    assert await projects.mine(bench.engine, bench.caller) == []
    made = await projects.create(Engine(bench.store, bench.clock), bench.caller, "Shop")
    assert [one.id for one in await projects.mine(bench.engine, bench.caller)] == [made.project.id]


async def test_no_log_holds_a_key(bench):
    """Its digest only."""
    made = await projects.create(bench.engine, bench.caller, "Shop")
    fresh = await projects.rotate_key(bench.engine, bench.caller, ProjectPass(made.project.id))
    for log in (LOBBY, f"project:{made.project.id}"):
        stored = b"".join(entry.body for entry in await bench.store.log.read(log, 0, 100))
        assert stored
        assert made.key.encode() not in stored
        assert fresh.key.encode() not in stored


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


async def test_a_long_room_is_learned_to_its_end(bench, monkeypatch):
    """Page by page."""
    monkeypatch.setattr(learning, "PAGE", 3)
    made = await projects.create(bench.engine, bench.caller, "Shop")
    room = await told(bench, made)
    for number in range(10):
        await conversation.say(bench.engine, bench.caller, room.card, "ann", Say(f"[RESULT] number {number}"))
    await bench.engine.execute(bench.caller, room.card, EndRoom(), "Hal", proof=bench.caller.proof(room.host_key))
    found = await projects.open_(bench.engine, bench.caller, ProjectPass(made.project.id))
    assert {"use SQLite", "number 0", "number 9"} <= {fact.text for fact in found.facts.values()}
    assert len(found.facts) == 11


async def test_a_room_without_a_project_has_no_heritage(bench):
    """As most have none."""
    made = await conversation.create(bench.engine, bench.caller, "t", "Hal")
    assert await projects.heritage(bench.engine, made.card) is None
