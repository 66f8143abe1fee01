"""Locks (protocol §12.4, 112 to 117, and §13.2 W-12 to W-17): exclusive, time-bounded, told truthfully."""

from .harness import Room, gather, promise


@promise("112", "W-16")
async def test_the_second_agent_is_refused_and_told_who_holds_the_lock(room: Room) -> None:
    """The holder is the real one, with the time at which the lock ends."""
    first = await room.call("acquire_lock", resource="db", agentId="ann")
    assert (first["acquired"], first["resource"], first["holder"], first["ttlSeconds"]) == (True, "db", "ann", 30)
    second = await room.call("acquire_lock", resource="db", agentId="bob", ttlSeconds=60)
    assert (second["acquired"], second["resource"], second["holder"], second["ttlSeconds"]) == (False, "db", "ann", 60)
    assert first["expiresAt"] == second["expiresAt"] == "2026-01-01T00:00:30.000Z"


@promise("113")
async def test_only_the_holder_can_release_a_lock(room: Room) -> None:
    """Anybody else gets `released: false`, as does whoever releases what is free."""
    await room.call("acquire_lock", resource="db", agentId="ann")
    assert await room.call("release_lock", resource="db", agentId="bob") == {"released": False, "resource": "db"}
    assert await room.call("release_lock", resource="db", agentId="ann") == {"released": True, "resource": "db"}
    assert await room.call("release_lock", resource="db", agentId="ann") == {"released": False, "resource": "db"}


@promise("114")
async def test_a_released_lock_can_be_taken_by_another(room: Room) -> None:
    """At once."""
    await room.call("acquire_lock", resource="db", agentId="ann")
    await room.call("release_lock", resource="db", agentId="ann")
    assert (await room.call("acquire_lock", resource="db", agentId="bob"))["acquired"]


@promise("115", "W-13")
async def test_a_lock_ends_by_itself_however_busy_the_room_is(room: Room) -> None:
    """After its time it is off the list and can be taken, whatever was called meanwhile; its holder has lost it."""
    await room.call("acquire_lock", resource="db", agentId="ann", ttlSeconds=2)
    for _ in range(2):
        assert len(await room.call("list_locks")) == 1
        await room.add()
        await room.call("heartbeat", agentId="ann")
        room.clock.advance(1)
    assert await room.call("list_locks") == []
    assert not (await room.call("release_lock", resource="db", agentId="ann"))["released"]
    assert (await room.call("acquire_lock", resource="db", agentId="bob"))["holder"] == "bob"


@promise("116")
async def test_a_listed_lock_names_resource_and_owner(room: Room) -> None:
    """And, as an addition, its end and its token."""
    taken = await room.call("acquire_lock", resource="db", agentId="ann")
    (lock,) = await room.call("list_locks")
    assert (lock["resource"], lock["owner"]) == ("db", "ann")
    assert (lock["expiresAt"], lock["token"]) == (taken["expiresAt"], taken["token"])


@promise("117")
async def test_different_resources_do_not_collide(room: Room) -> None:
    """Nor do equal ones in different rooms."""
    assert (await room.call("acquire_lock", resource="db", agentId="ann"))["acquired"]
    assert (await room.call("acquire_lock", resource="ui", agentId="bob"))["acquired"]
    assert (await room.at("other").call("acquire_lock", resource="db", agentId="bob"))["acquired"]


@promise("W-15")
async def test_the_token_grows_and_tells_a_late_holder_apart(room: Room) -> None:
    """A release with the token of an earlier grant does not touch the later one."""
    first = await room.call("acquire_lock", resource="db", agentId="ann", ttlSeconds=1)
    room.clock.advance(2)
    second = await room.call("acquire_lock", resource="db", agentId="ann")
    assert second["token"] > first["token"]
    assert not (await room.call("release_lock", resource="db", agentId="ann", token=first["token"]))["released"]
    assert (await room.call("release_lock", resource="db", agentId="ann", token=second["token"]))["released"]


@promise("W-16")
async def test_the_holder_renews_by_asking_again(room: Room) -> None:
    """Under the same token; a renewal never shortens a lock."""
    first = await room.call("acquire_lock", resource="db", agentId="ann", ttlSeconds=30)
    room.clock.advance(20)
    longer = await room.call("acquire_lock", resource="db", agentId="ann", ttlSeconds=30)
    assert (longer["acquired"], longer["token"]) == (True, first["token"])
    assert longer["expiresAt"] == "2026-01-01T00:00:50.000Z"
    shorter = await room.call("acquire_lock", resource="db", agentId="ann", ttlSeconds=1)
    assert shorter["expiresAt"] == longer["expiresAt"]


async def test_of_many_who_reach_for_a_lock_one_has_it(room: Room) -> None:
    """And all the others are told the same name."""
    calls = [room.call("acquire_lock", resource="db", agentId=f"agent-{n}") for n in range(20)]
    answers = await gather(calls)
    (winner,) = [answer["holder"] for answer in answers if answer["acquired"]]
    assert {answer["holder"] for answer in answers} == {winner}


async def test_locks_are_not_told(room: Room) -> None:
    """Taking, renewing, losing and releasing leave no event."""
    for _ in range(2):
        await room.call("acquire_lock", resource="db", agentId="ann")
    await room.call("acquire_lock", resource="db", agentId="bob")
    await room.call("release_lock", resource="db", agentId="ann")
    assert await room.types() == []
