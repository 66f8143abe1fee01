"""The conversation as naively as possible, in open mode: who sits, who hosts, what is said. Part of `model.Model`.

Turns have a machine of their own; here the other modes are known only by their refusals.
"""

import re
from dataclasses import dataclass, field

from stateroom.core.here import Proof
from stateroom.core.policy import Policy
from stateroom.testing.scenes import GUEST, VIA

PALETTE = ("#5B6AFF", "#EC4899", "#F59E0B", "#8B5CF6", "#10B981", "#F43F5E", "#0EA5E9", "#D946EF")
"""In the order of agent-room §2.7."""
MIMES = ("text/plain", "image/png")
"""Those of the allowed types that this test uses."""
LARGEST = 10 * 1024 * 1024
TEXTS = {
    "hi": ((), ()),
    "": ((), ()),
    "  ": ((), ()),
    "__no_addition__": ((), ()),
    "[DECISION] go @ann": ((("decision", "go @ann"),), ("ann",)),
    "`[TODO] no` @bob and @ann": ((), ("bob", "ann")),
    "> [RESULT] theirs\n[STATUS] up @ann (2)": ((("status", "up @ann (2)"),), ("ann (2)",)),
}
"""What is said -> the marks it makes, and the names it calls."""


class No(Exception):
    """The rules should refuse; the first argument is the refusal's name."""


def key(name: str | None) -> str:
    return (name or "").strip().lower()


def look(name: str) -> str:
    """What is left of a folded name for a hasty eye."""
    return "".join(c for c in name if c.isalnum())


@dataclass
class Seat:
    kind: str = "agent"
    role: str = ""
    color: str = ""
    initials: str = ""
    muted: bool = False
    seated: bool = False
    seat: str = ""
    """The digest of its key."""


@dataclass
class Talk:
    """Who is there and what is said. `by`, `proof` and `before` are those of the present wish."""

    by: str = ""
    proof: Proof = GUEST
    opened: bool = False
    host: str = ""
    host_key: str = ""
    owner: str = ""
    policy: Policy = field(default_factory=Policy)
    ended: bool = False
    lead: str = ""
    """All that is kept of how the mode is set."""
    members: dict[str, Seat] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    silenced: set[str] = field(default_factory=set)
    told: dict[int, bool] = field(default_factory=dict)
    """Position -> whether the room was told of it; a withdrawn one is gone."""
    said: list[tuple] = field(default_factory=list)
    counted: int = 0
    """Messages that are no status notes."""
    among: int = 0
    """Messages of agents in a row."""
    paused: bool = False
    files: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    # -- who may

    def check_key(self):
        member = self.members.get(self.by)
        if member is None or not member.seat or self.policy.identity == "asserted":
            return
        shown = member.seat == self.proof.seat or (self.by == self.host and self._hosts())
        if not shown and (self.policy.identity == "keyed" or not self.proof.vouched):
            raise No("SeatKeyNeeded")

    def _hosts(self):
        if self.owner == VIA:
            return True
        return self.proof.host == self.host_key if self.host_key and self.proof.host else self._anybodys()

    def _anybodys(self):
        """A room without a key has everybody the server knows as its host."""
        return not self.host_key and self.proof.vouched

    def _must_host(self):
        if not self._hosts():
            raise No("NotHost")

    def _must_be_here(self, name):
        if key(name) not in self.members:
            raise No("NotParticipant")
        return self.members[key(name)]

    # -- the room

    def open_room(self, wish):
        if self.opened:
            return []
        self.opened, self.host, self.host_key = True, key(wish.host), wish.host_digest
        self.owner, self.policy = wish.owner, wish.policy
        return ["RoomOpened"]

    def end_room(self, wish):
        self._must_host()
        was, self.ended = self.ended, True
        return [] if was else ["RoomEnded"]

    def reactivate_room(self, wish):
        self._must_host()
        was, self.ended = self.ended, False
        return ["RoomReactivated"] if was else []

    def set_policy(self, wish):
        self._must_host()
        was = self.policy
        identity = was.identity if wish.identity is None else wish.identity
        limit = was.exchange_limit if wish.exchange_limit is None else wish.exchange_limit
        seconds = was.review_seconds if wish.review_seconds is None else wish.review_seconds
        if identity not in ("", "asserted", "keyed") or limit < 0 or 0 < seconds < 30:
            raise No("BadPolicy")
        self.policy = Policy(identity, limit, wish.proof or was.proof, seconds)
        return [] if self.policy == was else ["PolicySet"]

    def set_mode(self, wish):
        self._must_host()
        if wish.mode not in ("open", "sequential", "moderator"):
            raise No("ModeNotSupported")
        if wish.config.timeouts.lead == 0 or (wish.mode == "moderator" and not wish.config.moderator):
            raise No("InvalidModeConfig")
        was, self.lead = self.lead, wish.config.lead
        return [] if was == self.lead else ["ModeChanged"]

    def invite(self, wish):
        if wish.source == "moderator":
            raise No("NotHost")
        self._must_host()
        self._must_be_here(wish.target)
        return []

    def skip_speaker(self, wish):
        self._must_host()
        return []

    # -- seats

    def _arrives(self, name):
        self.members[name] = Seat(muted=name in self.silenced)
        self.silenced.discard(name)

    def _goes(self, name):
        gone = self.members.pop(name, None)
        if gone and gone.muted:
            self.silenced.add(name)

    def join(self, wish):
        if not self.by or self.by in self.members:
            return []
        if self.by in self.removed:
            raise No("NotParticipant")
        self._arrives(self.by)
        return ["MemberJoined"]

    def leave(self, wish):
        self._goes(self.by)
        self.is_not_waited_for(self.by)
        return ["MemberLeft"]

    def take_seat(self, wish):
        name = self._name(wish)
        was = self.members.get(name) or Seat(muted=name in self.silenced)
        taken = {other.color for member, other in self.members.items() if member != name}
        wanted = wish.color or was.color
        color = wanted if wanted not in taken else next((one for one in PALETTE if one not in taken), wanted)
        initials = wish.initials or was.initials or look(name)[:2].upper()
        now = Seat(wish.kind, wish.role or was.role, color, initials, was.muted, True, was.seat or wish.offer)
        if self.members.get(name) == now:
            return []
        self.members[name] = now
        self.removed.discard(name)
        self.silenced.discard(name)
        return ["MemberSeated"]

    def _name(self, wish):
        member = self.members.get(self.by)
        shown = member is not None and member.seat and member.seat == self.proof.seat
        if self.host and look(self.by) == look(self.host):
            if self.by == self.host and (shown or self._hosts()):
                return self.by
            raise No("HostNameTaken")
        if member is not None and (shown or self._is_back(member, wish)):
            return self.by
        return self._free()

    def _is_back(self, member, wish):
        """Without its key."""
        says_so = wish.returning and wish.kind == member.kind
        if not self.proof.vouched:
            return says_so and member.seated and not member.seat
        if member.seat and self.policy.identity == "keyed":
            return False
        return says_so or self.proof.bound or not member.seated

    def _free(self):
        taken = {look(name) for name in self.members}
        names = (self.by if number == 1 else f"{self.by} ({number})" for number in range(1, 99))
        return next(name for name in names if look(name) not in taken)

    def remove_member(self, wish):
        target = key(wish.target)
        if target == self.by:
            known = target in self.members
            if not known:
                return []
            self._goes(target)
            self.is_not_waited_for(target)
            return ["MemberLeft"]
        self._must_host()
        self._must_be_here(target)
        self._goes(target)
        self.is_not_waited_for(target)
        self.removed.add(target)
        return ["MemberRemoved"]

    def mute_member(self, wish):
        self._must_host()
        member = self._must_be_here(wish.target)
        was, member.muted = member.muted, wish.muted
        return [] if was == wish.muted else ["MemberMuted" if wish.muted else "MemberUnmuted"]

    def _must_have_a_voice(self):
        if self.by in self.silenced or (self.by in self.members and self.members[self.by].muted):
            raise No("Muted")

    # -- what is said

    def say(self, wish):
        member = self._must_be_here(self.by)
        if not member.seated and not self.proof.vouched:
            raise No("NotParticipant")
        self._must_have_a_voice()
        if not wish.text.strip() and not wish.attachments:
            raise No("NothingSaid")
        status, limit = wish.kind == "status", self.policy.exchange_limit
        counts = limit > 0 and member.kind == "agent" and not status
        if counts and self.paused:
            raise No("ExchangeClosed")
        if not set(wish.attachments) <= set(self.files):
            raise No("UnknownAttachment")
        marks, called = TEXTS[wish.text]
        named = tuple(name for one in called for name in self._answering(one))
        verified = self.proof.bound or bool(member.seat and member.seat == self.proof.seat)
        reply_to = wish.reply_to if self.told.get(wish.reply_to) else 0
        looked = (self.by, member.kind, member.role, verified)
        self.said.append((*looked, wish.kind, "status" if status else "open", marks, named, reply_to, wish.attachments))
        if status:
            return ["MessageSaid"]
        self.counted += 1
        self.among = 0 if member.kind == "human" else self.among + 1
        self.paused = self.paused and member.kind != "human"
        if counts and self.among >= limit:
            self.paused = True
            return ["MessageSaid", "ExchangePaused"]
        return ["MessageSaid"]

    def _answering(self, called):
        """Who has the name, else who has it with a number."""
        if called in self.members:
            return [called]
        return [name for name in self.members if re.fullmatch(re.escape(called) + r" \(\d+\)", name)]

    def something_changed(self, fact):
        """A task, a context entry or the policy: agents may talk about it."""
        if fact.startswith(("Task", "Context", "PolicySet")) and fact not in ("TaskLapsed", "TaskRerouted"):
            self.among, self.paused = 0, False

    # -- what is kept

    def store_attachment(self, wish):
        if wish.id in self.files:
            return []
        if wish.mime not in MIMES:
            raise No("AttachmentTypeNotAllowed")
        if not 1 <= wish.size <= LARGEST:
            raise No("AttachmentTooLarge" if wish.size > LARGEST else "AttachmentEmpty")
        self.files.append(wish.id)
        return ["AttachmentStored"]

    def keep_report(self, wish):
        self.reports.append(wish.id)
        return ["ReportKept"]
