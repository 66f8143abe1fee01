"""What somebody needs to know to do a task: its documents, and what it waited for."""

import pytest

from stateroom.core.context import ReviseContext, WithdrawContext, WriteContext
from stateroom.core.proving import SubmitTask
from stateroom.core.tasks import MoveTask, OpenTask, RemoveTask
from stateroom.core.views.briefing import briefing
from stateroom.testing.scenes import Scene
from tests.core.proven import the

ENDPOINT = {"method": "GET", "path": "/users", "auth_required": True, "description": "all", "response": {}}
CONTRACT = {"service": "users", "version": "1", "endpoints": [ENDPOINT]}


def note(by, text="n", consumers=(), kind="note"):
    payload = CONTRACT if kind == "api_contract" else {"text": text}
    return (by, WriteContext(kind, text, payload, consumers))


def brief(scene, id="T-01", name="me"):
    """The ids of the documents, most telling first."""
    return [entry.id for entry in briefing(scene.room, the(scene, id), name).documents]


def test_documents_are_ranked_by_how_telling_they_are():
    """Named by the task; named by what it depended on; written by who did that; made for whoever does it."""
    scene = Scene(
        note("ann", "for me", consumers=("ME ",)),
        note("bob", "by who did the first"),
        note("ann", "named by the first"),
        note("ann", "named by the task"),
        note("ann", "nobody's business"),
        ("ann", OpenTask("first", "see C-03", id="first", owner="bob")),
        ("ann", OpenTask("t", "as C-04 says", depends_on=("first",), id="T-01")),
    )
    assert brief(scene) == ["C-04", "C-03", "C-02", "C-01"]
    assert brief(scene, name="somebody else") == ["C-04", "C-03", "C-02"]


def test_contracts_come_before_others_of_the_same_rank():
    """What has to fit together is read first."""
    scene = Scene(
        note("ann", consumers=("me",)),
        note("ann", consumers=("me",), kind="api_contract"),
        ("ann", OpenTask("t")),
    )
    assert brief(scene) == ["C-02", "C-01"]


def test_a_document_comes_once():
    """At the most telling of its places."""
    scene = Scene(
        note("bob", consumers=("me",)),
        ("ann", OpenTask("first", "C-01 and C-01", id="first", owner="bob")),
        ("ann", OpenTask("t", "C-01", depends_on=("first",), id="T-01")),
    )
    assert brief(scene) == ["C-01"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see C-01.", ["C-01"]),
        ("(C-01)", ["C-01"]),
        ("C-02 before C-01", ["C-02", "C-01"]),
        ("C-09", []),
        ("c-01", []),
        ("ABC-01", []),
        ("C-011", []),
        ("C-" + "1" * 40, []),
        ("no documents", []),
    ],
)
def test_where_a_document_is_named(text, found):
    """By its id, as a word of its own; what does not exist is not there."""
    scene = Scene(note("ann"), note("ann"), ("ann", OpenTask("t", text)))
    assert brief(scene) == found


@pytest.mark.parametrize(
    "task",
    [
        OpenTask("C-01"),
        OpenTask("t", "C-01"),
        OpenTask("t", dod="C-01"),
    ],
)
def test_every_text_of_a_task_can_name_it(task):
    """Its title, its description, and its definition of done."""
    assert brief(Scene(note("ann"), ("ann", task))) == ["C-01"]


def test_notes_and_the_newest_evidence_name_it_too():
    """What was written on the way, and what the last submission points to."""
    noted = Scene(note("ann"), ("ann", OpenTask("t")), ("ann", MoveTask("T-01", "open", note="C-01")))
    noted.do("ann", MoveTask("T-01", "open", note="another"))
    assert brief(noted) == ["C-01"]
    shown = Scene(note("ann"), note("ann"), ("ann", OpenTask("t")))
    shown.do("bob", SubmitTask("T-01", "C-01", "…", checks="c"))
    shown.do("bob", SubmitTask("T-01", "C-02", "…", checks="c"))
    assert brief(shown) == ["C-02"]


def test_what_it_waited_for_stands_as_it_is_now():
    """In the order in which it is named; what is on no board any more is left out."""
    scene = Scene(
        ("ann", OpenTask("b", id="b")),
        ("ann", OpenTask("a", id="a")),
        ("ann", OpenTask("gone", id="gone")),
        ("ann", OpenTask("t", depends_on=("a", "gone", "b", "never"), id="T-01")),
        ("ann", MoveTask("a", "done")),
        ("ann", RemoveTask("gone")),
    )
    found = briefing(scene.room, the(scene), "me")
    assert [(task.id, task.state) for task in found.depends_on] == [("a", "done"), ("b", "open")]
    assert found.task == the(scene)


def test_documents_are_given_in_their_newest_version():
    """Withdrawn ones are not given at all."""
    scene = Scene(note("ann"), note("ann"), ("ann", OpenTask("t", "C-01 C-02")))
    scene.do("bob", ReviseContext("C-01", summary="newer"))
    scene.do("bob", WithdrawContext("C-02"))
    assert [(one.id, one.version, one.summary) for one in briefing(scene.room, the(scene), "me").documents] == [
        ("C-01", "1.1", "newer")
    ]
