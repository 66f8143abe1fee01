"""Everything that must be true of any world, whatever the store did."""

from collections import defaultdict
from itertools import pairwise

from stateroom.core.claims import GRACE_MS
from stateroom.core.context import ContextRevised, ContextWritten
from stateroom.core.here import LogEntry
from stateroom.core.leases import LeaseLapsed, LeaseReleased, LeaseRenewed, LeaseTaken
from stateroom.core.proving import TaskRejected, TaskSubmitted, TaskVerified
from stateroom.core.reviews import ReviewRequested
from stateroom.core.room import Room, replay
from stateroom.core.silence import TaskLapsed
from stateroom.core.tasks import Task, TaskClaimed, TaskFact, TaskOpened, TaskRemoved
from stateroom.log import codec
from tests.simulation.world import Outcome

ALWAYS_DOES = {"PostMessage", "OpenTask", "SetVariable", "WithdrawMessage", "RemoveTask", "WriteContext"}
"""Wishes that, where they are not refused, never find everything as they want it already."""


BESIDES = ("MemberJoined", "LeaseLapsed", "TaskLapsed", "ClaimStalled", "VerdictOverdue", "BoardCompleted")
"""What is said besides a deed, or by a tick."""


def check(outcome: Outcome) -> None:
    """Raises AssertionError with a sentence that says what is not as it must be."""
    for failure in outcome.failures:
        raise AssertionError(f"a watcher ended: {failure!r}") from failure
    check_log(outcome.entries)
    check_requests(outcome)
    check_ends(outcome)
    check_followers(outcome)
    check_readers(outcome)
    check_tasks(outcome)
    check_task_leases(outcome.entries)
    check_proof(outcome)
    check_leases(outcome)
    check_ids_and_versions(outcome.entries)


def check_log(entries: list[LogEntry]) -> None:
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1)), "positions are gapless"
    lines = [entry.line for entry in entries if entry.line]
    assert lines == list(range(1, len(lines) + 1)), "lines are gapless"
    assert all(bool(entry.line) == entry.event.line for entry in entries), "a line is what is a line"
    assert all(a.at <= b.at for a, b in pairwise(entries)), "time runs forwards"


def request_of(entry: LogEntry) -> str:
    return entry.cause.rpartition("#")[0].partition("/")[2]


def check_requests(outcome: Outcome) -> None:
    """Acknowledged means in the log exactly once, however often it was asked, and wherever.

    (A wish that changes nothing is answered with no entries and not remembered: asked again, it may change something.)
    """
    by_request = defaultdict(list)
    for entry in outcome.entries:
        by_request[request_of(entry)].append(entry.position)
    for request, wish, positions in outcome.acknowledged:
        done = positions or wish in ALWAYS_DOES
        assert not done or by_request[request] == positions != [], f"{request}: acknowledged means in the log, once"
    for request, positions in by_request.items():
        kinds = [type(outcome.entries[position - 1].event).__name__ for position in positions]
        deeds = [kind for kind in kinds if kind not in BESIDES]
        assert not request or len(deeds) == 1, f"{request} was done {len(deeds)} times"


def check_ends(outcome: Outcome) -> None:
    """Every server ends where the log does, to the last byte."""
    truth = replay(outcome.entries, Room())
    for withdrawn, state in outcome.ends:
        assert withdrawn == set(truth.messages.withdrawn)
        assert state == codec.encode_state(truth), "every server ends where the log does"


def check_followers(outcome: Outcome) -> None:
    """Everybody hears everything, once, in order."""
    positions = [entry.position for entry in outcome.entries]
    for name, got in outcome.heard.items():
        assert got == positions, f"{name} heard {len(got)} of {len(positions)}"


def check_readers(outcome: Outcome) -> None:
    """A told entry reaches every name once; one that is withdrawn may or may not have been read before."""
    told = [entry.position for entry in outcome.entries if entry.event.told]
    gone = outcome.ends[0][0]
    must = set(told) - gone
    for name, taken in outcome.taken.items():
        assert len(taken) == len(set(taken)), f"{name}: readers that share a name never get an event twice"
        assert set(taken) <= set(told), f"{name}: nobody is told what the room is not told"
    assert must <= set(outcome.taken["honest"]), "what is taken is never lost, as long as the shelf answers"
    acked = list(dict.fromkeys(outcome.acked))
    assert acked == sorted(acked), "ack keeps the order"
    assert must <= set(acked) <= set(told), "ack loses nothing, whatever gets lost"


def check_tasks(outcome: Outcome) -> None:
    """Nobody takes a task that somebody else holds, unless it says so."""
    holder: dict[str, str | None] = {}
    for entry in outcome.entries:
        if isinstance(entry.event, TaskFact):
            task = entry.event.task
            if isinstance(entry.event, TaskClaimed) and request_of(entry) not in outcome.takeovers:
                assert holder.get(task.id) in (None, task.owner), "a task has two holders"
            holder[task.id] = task.owner if task.state == "held" else None


def check_task_leases(entries: list[LogEntry]) -> None:
    """Tokens grow, a lease ends by itself only after its holder's silence and a grace, and every end is said."""
    newest, seen, leased = 0, defaultdict(int), {}
    for entry in entries:
        if isinstance(entry.event, TaskFact):
            task = entry.event.task
            if isinstance(entry.event, TaskLapsed):
                holder, lease = leased[task.id]
                alive = max(seen[holder], lease.renewed_at) + lease.seconds * 1000 + GRACE_MS
                assert entry.event.holder == holder, "a lapse names another than the holder"
                assert entry.at >= alive, "a task was taken from who was at work on it"
            elif task.leased and (task.id not in leased or leased[task.id][1].token != task.lease.token):
                assert task.lease.token > newest, "a token was granted twice"
                newest = task.lease.token
            leased[task.id] = (task.owner, task.lease)
            if not task.leased or isinstance(entry.event, TaskRemoved):
                del leased[task.id]
        if entry.by:
            seen[entry.by] = entry.at
    assert leased == {}, "a dead agent's claim is never over"


def check_proof(outcome: Outcome) -> None:
    """Whoever submits holds the task, by the token in force, or takes it; and nobody rules on its own work."""
    before: dict[str, Task] = {}
    for entry in outcome.entries:
        if isinstance(entry.event, TaskFact):
            task, was = entry.event.task, before.get(entry.event.task.id)
            if isinstance(entry.event, TaskSubmitted):
                assert was is not None
                assert was.owner in (None, entry.by), "somebody else's work was submitted"
                token = was.lease.token if was.leased else None
                assert token in (None, outcome.tokens[request_of(entry)]), "a stale holder has finished"
            if isinstance(entry.event, TaskVerified | TaskRejected):
                assert entry.by not in (task.owner, task.evidence[-1].by), "somebody ruled on its own work"
            if task.state == "done" and task.needs_proof:
                assert task.verdict is not None, "a task is done without a verdict"
            before[task.id] = task


def check_leases(outcome: Outcome) -> None:
    """One holder at a time, growing tokens, every lapse said once, and nobody refused over a lease that never was."""
    live: dict[str, tuple[str, int]] = {}
    was: set[tuple[str, int]] = set()
    for entry in outcome.entries:
        event = entry.event
        if isinstance(event, LeaseTaken):
            assert event.resource not in live or live[event.resource][1] <= entry.at, "a lease has two holders"
            live[event.resource] = (event.holder, event.until)
        elif isinstance(event, LeaseRenewed):
            assert entry.at < live[event.resource][1], "a lease was renewed after its time"
            live[event.resource] = (live[event.resource][0], event.until)
        elif isinstance(event, LeaseReleased | LeaseLapsed):
            lapsed = live.pop(event.resource)[1] <= entry.at
            assert lapsed == isinstance(event, LeaseLapsed), "release ends a lease before its time, lapse after it"
        was |= set(live.values())
    assert live == {}, "every lapse is said"
    for refusal in outcome.refused:
        assert (refusal.facts["holder"], refusal.facts["until"]) in was, "refused over a lease that never was"


def check_ids_and_versions(entries: list[LogEntry]) -> None:
    """No id is given twice, and every version follows on the one before: no revision is lost under another."""
    ids, notes = [], {}
    for entry in entries:
        event = entry.event
        if isinstance(event, TaskOpened):
            ids.append(event.task.id)
        elif isinstance(event, ReviewRequested):
            ids.append(event.review.id)
        elif isinstance(event, ContextWritten):
            ids.append(event.entry.id)
            notes[event.entry.id] = event.entry
        elif isinstance(event, ContextRevised):
            before, notes[event.entry.id] = notes[event.entry.id], event.entry
            assert event.previous_version == before.version
            assert int(event.entry.summary) == int(before.summary) + 1, "a revision was lost"
    assert len(ids) == len(set(ids)), "an id came twice"
