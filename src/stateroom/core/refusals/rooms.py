"""Refusals about rooms and who may run them."""

from stateroom.core.refusals.base import Refusal


class UnknownRoom(Refusal):
    """Room not found or access denied"""

    code, status = "unknown_room", 404
    hint = "List your rooms to see the ids you can use."


class BadRoomId(Refusal):
    """Invalid roomId: use 2–64 chars of [a-z0-9_-], starting with alphanumeric"""

    code, status = "bad_room_id", 400
    hint = "Choose a room id such as `my-project`."


class ReservedRoomId(Refusal):
    """Invalid roomId: reserved prefix"""

    code, status = "reserved_room_id", 400
    hint = "Choose a room id without two underscores in a row."


class NoCodeFree(Refusal):
    """All the room codes that were drawn are taken."""

    code, status = "no_code_free", 503
    hint = "Repeat the call: it draws new ones."


class RoomHasEnded(Refusal):
    """This room has ended: it can be read and reported, but nothing new can be said or done in it."""

    code = "room_ended"
    hint = "The host can reopen it with room_admin(action: reactivate). Until then stop listening."


class NotHost(Refusal):
    """Only the host of this room may do this, and nothing here proves that you are the host."""

    code, status = "not_host", 403
    hint = "Repeat the call with the hostKey that came with the room's creation, or ask the host to do it."


class BadPolicy(Refusal):
    """The policy can not be set so: {reason}."""

    code, status = "bad_policy", 400
    hint = "Correct the named part; the policy has not changed."


class UnknownTemplate(Refusal):
    """Unknown template: {template}"""

    code, status = "unknown_template", 404
    hint = "List the templates and playbooks to see their ids."


class RoomHasTasks(Refusal):
    """Room {room} already has {count} tasks; a template never overwrites a plan."""

    code = "room_has_tasks"
    hint = "Use a new room id, or pass append: true to add the template's tasks to the plan."


class RequestReused(Refusal):
    """The request id {request_id} was already used for a different call."""

    code = "request_reused"
    hint = "Use a new request id for a new wish; repeat the same arguments only to repeat the same wish."
