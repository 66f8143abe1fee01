"""The client: one method per thing a server does. What comes back is in the native shapes (`wire/shapes.py`)."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Literal
from urllib.parse import quote

import httpx2
import msgspec

from stateroom.client.connection import Connection
from stateroom.client.patience import Patience
from stateroom.client.problems import Problem, Unreachable
from stateroom.client.shapes import Assignment, Document, Duties, Floor, Form, Json, Lines, Seat, WakeOn
from stateroom.client.sse import Frame, frames
from stateroom.wire.playbooks import PlaybookShape, SavedPlaybook
from stateroom.wire.projects import ProjectLine, ProjectShape
from stateroom.wire.shapes import Health, Here, Page, RoomInfo, Written

API = "/api/v1"
SILENCE_S = 60.0
"""A stream says something at least every 15 s; a longer silence is a broken connection."""
LISTEN_MS = 25_000
"""How long one call of many waits for the next line."""
PATIENCE_S = 60.0
LEASE_S = 900
"""How long a task is held after its holder's last sign of life."""


class Client:
    """A connection to a server; use it as an async context manager. Every call raises Problem or Unreachable."""

    def __init__(self, url: str, key: str = "", *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        """Raises Unreachable for what is no URL of a server."""
        self.url = url.rstrip("/")
        self._connection = Connection(self.url, key, transport)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._connection.close()

    async def health(self) -> Health:
        """How the server is; also while its store does not answer."""
        return await self._connection.get("/health", Health, even_if_unwell=True)

    async def rooms(self) -> list[RoomInfo]:
        return await self._connection.get(f"{API}/rooms", list[RoomInfo])

    async def create_room(
        self,
        id: str = "",
        template: str = "",
        *,
        host: str = "",
        topic: str = "",
        project: str = "",
        project_key: str = "",
    ) -> RoomInfo:
        """Open a room, empty or from a template or playbook; an id is drawn if none is given.

        With a host it is a room to talk in, which goes by its code and takes no id, and may be part of a project; the
        answer has its host key.
        """
        body = {"id": id, "template": template, "host": host, "topic": topic}
        body |= {"project": project, "project_key": project_key} if project else {}
        return await self._connection.post(f"{API}/rooms", RoomInfo, body)

    async def playbooks(self) -> list[PlaybookShape]:
        """Recipes that rooms can start from: those that come with Stateroom, then the team's own."""
        return await self._connection.get(f"{API}/playbooks", list[PlaybookShape])

    async def playbook(self, id: str) -> PlaybookShape:
        return await self._connection.get(f"{API}/playbooks/{quote(id, safe='')}", PlaybookShape)

    async def save_playbook(self, name: str, room: str = "", recipe: Json | None = None) -> SavedPlaybook:
        """Save what a room makes, or a whole recipe; one of the same name is replaced."""
        body = {**(recipe or {}), "name": name, **({"room": room} if room else {})}
        return await self._connection.post(f"{API}/playbooks", SavedPlaybook, body)

    async def remove_playbook(self, id: str) -> str:
        """Its id, now that it is gone."""
        return (await self._connection.delete(f"{API}/playbooks/{quote(id, safe='')}", dict[str, str]))["removed"]

    async def create_project(self, name: str, brief: str = "") -> ProjectShape:
        """Make a project; the answer has its key, this once."""
        return await self._connection.post(f"{API}/projects", ProjectShape, {"name": name, "brief": brief})

    async def projects(self) -> list[ProjectLine]:
        return await self._connection.get(f"{API}/projects", list[ProjectLine])

    async def project(self, id: str, budget: int = 4_000) -> ProjectShape:
        return await self._connection.get(_project(id), ProjectShape, {"budget": budget})

    async def rotate_project_key(self, id: str) -> ProjectShape:
        """Another key, in the answer this once; the old one opens nothing any more."""
        return await self._connection.post(f"{_project(id)}/key", ProjectShape, {})

    async def set_brief(self, id: str, brief: str, name: str = "") -> ProjectShape:
        return await self._connection.put(f"{_project(id)}/brief", ProjectShape, {"brief": brief, "name": name})

    async def remember(self, id: str, text: str, category: str = "facts") -> ProjectShape:
        """Note a fact by hand."""
        return await self._connection.post(f"{_project(id)}/facts", ProjectShape, {"text": text, "category": category})

    async def edit_fact(self, id: str, fact: str, text: str) -> ProjectShape:
        path = f"{_project(id)}/facts/{quote(fact, safe='')}"
        return await self._connection.put(path, ProjectShape, {"text": text})

    async def forget_fact(self, id: str, fact: str) -> ProjectShape:
        path = f"{_project(id)}/facts/{quote(fact, safe='')}/forget"
        return await self._connection.post(path, ProjectShape, {})

    async def room(self, room: str) -> RoomInfo:
        """A room by id or code, as everywhere."""
        return await self._connection.get(_path(room), RoomInfo)

    async def command(
        self,
        room: str,
        name: str,
        wish: Json,
        by: str = "",
        request_id: str = "",
        *,
        host_key: str = "",
        seat_key: str = "",
    ) -> Written:
        """Carry out a wish such as `open-task`. With a request id, repeating the call has its effect once."""
        body = {"by": by, "request_id": request_id, "host_key": host_key, "seat_key": seat_key, "wish": wish}
        return await self._connection.post(f"{_path(room)}/commands/{quote(name, safe='')}", Written, body)

    async def entries(self, room: str, after: int = 0, limit: int = 100, wait_ms: int = 0) -> Page:
        """A page of the log as it is; with `wait_ms`, waits for the first entry."""
        query: dict[str, str | int] = {"after": after, "limit": limit, "wait_ms": wait_ms}
        return await self._connection.get(f"{_path(room)}/entries", Page, query, wait_ms=wait_ms)

    async def take_seat(
        self,
        room: str,
        name: str,
        kind: Literal["agent", "human"] = "agent",
        role: str = "",
        *,
        returning: bool = False,
        host_key: str = "",
        seat_key: str = "",
    ) -> Seat:
        """Join the conversation, or come back to a seat: by its key, or (`returning`) by saying so."""
        body = {"name": name, "kind": kind, "role": role, "returning": returning}
        keys = {"host_key": host_key, "seat_key": seat_key}
        return await self._connection.post(f"{_path(room)}/seats", Seat, {**body, **keys})

    async def say(
        self,
        room: str,
        text: str,
        by: str,
        *,
        status: bool = False,
        reply_to: int = 0,
        request_id: str = "",
        host_key: str = "",
        seat_key: str = "",
    ) -> Written:
        """Speak from a seat; a status note takes no turn. `reply_to` is the position of what it answers.

        Like any wish it opens the room if there is none of that id.
        """
        wish = {"text": text, "kind": "status" if status else "message", "reply_to": reply_to}
        return await self.command(room, "say", wish, by, request_id, host_key=host_key, seat_key=seat_key)

    async def lines(
        self,
        room: str,
        after: int = 0,
        limit: int = 100,
        wait_ms: int = 0,
        *,
        member: str = "",
        wake_on: WakeOn = "any",
    ) -> Lines:
        """Lines of the transcript; with `wait_ms`, waits for the first that `member` did not say itself."""
        query: dict[str, str | int] = {"after": after, "limit": limit, "wait_ms": wait_ms}
        query |= {"member": member, "wake_on": wake_on}
        return await self._connection.get(f"{_path(room)}/lines", Lines, query, wait_ms=wait_ms)

    async def listen(
        self,
        room: str,
        after: int = 0,
        *,
        member: str = "",
        wake_on: WakeOn = "any",
        wait_ms: int = LISTEN_MS,
        patience_s: float = PATIENCE_S,
    ) -> AsyncIterator[Lines]:
        """Lines after a line as they come, each once, until the room has ended or the member was removed: then the
        last answer says so (`terminated`). Goes on by itself where it was when the server starts again."""
        patience = Patience(patience_s, reached=self._connection.reached)
        while True:
            try:
                found = await self.lines(room, after, wait_ms=wait_ms, member=member, wake_on=wake_on)
            except (Problem, Unreachable) as failure:
                if not patience.bears(failure):
                    raise
                await patience.pause()
                continue
            patience.renew()
            after = found.next
            if found.lines or found.terminated:
                yield found
            if found.terminated and (after >= found.last or not found.lines):
                return

    async def floor(self, room: str, member: str = "") -> Floor:
        """Who may speak, and what a member is to the turn."""
        return await self._connection.get(f"{_path(room)}/floor", Floor, {"member": member})

    async def report(self, room: str, format: Form = "json") -> Document:
        """The room as it stands, as data or as a Markdown document."""
        return await self._connection.get(f"{_path(room)}/report", Document, {"format": format})

    async def export(self, room: str, by: str = "", *, host_key: str = "", seat_key: str = "") -> Document:
        """Freeze the room as it stands under an id of its own: whoever has that can read it, for ever."""
        body = {"by": by, "host_key": host_key, "seat_key": seat_key}
        return await self._connection.post(f"{_path(room)}/reports", Document, body)

    async def frozen(self, id: str, format: Form = "json") -> Document:
        """A report as it was exported, by its id."""
        return await self._connection.get(f"{API}/reports/{quote(id, safe='')}", Document, {"format": format})

    async def events(self, room: str, **query: str | int) -> list[Json]:
        """Events under the Room Protocol's names: `after`, `before`, `limit`, `order`."""
        return await self._connection.get(f"{_path(room)}/events", list[Json], query)

    async def plan(self, room: str) -> list[Json]:
        return await self._connection.get(f"{_path(room)}/plan", list[Json])

    async def next_task(
        self, room: str, by: str, lease_s: int = LEASE_S, *, request_id: str = "", seat_key: str = ""
    ) -> Assignment:
        """Claim the best task for a member, or go on with the one it has; `command` then brings it on: `submit-task`
        with its token, `verify-task`, `renew-task`, `release-task`."""
        body = {"by": by, "lease_s": lease_s, "request_id": request_id, "seat_key": seat_key}
        return await self._connection.post(f"{_path(room)}/next-task", Assignment, body)

    async def duties(self, room: str, member: str) -> Duties:
        """What waits for a member, the verdicts it owes first."""
        return await self._connection.get(f"{_path(room)}/duties", Duties, {"member": member})

    async def context(self, room: str, **query: str | int) -> list[Json]:
        """Context entries as they stand, by `type` or `author`."""
        return await self._connection.get(f"{_path(room)}/context", list[Json], query)

    async def members(self, room: str) -> list[Here]:
        return await self._connection.get(f"{_path(room)}/members", list[Here])

    async def inbox(self, room: str, member: str, *, wait_ms: int = 0, **ask: int | bool | None) -> Json:
        """What a member has not seen: taken; with `peek=True` looked at; with `ack` acknowledged first."""
        path = f"{_path(room)}/inbox/{quote(member, safe='')}"
        return await self._connection.post(path, Json, {**ask, "wait_ms": wait_ms}, wait_ms=wait_ms)

    async def view(self, room: str, name: str, **query: str | int) -> Any:
        """Any other view: `unblocked`, `leases`, `search`, `analytics`, `context/C-01/diff`, …"""
        return await self._connection.get(f"{_path(room)}/{name}", object, query)

    async def follow(self, room: str, after: int = 0, patience_s: float = PATIENCE_S) -> AsyncIterator[Json]:
        """Events after a position as they happen, for ever; a cut connection goes on by itself where it was.

        Raises what went wrong at once when the server was never reached, else when it was not for `patience_s`.
        """
        last = str(after)
        patience = Patience(patience_s, reached=self._connection.reached)
        while True:
            try:
                async with aclosing(self._heard(room, last)) as heard:
                    async for frame in heard:
                        last = frame.id or last
                        yield msgspec.json.decode(frame.data)
                patience.renew()
            except (Problem, Unreachable) as failure:
                if not patience.bears(failure):
                    raise
            await patience.pause()

    async def _heard(self, room: str, last: str) -> AsyncGenerator[Frame, None]:
        """One connection's frames."""
        path = f"/rooms/{quote(room, safe='')}/stream"
        async with self._connection.stream(path, {"last-event-id": last}, SILENCE_S) as chunks:
            async for frame in frames(chunks):
                yield frame


def _path(room: str) -> str:
    return f"{API}/rooms/{quote(room, safe='')}"


def _project(id: str) -> str:
    return f"{API}/projects/{quote(id, safe='')}"
