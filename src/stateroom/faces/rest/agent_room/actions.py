"""What `POST /api/room` can be asked for: each action by its name, with its fields and its function."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from stateroom.faces.rest.agent_room import attendance, reports, rooms, talking, tasks, turns
from stateroom.faces.rest.agent_room.asking import At, InRoom
from stateroom.faces.rest.agent_room.rooms import Hosting, Look
from stateroom.wire.agent_room.rooms import Shape

Run = Callable[[At, Any], Awaitable[Shape]]


@dataclass(frozen=True, slots=True)
class Action:
    fields: type[InRoom]
    run: Run
    decoder: "msgspec.json.Decoder[Any]"
    waits: bool = False
    """Whether it may wait for something to happen: then it ends with its client's connection."""


def action(fields: type[InRoom], run: Run, *, waits: bool = False) -> Action:
    return Action(fields, run, msgspec.json.Decoder(fields), waits)


CREATE = "create"
"""The one action outside any room."""
ACTIONS: dict[str, Action] = {
    "get": action(Look, rooms.get),
    "join": action(rooms.Join, rooms.join),
    "end": action(Hosting, rooms.end),
    "reactivate": action(Hosting, rooms.reactivate),
    "setPolicy": action(rooms.ChangePolicy, rooms.set_policy),
    "sweep": action(Look, rooms.sweep),
    "verifyHostKey": action(rooms.Verify, rooms.verify_host_key),
    "removeParticipant": action(attendance.Remove, attendance.remove),
    "setMuted": action(attendance.Mute, attendance.set_muted),
    "presence": action(attendance.Present, attendance.presence),
    "updatePresence": action(attendance.Seen, attendance.update_presence),
    "health": action(Look, attendance.health),
    "messages": action(talking.Messages, talking.messages),
    "messageCount": action(Look, talking.message_count),
    "send": action(talking.Send, talking.send),
    "listen": action(talking.ListenFor, talking.listen_for, waits=True),
    "systemMessage": action(turns.SystemMessage, turns.system_message),
    "setReplyMode": action(turns.SetReplyMode, turns.set_reply_mode),
    "directInvoke": action(turns.DirectInvoke, turns.direct_invoke),
    "skipCurrent": action(Hosting, turns.skip_current),
    "turnState": action(Look, turns.turn_state),
    "taskBoard": action(Look, tasks.board),
    "taskCreate": action(tasks.TaskCreate, tasks.create),
    "taskClaim": action(tasks.TaskClaim, tasks.claim),
    "taskNext": action(tasks.TaskNext, tasks.next_task),
    "taskRenew": action(tasks.TaskRenew, tasks.renew),
    "taskRelease": action(tasks.TaskRelease, tasks.release),
    "taskHandoff": action(tasks.OnTask, tasks.handoff),
    "taskGrant": action(tasks.TaskGrant, tasks.grant),
    "taskCommit": action(tasks.TaskCommit, tasks.commit),
    "taskSubmit": action(tasks.TaskSubmit, tasks.submit),
    "taskVerify": action(tasks.TaskVerify, tasks.verify),
    "taskReassign": action(tasks.TaskReassign, tasks.reassign),
    "taskCancel": action(tasks.TaskCancel, tasks.cancel),
    "taskReopen": action(tasks.TaskReopen, tasks.reopen),
    "taskBlock": action(tasks.TaskBlock, tasks.block),
    "createReport": action(reports.CreateReport, reports.create),
    "getReport": action(Look, reports.get),
    "decisionToContext": action(reports.DecisionToContext, reports.keep_decision),
}
NOT_YET = (
    *("webhookSet", "webhookList", "webhookDelete", "setProjectPrompt", "attachProject", "projectSync"),
    *("recoverHost", "gameAction", "setReportVisibility", "taskReassignAlias"),
)
"""Actions of other servers that are not served here."""
