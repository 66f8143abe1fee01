"""Shared variables (protocol §12.4, 118 to 123, and W-40)."""

import pytest

from .harness import Room, promise


@promise("118")
async def test_a_variable_round_trips(room: Room) -> None:
    """With `found: true`."""
    assert await room.call("set_shared_var", key="k", value="v", agentId="ann") == {"key": "k", "value": "v"}
    assert await room.call("get_shared_var", key="k") == {"key": "k", "value": "v", "found": True}


@promise("119")
async def test_an_unset_variable_is_null_and_not_found(room: Room) -> None:
    """Also in a room that does not exist."""
    assert await room.call("get_shared_var", key="k") == {"key": "k", "value": None, "found": False}


@promise("120")
async def test_an_empty_string_is_found(room: Room) -> None:
    """It is set, to nothing."""
    await room.call("set_shared_var", key="k", value="", agentId="ann")
    assert await room.call("get_shared_var", key="k") == {"key": "k", "value": "", "found": True}


@promise("121")
async def test_the_last_write_wins_and_is_told(room: Room) -> None:
    """The newest event is from the second setter, with key and value."""
    await room.call("set_shared_var", key="k", value="one", agentId="ann")
    await room.call("set_shared_var", key="k", value="two", agentId="bob")
    assert (await room.call("get_shared_var", key="k"))["value"] == "two"
    event = await room.newest()
    assert (event["type"], event["from"], event["to"]) == ("shared_var_set", "bob", "all")
    assert event["payload"] == {"key": "k", "value": "two"}


@promise("122")
async def test_the_list_has_all_variables_and_their_count(room: Room) -> None:
    """None in a room without any."""
    assert await room.call("list_shared_vars") == {"vars": {}, "count": 0}
    for key in ("a", "b"):
        await room.call("set_shared_var", key=key, value=key.upper(), agentId="ann")
    assert await room.call("list_shared_vars") == {"vars": {"a": "A", "b": "B"}, "count": 2}


@promise("123")
async def test_variables_are_scoped_to_their_room(room: Room) -> None:
    """Another room has its own."""
    await room.call("set_shared_var", key="k", value="here", agentId="ann")
    assert not (await room.at("other").call("get_shared_var", key="k"))["found"]


@promise("W-40")
@pytest.mark.parametrize("value", ["3000", "true", "null", "1.0", '{"a": 1}', "[]", '"quoted"', " ", "0"])
async def test_a_variable_is_a_string_for_ever(room: Room, value: str) -> None:
    """Nothing is guessed into a number, a boolean or an object, neither alone nor in the list."""
    await room.call("set_shared_var", key="k", value=value, agentId="ann")
    assert await room.call("get_shared_var", key="k") == {"key": "k", "value": value, "found": True}
    assert (await room.call("list_shared_vars"))["vars"] == {"k": value}
