"""Refusals about playbooks: recipes of a team that rooms start from."""

from stateroom.core.refusals.base import Refusal


class UnknownPlaybook(Refusal):
    """There is no playbook {playbook}."""

    code, status = "unknown_playbook", 404
    hint = "List the playbooks to see their ids."


class BadPlaybook(Refusal):
    """The playbook can not be kept so: {reason}."""

    code, status = "bad_playbook", 400
    hint = "Correct the named part and save it again; nothing has changed."


class PlaybookReserved(Refusal):
    """{playbook} comes with Stateroom: nobody can replace or remove it."""

    code = "playbook_reserved"
    hint = "Save yours under another name."


class PlaybooksFull(Refusal):
    """Your team has {count} playbooks, and {limit} is the most it can have."""

    code = "playbooks_full"
    hint = "Remove one that nobody needs, or save this one under the name of an older one."


class NothingToKeep(Refusal):
    """Room {room} has no task to do again and nobody with a role, so there is nothing to make a playbook of."""

    code = "nothing_to_keep"
    hint = "Add tasks, or let members join with a role; or give roles and tasks yourself instead of a room."
