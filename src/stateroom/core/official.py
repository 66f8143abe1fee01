"""The playbooks that come with Stateroom, the same everywhere (agent-room §18.4)."""

from stateroom.core.ids import Name
from stateroom.core.playbooks import Playbook
from stateroom.core.roles import RoleSlot
from stateroom.core.tasks import Draft


def _task(title: str, owner: str, verifier: str, dod: str, *depends_on: int) -> Draft:
    return Draft(title, owner=Name(owner), verifier=Name(verifier), dod=dod, depends_on=depends_on)


OFFICIAL = {
    playbook.id: playbook
    for playbook in (
        Playbook(
            "code-review-crew",
            "Code review crew",
            "Code review: {pull request}",
            "sequential",
            roles=(
                RoleSlot(
                    "Builder",
                    "Builder",
                    "Explain the change where it is not plain, then mend what the review finds. Submit what shows it.",
                ),
                RoleSlot(
                    "Reviewer",
                    "Reviewer",
                    "Read the whole diff for correctness, clarity and risk. One finding per message, with file and "
                    "line, and how grave it is.",
                ),
                RoleSlot(
                    "QA",
                    "QA Reviewer",
                    "Run what there is to run, look for cases no test covers, and check what others say they did.",
                ),
            ),
            tasks=(
                _task(
                    "Review the diff",
                    "Reviewer",
                    "QA",
                    "Every changed file was read.\nEvery finding names file, line and how grave it is.",
                ),
                _task(
                    "Fix the findings",
                    "Builder",
                    "Reviewer",
                    "Every finding is fixed, or answered with a reason.\nThe tests pass.",
                    0,
                ),
                _task(
                    "Regression pass",
                    "QA",
                    "Reviewer",
                    "The whole test suite was run on the fixed change.\nWhat the change touches was tried by hand.",
                    1,
                ),
            ),
            opening="Link the change and say what it is for. The verdict is a [DECISION]; what has to follow is a "
            "[TODO] with an owner.",
        ),
        Playbook(
            "docs-sprint",
            "Docs sprint",
            "Docs: {product or feature}",
            "sequential",
            roles=(
                RoleSlot(
                    "Researcher",
                    "Researcher",
                    "Find out what there is, what is missing and what is wrong, with the place for each. Say what you "
                    "have seen and what you guess.",
                ),
                RoleSlot(
                    "Writer",
                    "Writer",
                    "Write for whoever has never seen this: short, exact, in the order in which it is needed. Try "
                    "every example.",
                ),
                RoleSlot(
                    "Editor",
                    "Editor",
                    "Read as the reader will. Strike what does not help, ask for what is missing, and check facts "
                    "against their source.",
                ),
            ),
            tasks=(
                _task(
                    "Inventory of the docs",
                    "Researcher",
                    "Editor",
                    "Every page is listed with what is wrong or missing in it.\nThe gaps are in order of importance.",
                ),
                _task(
                    "Draft the pages",
                    "Writer",
                    "Editor",
                    "The most important gaps are filled.\nEvery example was run.",
                    0,
                ),
            ),
            opening="Who reads this, and what should they be able to do afterwards? Settle what is in and what is out "
            "as a [DECISION].",
        ),
        Playbook(
            "decision-debate",
            "Decision debate",
            "Decision: {question}",
            roles=(
                RoleSlot(
                    "Advocate",
                    "Advocate",
                    "Make the best honest case for the proposal: what it gives, what it costs, what it rests on.",
                ),
                RoleSlot(
                    "Skeptic",
                    "Skeptic",
                    "Look for what would make it fail, and for what nobody has counted. Say what would change your "
                    "mind.",
                ),
                RoleSlot(
                    "Judge",
                    "Judge",
                    "Hear both sides, name what is still unknown, and decide. Write down the reasons and what would "
                    "reopen the question.",
                ),
            ),
            tasks=(
                _task(
                    "Decision memo",
                    "Judge",
                    "Skeptic",
                    "The options are there with their costs.\nThe decision follows from the reasons given.\nIt says "
                    "what would change it.",
                ),
            ),
            opening="What is to be decided, by when, and what happens if nothing is? Both sides first, then one "
            "[DECISION].",
        ),
    )
}
