"""The stdio client's requests, in the order and the shape in which it sends them (agent-room §3.5, §9.3).

Three generations: `s2` (0.25.1), `s3a` (0.26.0) and `s3b`. What the client keeps in its state file is in `state`; what
it does between two polls is `pause`, so that a test decides how time passes.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from .asking import Actions

Generation = Literal["s2", "s3a", "s3b"]
TYPED = (
    *("RoomNotFoundError", "HostNameTakenError", "InterviewRoomBusyError", "MutedError", "NotYourTurnError"),
    *("NotHostError", "InvalidModeConfigError", "ModeNotSupportedError", "TaskNotFoundError", "TaskExistsError"),
    *("TaskStateError", "EvidenceIncompleteError", "NotVerifierError", "OwnerCannotVerifyError"),
    "TaskDoneImmutableError",
)
TICK_S, SLOWEST_S, SWEEP_S, QUIET_S = 2.0, 10.0, 20.0, 30.0


class ApiError(Exception):
    """What the client rebuilds from a failure: by name where it knows the name, else in general."""

    def __init__(self, name: str, message: str, known: bool) -> None:
        super().__init__(message)
        self.name = name if known else "AgentRoomApiError"


@dataclass
class Stored:
    """What the state file keeps of a room."""

    name: str
    cursor: int
    host_key: str | None = None


@dataclass
class StdioClient:
    ask: Actions
    generation: Generation
    state: dict[str, Stored] = field(default_factory=dict)
    pause: Callable[[float], Awaitable[None]] | None = None
    sent: list[str] = field(default_factory=list)
    """The actions it has sent."""

    async def post(self, action: str, **fields: Any) -> Any:
        self.sent.append(action)
        answer = await self.ask(action, **fields)
        if answer.ok:
            return answer.body
        known = answer.error in TYPED or (self.generation == "s3b" and answer.error == "NotParticipantError")
        raise ApiError(answer.error, answer.body["message"], known)

    def now(self) -> int:
        return self.ask.clock()

    async def room_create(self, topic: str, name: str, role: str = "") -> dict[str, Any]:
        created = await self.post("create", topic=topic, createdBy=name)
        code, key = created["room"]["code"], created["hostKey"]
        who = self._participant(name, role)
        await self.post("join", code=code, participant=who, hostKey=key, priorIdentity={"name": name, "client": "cc"})
        found = await self.post("messages", code=code, cursor=0)
        self.state[code] = Stored(name, self._cursor(0, found), key)
        return {"code": code, "topic": created["room"]["topic"], "cursor": self.state[code].cursor}

    async def room_join(self, code: str, name: str, role: str = "") -> dict[str, Any]:
        before = (await self.post("get", code=code))["room"]
        stored = self.state.get(code)
        prior = {"name": stored.name, "client": "cc"} if stored else None
        who = self._participant(name, role)
        key = stored.host_key if stored else None
        try:
            joined = await self.post("join", code=code, participant=who, hostKey=key, priorIdentity=prior)
        except ApiError as error:
            if error.name == "HostNameTakenError":
                return {"error": "host_name_taken"}
            raise
        assigned = joined["participant"]["name"]
        reconnect = any(one["name"] == assigned and one["client"] == "cc" for one in before["participants"])
        if not reconnect and joined["participant"].get("canSpeak") is not False:
            await self._greet(code, assigned, joined["participant"])
        found = await self.post("messages", code=code, cursor=0)
        self.state[code] = Stored(assigned, self._cursor(0, found))  # without the host key: gap 3
        if joined["room"].get("replyMode", "open") != "open":
            await self.post("turnState", code=code)
        told = {"code": code, "assignedName": assigned, "renamed": assigned != name}
        return told | {"cursor": self.state[code].cursor, "recentMessages": found["messages"][-20:]}

    async def _greet(self, code: str, name: str, own: dict[str, Any]) -> None:
        text = f"Hi all — {name} here. I'm in the room and listening."
        try:
            await self.post("send", code=code, message=self._message(own, name, text), kind="message")
        except ApiError:
            return

    async def room_send(
        self, code: str, name: str, text: str, kind: str = "message", attachments: list[Any] | None = None
    ) -> dict[str, Any]:
        room = (await self.post("get", code=code))["room"]
        own = next((one for one in room["participants"] if one["name"] == name and one["client"] == "cc"), {})
        message = self._message(own, name, text)
        if attachments:
            message["attachments"] = attachments
        stored = self.state.get(code)
        try:
            sent = await self.post(
                "send", code=code, message=message, hostKey=stored.host_key if stored else None, kind=kind
            )
        except ApiError as error:
            refused = {"MutedError": "muted", "NotYourTurnError": "not_your_turn"}
            refused |= {"NotParticipantError": "not_participant"} if self.generation == "s3b" else {}
            if error.name not in refused:
                raise
            return {"sent": False, "error": refused[error.name]}
        found = await self.post("messages", code=code, cursor=0)
        cursor = self._cursor(0, found)
        if stored:
            stored.cursor = cursor
        result = sent["result"]
        if not result["appended"]:
            return {"sent": True, "appended": False, "reason": result["reason"], "metadata": result["metadata"]}
        told = {"sent": True, "appended": True, "cursor": cursor, "roleAtSend": result["metadata"].get("roleAtSend")}
        return told | {"extendsTurn": bool(result["metadata"].get("extendsTurn"))}

    async def room_listen(self, code: str, since: int, timeout_ms: int = 25_000, name: str = "") -> dict[str, Any]:
        if timeout_ms == 0:
            found = await self.post("messages", code=code, cursor=since)
            return {"messages": found["messages"], "cursor": self._cursor(since, found)}
        loop = self._listen_s2 if self.generation == "s2" else self._listen_s3
        heard = await loop(code, since, self.now() + timeout_ms, name)
        if "terminated" not in heard and self.generation != "s2":
            await self.post("taskBoard", code=code)
        room = (await self.post("get", code=code))["room"]
        if room.get("replyMode", "open") != "open":
            await self.post("turnState", code=code)
        if code in self.state:
            self.state[code].cursor = heard["cursor"]
        return heard

    async def _listen_s2(self, code: str, since: int, until: int, name: str) -> dict[str, Any]:
        await self._present(code, name, until)
        polls = 0
        while self.now() < until:
            found = await self.post("messages", code=code, cursor=since)
            if found["messages"]:
                return {"messages": found["messages"], "cursor": self._cursor(since, found)}
            polls += 1
            if polls % 10 == 0 and (over := _over((await self.post("sweep", code=code))["room"], name)):
                return {"messages": [], "cursor": since, "terminated": over}
            await self._wait(TICK_S)
        return {"messages": [], "cursor": since}

    async def _listen_s3(self, code: str, since: int, until: int, name: str) -> dict[str, Any]:
        leased = self.generation == "s3b"
        await self._present(code, name, self.now() + 15_000 if leased else until)
        swept, stamped, begun, tick = self.now(), self.now(), self.now(), TICK_S
        while self.now() < until:
            sweeps = self.now() - swept >= SWEEP_S * 1000
            swept = self.now() if sweeps else swept
            room = (await self.post("sweep" if sweeps else "get", code=code))["room"]
            if over := _over(room, name):
                return {"messages": [], "cursor": since, "terminated": over}
            found = await self.post("messages", code=code, cursor=since)
            if found["messages"]:
                break
            if leased and self.now() - stamped >= 5_000:
                await self._present(code, name, self.now() + 15_000)
                stamped = self.now()
            tick = min(tick * 1.5, SLOWEST_S) if self.now() - begun > QUIET_S * 1000 else TICK_S
            await self._wait(tick)
        if leased:
            await self._present(code, name, self.now())
        return {"messages": found["messages"], "cursor": self._cursor(since, found)}

    async def _present(self, code: str, name: str, until: int) -> None:
        if name:
            try:
                await self.post("presence", code=code, name=name, until=until)
            except ApiError:
                return

    async def _wait(self, seconds: float) -> None:
        assert self.pause is not None
        await self.pause(seconds)

    async def room_end(self, code: str, name: str) -> dict[str, Any]:
        try:
            await self.post("end", code=code, requesterName=name, hostKey=self._host_key(code))
        except ApiError as error:
            if error.name != "NotHostError":
                raise
            return {"ok": False, "error": "not_host"}
        return {"ended": True, "code": code}

    async def room_leave(self, code: str, name: str) -> dict[str, Any]:
        await self.post("removeParticipant", code=code, requesterName=name, targetName=name, targetClient="cc")
        self.state.pop(code, None)
        return {"left": True, "code": code}

    async def set_mode(self, code: str, name: str, mode: str, config: dict[str, Any] | None = None) -> dict[str, Any]:
        key = self._host_key(code)
        try:
            changed = await self.post(
                "setReplyMode", code=code, requesterName=name, hostKey=key, mode=mode, config=config
            )
        except ApiError as error:
            known = {
                "NotHostError": "not_host",
                "InvalidModeConfigError": "invalid_mode_config",
                "ModeNotSupportedError": "mode_not_supported",
            }
            return {"ok": False, "error": known[error.name]}
        text = f'Reply mode changed to "{mode}" by {name}.'
        await self._announce(code, name, "⚙️", "#6B7280", text, {"eventType": "mode_changed"})
        return {"ok": True, "replyMode": changed["room"]["replyMode"]}

    async def invoke(self, code: str, name: str, target: str) -> dict[str, Any]:
        room = (await self.post("get", code=code))["room"]
        turn = (await self.post("turnState", code=code))["turnState"]
        if turn is None or "currentName" not in turn:
            return {"ok": False, "error": "no_active_turn"}
        hosting = room["createdBy"] == name
        who = {"name": target, "client": "cc"}
        key = self._host_key(code) if hosting else None
        added = await self.post(
            "directInvoke",
            code=code,
            requesterName=name,
            hostKey=key,
            target=who,
            source="host" if hosting else "moderator",
        )
        if hosting:
            about = {"eventType": "host_invoked", "targetAgentName": target, "targetAgentClient": "cc"}
            text = f"Host ({name}) directly invoked @{target}."
            await self._announce(code, name, "🎯", "#3B82F6", text, about)
        return {"ok": True, "added": added["added"]}

    async def skip(self, code: str, name: str) -> dict[str, Any]:
        await self.post("get", code=code)
        key = self._host_key(code)
        try:
            skipped = (await self.post("skipCurrent", code=code, requesterName=name, hostKey=key))["skipped"]
        except ApiError as error:
            if error.name != "NotHostError":
                raise
            return {"ok": False, "error": "not_host"}
        if skipped is None:
            return {"ok": False, "error": "no_active_turn"}
        about = {"eventType": "skipped_by_host", "targetAgentName": skipped["name"], "skippedBy": "host"}
        text = f"Host skipped @{skipped['name']}'s {skipped['role']} slot."
        await self._announce(code, name, "⏭️", "#F59E0B", text, about)
        return {"ok": True, "skipped": {key: skipped[key] for key in ("name", "client", "role")}}

    async def _announce(self, code: str, name: str, icon: str, color: str, text: str, about: dict[str, Any]) -> None:
        line = {
            "id": self.now(),
            "type": "sys",
            "name": "system",
            "initials": icon,
            "color": color,
            "role": "",
            "text": text,
            "client": "cc",
            "time": self.now(),
            "metadata": about,
        }
        key = self._host_key(code)
        await self.post("systemMessage", code=code, requesterName=name, hostKey=key, message=line)

    def _host_key(self, code: str) -> str | None:
        return self.state[code].host_key if code in self.state else None

    def _participant(self, name: str, role: str) -> dict[str, Any]:
        times = {"joinedAt": self.now(), "lastSeenAt": self.now()}
        return {"name": name, "role": role, "color": "#10B981", "initials": "XX", "client": "cc", **times}

    def _message(self, own: dict[str, Any], name: str, text: str) -> dict[str, Any]:
        look = {key: own.get(key, "") for key in ("initials", "color", "role")}
        message = {"id": self.now(), "type": "msg", "name": name, **look, "text": text, "client": "cc"}
        return {**message, "time": self.now()}

    def _cursor(self, since: int, found: dict[str, Any]) -> int:
        """S3b takes the server's word, the older ones count."""
        if self.generation == "s3b" and isinstance(found.get("total"), int):
            return int(found["total"])
        return since + len(found["messages"])


def _over(room: dict[str, Any], name: str) -> str:
    """Whether listening has come to its end, and why."""
    if room["status"] == "ended":
        return "room_ended"
    here = any(one["name"] == name for one in room["participants"])
    return "" if here or not name else "kicked"
