"""What the host does: reply mode, invitations, skipping, voices, policy (agent-room §9.1, §9.3). A moderator invites
without any key (gap 37)."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from stateroom.core.floor import Invite, MemberInvited, SetMode, SkipSpeaker, TurnPassed, turn_of
from stateroom.core.lifecycle import ReactivateRoom, SetPolicy
from stateroom.core.members import same
from stateroom.core.refusals import NotHost
from stateroom.core.room import Room
from stateroom.core.seats import MuteMember
from stateroom.core.turns import Source
from stateroom.engine import conversation
from stateroom.faces.mcp.agent_room.arguments import Acting, one_of
from stateroom.faces.mcp.agent_room.failures import answering, bad_request, failed
from stateroom.faces.mcp.agent_room.visits import Visit, acting
from stateroom.faces.mcp.results import Failed
from stateroom.faces.mcp.tools import Tool
from stateroom.wire.agent_room.rooms import mode_config_shape, read_mode_config
from stateroom.wire.policies import policy_shape

Shape = dict[str, Any]
ACTIONS = ("reactivate", "set_mode", "invoke", "skip", "mute", "unmute", "kick", "set_policy")
AIMED = ("invoke", "mute", "unmute", "kick")
"""Actions that need targetName."""
NO_TURN = {
    "ok": False,
    "error": "no_active_turn",
    "message": "No turn is running, so nobody can be invited or skipped.",
    "hint": "A person's message starts a turn in sequential and moderator mode; in open mode everybody may speak.",
}


class Administer(Acting, kw_only=True):
    action: Annotated[str, one_of(*ACTIONS)]
    mode: Annotated[str, one_of("open", "sequential", "moderator")] = ""
    leadAgentName: str = ""
    moderatorAgentName: str = ""
    modeConfig: dict[str, Any] | None = None
    targetName: str = ""
    identity: Annotated[str, one_of("asserted", "keyed")] = ""
    exchangeLimit: int | None = None
    proof: Annotated[str, one_of("asked", "always")] = ""
    reviewSeconds: int | None = None
    recovery: Annotated[str, one_of("calls", "off")] = ""


@answering(ok=False)
async def room_admin(desk: Any, args: Administer) -> Any:
    """Run the room: needs hostKey, but a moderator may invoke without. set_mode(mode), invoke/mute/unmute/kick
    (targetName), skip the current speaker, reactivate an ended room, set_policy(identity, exchangeLimit, proof: who
    else must find every task done, reviewSeconds, recovery)."""
    if args.action not in RUN:
        return bad_request(f"There is no action {args.action[:40]!r}.", f"Use one of {', '.join(ACTIONS)}.", ok=False)
    if args.action in AIMED and not args.targetName.strip():
        return bad_request(f"{args.action} needs targetName.", "Name a member of the room.", ok=False)
    there = await acting(desk, args)
    answer = await RUN[args.action](there, args)
    if isinstance(answer, Failed):
        return answer
    return {**answer, "code": there.card.code, **await there.unread()}


async def _reactivate(there: Visit, args: Administer) -> Shape:
    await there.wish(ReactivateRoom(), args.requestId)
    return {"ok": True, "reactivated": True, "hint": "The room is open again."}


async def _set_mode(there: Visit, args: Administer) -> Shape:
    names = {"leadAgentName": args.leadAgentName, "moderatorAgentName": args.moderatorAgentName}
    given = {**(args.modeConfig or {}), **{name: value for name, value in names.items() if value}}
    await there.wish(SetMode(args.mode, read_mode_config(given)), args.requestId)

    def now(room: Room) -> Shape:
        config = mode_config_shape(room.floor.config)
        return {"replyMode": room.floor.mode, **({"modeConfig": config} if config else {})}

    return {"ok": True, **await there.view(now), "hint": "The room has been told."}


async def _invoke(there: Visit, args: Administer) -> Any:
    source, running = await there.view(lambda room: (_source(room, there), turn_of(room.floor) is not None))
    try:
        outcome = await there.wish(Invite(args.targetName, source), args.requestId)
    except NotHost as refusal:
        return failed(refusal, ok=False, error="not_authorized")
    added = any(isinstance(entry.event, MemberInvited) for entry in outcome.entries)
    if not added and not running:
        return Failed(NO_TURN)
    target = await there.view(lambda room: room.members.spelling(args.targetName))
    hint = "It may say one message now." if added else "It has the word already, or was invited before."
    who = {"target": {"name": target, "client": "cc"}, "targetName": target, "source": source, "as": source}
    return {"ok": True, "added": added, "invoked": added, **who, "hint": hint}


def _source(room: Room, there: Visit) -> Source:
    """A moderator needs no key; whoever shows the host's acts as host."""
    moderates = room.floor.mode == "moderator" and same(room.floor.moderator, there.me)
    return "moderator" if moderates and not there.keys.host else "host"


async def _skip(there: Visit, args: Administer) -> Any:
    outcome = await there.wish(SkipSpeaker(), args.requestId)
    passed = next((entry.event for entry in outcome.entries if isinstance(entry.event, TurnPassed)), None)
    if passed is None:
        return Failed(NO_TURN)
    skipped = {"name": passed.name, "client": "cc", "role": passed.role}
    return {"ok": True, "skipped": skipped, "hint": "The floor has gone on."}


async def _mute(there: Visit, args: Administer) -> Shape:
    await there.wish(MuteMember(args.targetName, muted=True), args.requestId)
    return {"ok": True, "muted": args.targetName.strip(), "hint": "It may listen, but not speak."}


async def _unmute(there: Visit, args: Administer) -> Shape:
    await there.wish(MuteMember(args.targetName, muted=False), args.requestId)
    return {"ok": True, "unmuted": args.targetName.strip(), "hint": "It may speak again."}


async def _kick(there: Visit, args: Administer) -> Shape:
    target = args.targetName.strip()
    await conversation.leave(there.desk.engine, there.caller, there.card, there.me, target, there.keys)
    return {"ok": True, "kicked": target, "hint": "Whoever listened under this name has been told."}


async def _set_policy(there: Visit, args: Administer) -> Any:
    words: Any = {name: getattr(args, name) or None for name in ("identity", "proof", "recovery")}
    await there.wish(
        SetPolicy(exchange_limit=args.exchangeLimit, review_seconds=args.reviewSeconds, **words), args.requestId
    )
    policy = await there.view(lambda room: room.lifecycle.policy)
    return {"ok": True, "policy": policy_shape(policy), "hint": "The room has been told."}


RUN: dict[str, Callable[[Visit, Administer], Awaitable[Any]]] = {
    "reactivate": _reactivate,
    "set_mode": _set_mode,
    "invoke": _invoke,
    "skip": _skip,
    "mute": _mute,
    "unmute": _unmute,
    "kick": _kick,
    "set_policy": _set_policy,
}

TOOLS = [Tool.of(room_admin, Administer, destructive=True)]
