"""What is said in the conversation: messages and status notes, as facts; and the count that keeps agents from
answering each other for ever (traps 39 to 42).

What was said stays in the log. This slice keeps how much was said by whom, and how long agents have been among
themselves.
"""

from dataclasses import dataclass, field
from typing import Literal

from stateroom.core.attachments import Attachment
from stateroom.core.context import ContextFact
from stateroom.core.here import Command, Event, LogEntry
from stateroom.core.ids import Instant, Name, Position
from stateroom.core.lifecycle import PolicySet
from stateroom.core.marks import Mark
from stateroom.core.members import MemberKind, fold
from stateroom.core.tasks import TaskFact
from stateroom.core.turns import Mode

MessageKind = Literal["message", "status"]
RoleAtSend = Literal["open", "lead", "supplement", "wrap", "moderator", "assignee", "host_directed", "human", "status"]
InvocationType = Literal["normal_turn", "host_directed", "moderator_assigned", "status_update"]

NO_ADDITION = "__no_addition__"
"""The whole text of a speaker that passes: nothing is stored, the floor goes on."""
MESSAGE_CHARS = 32_000
MESSAGE_ATTACHMENTS = 5


@dataclass(frozen=True, slots=True)
class Speaker:
    """How the sender appeared when it spoke; its name is the entry's `by`."""

    kind: MemberKind
    role: str
    color: str
    initials: str
    verified: bool
    """Whether its seat key or a credential proved the name."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the message was to the turn."""

    mode: Mode
    role: RoleAtSend
    invocation: InvocationType
    turn: Instant | None = None
    """The id of the turn it was said in."""
    extends_turn: bool = False
    degraded: bool = False
    """It was meant as a message and kept as a status note, because another had the floor."""


@dataclass(frozen=True, slots=True)
class Say(Command):
    """Speak, or (kind status) note progress without taking a turn."""

    text: str
    kind: MessageKind = "message"
    reply_to: Position = Position(0)
    """The position of what it answers; 0 for nothing."""
    attachments: tuple[str, ...] = ()
    """Ids of what was uploaded to this room before."""


@dataclass(frozen=True, slots=True)
class MessageSaid(Event):
    kind: MessageKind
    text: str
    speaker: Speaker
    standing: Standing
    reply_to: Position = Position(0)
    marks: tuple[Mark, ...] = ()
    mentions: tuple[Name, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class SecretsRedacted(Event):
    """Secrets were taken out of what was just written; how many, never which (agent-room §17.1)."""

    count: int

    @property
    def told(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class ExchangePaused(Event):
    """Agents have talked among themselves for `count` messages and nothing has changed: the exchange is closed until
    a person speaks, or a task or context entry changes."""

    count: int


@dataclass(slots=True)
class Speech:
    said: int = 0
    """Messages, without status notes."""
    redacted: int = 0
    """Secrets taken out so far."""
    among_agents: int = 0
    """Messages of agents in a row since a person spoke or a task or context entry changed."""
    paused: bool = False
    last_by: dict[str, Position] = field(default_factory=dict)
    """Where each member last spoke, by folded name."""


def said(speech: Speech, entry: LogEntry, event: MessageSaid) -> None:
    speech.last_by[fold(entry.by)] = entry.position
    if event.standing.role == "status":
        return
    speech.said += 1
    if event.speaker.kind == "human":
        _reopen(speech)
    else:
        speech.among_agents += 1


def paused(speech: Speech, entry: LogEntry, event: ExchangePaused) -> None:
    speech.paused = True


def redacted(speech: Speech, entry: LogEntry, event: SecretsRedacted) -> None:
    speech.redacted += event.count


def noticed(speech: Speech, entry: LogEntry) -> None:
    """Entries of other nouns that change what agents may talk about, or for how long."""
    event = entry.event
    if isinstance(event, ContextFact | PolicySet) or (isinstance(event, TaskFact) and event.deed):
        _reopen(speech)


def _reopen(speech: Speech) -> None:
    speech.among_agents, speech.paused = 0, False


FOLDS = {MessageSaid: said, ExchangePaused: paused, SecretsRedacted: redacted}
