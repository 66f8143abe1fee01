"""The board's rules that look beyond the board: at who is a member, and at what was uploaded.

What somebody else has to say to a task, and to whom a task can go, depends on both.
"""

from dataclasses import replace

from stateroom.core import handing, proving, reviews, seats
from stateroom.core.attachments import Attachments
from stateroom.core.evidence import Ruling
from stateroom.core.handing import GrantHandoff, TaskHandedOver
from stateroom.core.here import Event, Here
from stateroom.core.ids import Name
from stateroom.core.members import Member, Members, fold
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.refusals import OwnerCannotVerify
from stateroom.core.reviews import ResolveReview, Reviews
from stateroom.core.tasks import Board, Task


def submit(board: Board, attachments: Attachments, command: SubmitTask, here: Here) -> list[Event]:
    """Raises UnknownAttachment besides what `proving` refuses."""
    events = proving.submit(board, command, here)
    for id in command.attachments:
        attachments.find(id)
    return events


def verify(board: Board, members: Members, command: VerifyTask, here: Here) -> list[Event]:
    """Where names are proven by seats, a second name is not enough to rule on one's own work: whoever does has a seat,
    and does not show the key of the owner's (trap 72). Raises NotParticipant, OwnerCannotVerify besides what `proving`
    refuses."""
    ruled = proving.verify(board, command, here)
    if here.policy.identity == "keyed" or not here.proof.vouched:
        judge = seats.speaker(members, replace(here, proof=replace(here.proof, vouched=False)))
        if any(seats.shows_key(worker, here) for worker in _workers(members, board.find(command.task))):
            raise OwnerCannotVerify(task=command.task, name=judge.name)
    return ruled


def _workers(members: Members, task: Task) -> list[Member]:
    """The members whose work lies before the verifier."""
    names = (task.owner, task.evidence[-1].by if task.evidence else None)
    return [found for name in names if name and (found := members.find(name))]


def grant(board: Board, members: Members, command: GrantHandoff, here: Here) -> list[Event]:
    """A task is handed to a member only. Raises NotParticipant besides what `handing` refuses."""
    to = members.find(command.to)
    events = handing.grant_handoff(board, replace(command, to=to.name) if to else command, here)
    for event in events:
        if isinstance(event, TaskHandedOver) and event.task.owner:
            seats.participant(members, event.task.owner)
    return events


def resolve(board: Board, members: Members, known: Reviews, command: ResolveReview, here: Here) -> list[Event]:
    """A yes or no to what was submitted is the task's verdict; any other is an opinion."""
    review = known.find(command.review)
    if not review.of_submission or review.status != "pending":
        return reviews.resolve(known, command, here)
    ruling: Ruling = "done" if command.verdict == "approved" else "rejected"
    return verify(board, members, VerifyTask(review.target, ruling, command.note or ""), here)


def judges(members: Members, present: tuple[Name, ...], here: Here) -> list[Name]:
    """Who can be asked for a verdict, in order of joining: who is here, and where names are proven by seats has one."""
    around = {fold(name) for name in present}
    keyed = here.policy.identity == "keyed"
    return [one.name for folded, one in members.by_fold.items() if folded in around and (one.seated or not keyed)]
