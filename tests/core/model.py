"""The room once more, as naively as possible: plain dicts, no events, no folds. What it says is what should happen.

Written from the design and the protocol, not from the code, so that the two can disagree. Names are ASCII here, so
the one compare of names is `key`.
"""

import json
import re
from copy import deepcopy
from typing import Any

from stateroom.core.here import Command, Proof
from stateroom.testing.scenes import GUEST
from tests.core.model_of_casting import Casting
from tests.core.model_of_talk import No, Talk, key
from tests.core.model_of_tasks import QUIETLY

SIGNED = {"Leave", "MarkRead", "TakeLease", "ReleaseLease", "RequestReview", "ResolveReview", "TakeSeat", "Say"}
ARRIVES_BY_ITSELF = {
    *(
        "Join",
        "Leave",
        "OpenRoom",
        "EndRoom",
        "ReactivateRoom",
        "SetPolicy",
        "Say",
        "Tick",
        "KeepReport",
        "StoreAttachment",
    ),
    *("TakeSeat", "RemoveMember", "MuteMember", "SetMode", "Invite", "SkipSpeaker"),
}
AFTER_THE_END = {
    *("OpenRoom", "EndRoom", "ReactivateRoom", "SetPolicy", "Tick", "Leave", "RemoveMember", "MarkRead"),
    *("ReleaseLease", "KeepReport"),
}
UNTOLD = {
    *("RoomOpened", "MemberJoined", "MemberSeated", "MessageRead", "AttachmentStored", "ReportKept"),
    *("LeaseTaken", "LeaseRenewed", "LeaseReleased", "LeaseLapsed", "TaskRenewed", "BoardCompleted", "TaskCast"),
}
WINDOW = 5
"""How many requests are remembered, for this test."""


def snake(name: str) -> str:
    """`OpenTask` -> `open_task`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Model(Casting, Talk):
    def __init__(self) -> None:
        super().__init__()
        self.position = 0
        self.read: dict[int, set[str]] = {}
        self.documents: dict[str, dict] = {}
        self.leases: dict[str, tuple[str, int, int]] = {}
        """Resource -> holder, until, token."""
        self.variables: dict[str, str] = {}
        self.used = {"T": 0, "C": 0, "R": 0}
        self.requests: list[tuple[str, int, int]] = []
        self.last_by: dict[str, int] = {}
        """Where each member last spoke."""

    def ask(self, by: str, wish: Command, now: int, request: str = "", proof: Proof = GUEST) -> list[str]:
        """The kinds of facts that should follow. Raises No, and then nothing has changed."""
        before = deepcopy(self.__dict__)
        try:
            return self._ask(by, wish, now, request, proof)
        except No:
            self.__dict__ = before
            raise

    def _ask(self, by: str, wish: Command, now: int, request: str, proof: Proof) -> list[str]:
        name = type(wish).__name__
        if self.ended and name not in AFTER_THE_END:
            raise No("RoomHasEnded")
        saved = deepcopy(self.__dict__)
        if name in SIGNED and not key(by):
            raise No("BadName")
        self.by, self.now, self.proof = key(by), now, proof
        if name != "TakeSeat":
            self.check_key()
        arrives = self.by and self.by not in self.members and name not in ARRIVES_BY_ITSELF
        self.before = self.position + bool(arrives)
        lapsed = [] if self.ended or name == "Tick" else self.lapses()
        self.before += len(lapsed)
        facts = getattr(self, snake(name))(wish)
        facts = [*lapsed, *facts, *self.completion(facts)] if facts else self.nothing(saved)
        if facts and arrives:
            if self.by in self.removed:
                raise No("NotParticipant")
            facts = ["MemberJoined", *facts]
            self._arrives(self.by)
        self._write(facts, request)
        return [fact.removesuffix(QUIETLY) for fact in facts]

    def nothing(self, saved: dict[str, Any]) -> list[str]:
        """Where nothing follows, nothing is said of what time has ended either."""
        by, now, proof = self.by, self.now, self.proof
        self.__dict__ = saved
        self.by, self.now, self.proof = by, now, proof
        return []

    def _write(self, facts: list[str], request: str) -> None:
        first = self.position + 1
        if facts and self.by and facts != ["MemberLeft"]:
            self.shows_a_sign_of_life()
        for fact in facts:
            self.position += 1
            self.told[self.position] = fact not in UNTOLD and not fact.endswith(QUIETLY)
            self.something_changed(fact)
            if fact == "MessageSaid":
                self.last_by[self.by] = self.position
        if request and facts:
            self.requests = [*self.requests, (request, first, self.position)][-WINDOW:]

    def _new(self, kind: str) -> str:
        self.used[kind] += 1
        return f"{kind}-{self.used[kind]:02d}"

    # -- what is posted

    def post_message(self, wish):
        self._must_have_a_voice()
        return ["MessagePosted"]

    def mark_read(self, wish):
        self._must_be_told(wish.position)
        readers = self.read.setdefault(wish.position, set())
        if self.by in readers:
            return []
        readers.add(self.by)
        return ["MessageRead"]

    def withdraw_message(self, wish):
        self._must_be_told(wish.position)
        del self.told[wish.position]
        self.read.pop(wish.position, None)
        return ["MessageWithdrawn"]

    def _must_be_told(self, position):
        if not self.told.get(position):
            raise No("UnknownEvent")

    # -- documents

    def write_context(self, wish):
        if not wish.payload.get("text"):
            raise No("BadPayload")
        document = {"minor": 0, "summary": wish.summary, "payload": wish.payload, "consumers": wish.consumers}
        self.documents[self._new("C")] = document
        return ["ContextWritten" + self._quietly(document)]

    def _quietly(self, document):
        return "" if document["consumers"] else QUIETLY

    def _document(self, id):
        if id not in self.documents:
            raise No("UnknownContext")
        return self.documents[id]

    def revise_context(self, wish):
        document = self._document(wish.context)
        if wish.expected_version not in (None, f"1.{document['minor']}"):
            raise No("ContextMoved")
        if wish.payload is not None and not wish.payload.get("text"):
            raise No("BadPayload")
        given = {"summary": wish.summary, "payload": wish.payload, "consumers": wish.consumers}
        after = {**document, **{field: value for field, value in given.items() if value is not None}}
        if json.dumps(after, sort_keys=True) == json.dumps(document, sort_keys=True):
            return []
        self.documents[wish.context] = {**after, "minor": document["minor"] + 1}
        return ["ContextRevised" + self._quietly(after)]

    def withdraw_context(self, wish):
        self._document(wish.context)
        del self.documents[wish.context]
        return ["ContextWithdrawn"]

    # -- leases, variables, reviews

    def take_lease(self, wish):
        if not 1 <= wish.seconds <= 300:
            raise No("BadDuration")
        holder, until, token = self.leases.get(wish.resource, ("", 0, 0))
        if self.now >= until:
            self.leases[wish.resource] = (self.by, self.now + wish.seconds * 1000, self.before + 1)
            return ["LeaseTaken"]
        if holder != self.by:
            raise No("LeaseHeld")
        later = max(until, self.now + wish.seconds * 1000)
        self.leases[wish.resource] = (holder, later, token)
        return ["LeaseRenewed"] if later > until else []

    def release_lease(self, wish):
        holder, until, token = self.leases.get(wish.resource, ("", 0, 0))
        if holder != self.by or self.now >= until or wish.token not in (None, token):
            raise No("NotTheHolder")
        del self.leases[wish.resource]
        return ["LeaseReleased"]

    def tick(self, wish):
        over = [resource for resource, (_, until, _) in self.leases.items() if self.now >= until]
        for resource in over:
            del self.leases[resource]
        return ["LeaseLapsed"] * len(over) + ([] if self.ended else self.passes(wish.present))

    def set_variable(self, wish):
        self.variables[wish.key] = wish.value
        return ["VariableSet"]
