"""Refusals about names and seats."""

from stateroom.core.refusals.base import Refusal


class BadName(Refusal):
    """The name {name} can not be used: {reason}."""

    code, status = "bad_name", 400
    hint = "Use 1 to 128 visible characters."


class WrongMember(Refusal):
    """This connection speaks as {bound}, not as {name}."""

    code, status = "wrong_member", 403
    hint = "Leave the name out, or use `{bound}`."


class NotParticipant(Refusal):
    """{name} is not in this room.{nearest}"""

    code, status = "not_participant", 403
    hint = "Join first with room_join, then repeat the call under the name that join gave you."


class HostNameTaken(Refusal):
    """{name} is the host's name here, or looks like it."""

    code, status = "host_name_taken", 409
    hint = "Join under another name; the host itself joins with its hostKey or seatKey."


class SeatKeyNeeded(Refusal):
    """{name} has a seat of its own in this room, and this call does not show its key."""

    code, status = "seat_key_needed", 403
    hint = "Repeat the call with the seatKey that your first join returned, or join under another name."


class NobodyNamed(Refusal):
    """Nobody is named to whom a role in task {task} should go."""

    code, status = "nobody_named", 400
    hint = "Give a new owner, a new verifier, or both."
