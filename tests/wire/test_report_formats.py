"""What a report looks like outside: JSON as older clients know it, and Markdown that nobody's words can break."""

import json
import re
from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from stateroom.core.attachments import StoreAttachment
from stateroom.core.context import WriteContext
from stateroom.core.lifecycle import OpenRoom
from stateroom.core.members import Leave
from stateroom.core.messages import WithdrawMessage
from stateroom.core.policy import Policy
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.reviews import RequestReview, ResolveReview
from stateroom.core.seats import TakeSeat
from stateroom.core.speech import Say
from stateroom.core.tasks import OpenTask
from stateroom.core.views.minutes import minutes
from stateroom.testing.scenes import START, Scene
from stateroom.wire.links import Links
from stateroom.wire.reports import FORMATS, file_name, render, report_shape
from stateroom.wire.reports.markdown import fenced, inline, quoted, visible, yaml

LINKS = Links("https://rooms.example")
CODE = "ABC-DEF-GHJ"
NOW = START + 86_400_000


def scene(topic="Which cache", *given):
    opened = OpenRoom("demo", CODE, "open", topic, "Hal", policy=Policy(exchange_limit=0))
    seats = [("ann", TakeSeat(role="builder")), ("bob", TakeSeat(kind="human")), ("sue", TakeSeat(role="Skeptic"))]
    return Scene(("", opened), *seats, *given)


def report(scene):
    return minutes(scene.room, [entry for entry in scene.log if entry.line], NOW)


def rendered(scene, format="minutes"):
    return render(report(scene), format, LINKS)


def sections(document):
    """The document's own headings of the second level, each with what is below it; fences are no headings."""
    found, title, fence = {"": []}, "", ""
    for line in document.split("\n"):
        if (opening := re.match(r"`{3,}", line)) and not fence:
            fence = opening[0]
        elif fence and line == fence:
            fence = ""
        if not fence and line.startswith("## "):
            title = line.removeprefix("## ")
            assert title not in found, "a heading appears once"
            found[title] = []
        else:
            found[title].append(line)
    assert not fence, "every fence is closed"
    return {title: "\n".join(lines).strip() for title, lines in found.items()}


MARKED = [
    ("bob", Say("Sessions are slow. Which cache do we want?"), 1_000),
    ("ann", Say("[DECISION] use sqlite [TODO] measure it"), 2_000),
    ("ann", Say("[DECISION] rejected: redis, one more server"), 3_000),
    ("sue", Say("It will not hold a thousand writers", reply_to=6), 4_000),
    ("ann", Say("[STATUS] half way\n[RESULT] 40 ms at p99"), 5_000),
    ("ann", OpenTask("fix it", verifier="bob"), 6_000),
    ("ann", SubmitTask("T-01", "a.py | 3 +++", "def a(): ...", "1 passed", 0), 7_000),
    ("bob", VerifyTask("T-01", "done", "seen it run"), 8_000),
    ("ann", OpenTask("left over", owner="sue"), 9_000),
]


# ---------------------------------------------------------------------------------------------------------------- JSON


def test_a_report_has_the_fields_that_clients_know():
    """RoomReport of AR §4.10, and ours: id, url, position, host, tasks."""
    shape = report_shape(report(scene("Which cache", *MARKED)), LINKS)
    assert list(shape) == [
        *("code", "topic", "host", "createdAt", "exportedAt", "position", "participants", "messageCount", "summary"),
        *("highlights", "decisions", "actionItems", "artifacts", "tasks", "transcript", "retro"),
    ]
    assert (shape["code"], shape["topic"], shape["createdAt"], shape["exportedAt"]) == (CODE, "Which cache", START, NOW)
    assert shape["participants"][:2] == [
        {"name": "ann", "role": "builder", "client": "cc"},
        {"name": "bob", "role": "", "client": "web"},
    ]
    assert shape["highlights"][:2] == ["bob: T-01 is done: fix it", "bob: Sessions are slow. Which cache do we want?"]
    assert shape["decisions"] == ["ann: use sqlite", "ann: rejected: redis, one more server"]
    assert shape["actionItems"] == ["ann: measure it"]
    assert shape["messageCount"] == len(shape["transcript"]) == 10
    assert json.loads(json.dumps(shape)) == shape


def test_a_kept_report_names_its_address():
    """Who has the address may read it."""
    shape = report_shape(replace(report(scene()), id="some-id"), LINKS)
    assert (shape["id"], shape["visibility"]) == ("some-id", "link")
    assert shape["url"] == "https://rooms.example/reports/some-id"


def test_artifacts_link_to_their_lines():
    """RoomArtifact, with the line's own address."""
    first, *_, last = report_shape(report(scene("t", *MARKED)), LINKS)["artifacts"]
    assert first == {
        "id": "6-1",
        "kind": "decision",
        "text": "use sqlite",
        "sourceMessageId": 6,
        "author": "ann",
        "time": START + 2_000,
        "line": 2,
        "url": f"https://rooms.example/r/{CODE}?at=6#line-6",
    }
    assert (last["kind"], last["text"], "declined" in last) == ("result", "40 ms at p99", False)
    declined = report_shape(report(scene("t", *MARKED)), LINKS)["artifacts"][2]
    assert (declined["text"], declined["declined"]) == ("rejected: redis, one more server", True)


def test_the_figures_are_a_retro():
    """RoomRetro of AR §4.10, field by field."""
    retro = report_shape(report(scene("t", *MARKED)), LINKS)["retro"]
    assert list(retro) == [
        "generatedAt",
        "durationMs",
        "messageCount",
        "sysEventCount",
        "participants",
        "tasks",
        "totals",
    ]
    assert (retro["durationMs"], retro["messageCount"], retro["sysEventCount"]) == (9_000, 5, 5)
    assert list(retro["participants"][0].items()) == [
        *(("name", "ann"), ("client", "cc"), ("messages", 3), ("chars", 121), ("sharePct", 61)),
        *(("timeouts", 0), ("skips", 0)),
    ]
    assert [list(task.items()) for task in retro["tasks"]] == [
        [
            *(("id", "T-01"), ("title", "fix it"), ("state", "done"), ("owner", "ann"), ("verifier", "bob")),
            *(("createdAt", START + 6_000), ("submittedAt", START + 7_000), ("decidedAt", START + 8_000)),
            *(("cycleMs", 2_000), ("rejections", 0), ("reassignments", 0)),
        ],
        [
            *(("id", "T-02"), ("title", "left over"), ("state", "todo"), ("owner", "sue")),
            *(("createdAt", START + 9_000), ("rejections", 0), ("reassignments", 0)),
        ],
    ]
    assert retro["totals"] == {"timeouts": 0, "skips": 0, "rejections": 0, "tasksDone": 1, "tasksOpen": 1}
    assert "tasks" not in report_shape(report(scene()), LINKS)["retro"]


def test_the_transcript_is_shown_without_its_room():
    """Messages as ever: what they answer, their files, system lines, and what was withdrawn."""
    talk = scene("t", ("ann", StoreAttachment("f1", "a.txt", "text/plain", 3, "d")))
    talk.do("ann", Say("look at this", attachments=("f1",)))
    talk.do("bob", Say("I have", reply_to=6))
    talk.do("bob", Say("to be withdrawn"))
    talk.do("bob", WithdrawMessage(8))
    shown = report_shape(report(talk), LINKS)["transcript"]
    assert [(one["type"], one["text"]) for one in shown[:3]] == [
        ("msg", "look at this"),
        ("msg", "I have"),
        ("sys", "(withdrawn)"),
    ]
    assert shown[0]["attachments"][0]["url"] == f"https://rooms.example/blobs/{CODE}/f1/a.txt"
    assert shown[1]["replyTo"] == {"id": 6, "name": "ann", "text": "look at this"}


def test_tasks_stand_as_they_stood():
    """With the newest evidence and the verdict on it."""
    first, second = report_shape(report(scene("t", *MARKED)), LINKS)["tasks"]
    assert first["evidence"]["runOutput"] == "1 passed"
    verdict = {"verdict": "done", "note": "seen it run", "by": "bob", "byClient": "web", "at": START + 8_000}
    assert first["verdict"] == verdict
    assert (second["state"], second["owner"], "evidence" in second) == ("todo", "sue", False)


# ------------------------------------------------------------------------------------------------------------- Markdown


def test_minutes_have_all_their_parts():
    """AR §15: front matter, headings in order, marks of every kind with author and link."""
    document = rendered(scene("Which cache", *MARKED))
    head, title = document.split("\n\n", 1)[0].split("\n"), document.split("\n\n")[1]
    assert head == [
        "---",
        'title: "Which cache"',
        f'room: "{CODE}"',
        'exported: "2026-01-02T00:00:00.000Z"',
        "messages: 10",
        'participants: ["ann", "bob", "sue"]',
        "position: 14",
        "---",
    ]
    assert title == "# Which cache"
    found = sections(document)
    assert [*found][1:] == [
        *("Participants", "Highlights", "Decisions", "Action Items", "Structured Artifacts", "Tasks", "Statistics"),
        "Transcript",
    ]
    link = f"[line 2](https://rooms.example/r/{CODE}?at=6#line-6)"
    assert f"- use sqlite (ann, {link})" in found["Decisions"]
    assert found["Action Items"] == f"- [ ] measure it (ann, {link})"
    for kind, text in [("Decision", "use sqlite"), ("Todo", "measure it"), ("Status", "half way"), ("Result", "40 ms")]:
        assert f"- {text}" in found["Structured Artifacts"].split(f"### {kind}\n")[1].split("###")[0]
    assert "- ann (agent, builder)" in found["Participants"]
    assert "- T-01 fix it: done, owner ann, done by bob" in found["Tasks"]
    assert "| ann | 3 | 61 % | 0 | 0 |" in found["Statistics"]
    assert "> Sessions are slow. Which cache do we want?" in found["Transcript"]
    assert "In reply to ann: \\[DECISION\\] use sqlite" in found["Transcript"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_document_has_single_blank_lines_and_ends_with_a_line_break(format):
    """However its parts were put together."""
    document = rendered(scene("Which cache", *MARKED), format)
    assert "\n\n\n" not in document
    assert document.strip("\n") + "\n" == document


def test_a_system_line_has_one_icon():
    """Also where its text begins with it."""
    assert re.findall("📝.*fix it", rendered(scene("t", *MARKED))) == ['📝 T-01 "fix it']


def test_minutes_of_nothing_say_so():
    """Every part is there, and none is made up."""
    found = sections(rendered(Scene()))
    assert {found[title] for title in [*found][1:]} == {"_None._"}


def test_files_and_status_notes_are_told_of_in_the_transcript():
    """By name, kind and size."""
    talk = scene("t", ("ann", StoreAttachment("f1", "a b.txt", "text/plain", 3, "d")))
    talk.do("ann", Say("look at this", attachments=("f1",)))
    talk.do("ann", Say("at work", kind="status"))
    talk.do("ann", Leave())
    document = sections(rendered(talk))["Transcript"]
    assert f"- [a b.txt](https://rooms.example/blobs/{CODE}/f1/a%20b.txt) (text/plain, 3 bytes)" in document
    assert "**ann** (builder) · status · " in document
    assert "👋 ann has left. · 2026-01-01 00:00:00 UTC · line 3" in document


def test_a_kept_report_says_where_it_is():
    """In its front matter."""
    talk = report(scene())
    assert "report:" not in render(talk, "minutes", LINKS)
    kept = render(replace(talk, id="some-id"), "minutes", LINKS)
    assert 'report: "https://rooms.example/reports/some-id"' in kept


def test_an_adr_says_what_was_decided_instead_of_what_and_why():
    """Status, date, context, decision, options, consequences, evidence (gap 81)."""
    document = rendered(scene("Which cache", *MARKED), "adr")
    found = sections(document)
    assert document.startswith("# Which cache\n\n- Status: accepted\n- Date: 2026-01-01\n- Decided by: ann\n")
    assert [*found][1:] == ["Context", "Decision", "Considered options", "Consequences", "Evidence"]
    assert "> Sessions are slow. Which cache do we want?" in found["Context"]
    assert "sue took part as Skeptic" in found["Context"]
    assert "Opened on 2026-01-01 by Hal" in found["Context"]
    assert found["Decision"] == f"- use sqlite (ann, [line 2](https://rooms.example/r/{CODE}?at=6#line-6))"
    assert "- Not taken: rejected: redis, one more server (ann, [line 3]" in found["Considered options"]
    assert "> It will not hold a thousand writers" in found["Considered options"]
    assert found["Consequences"].startswith("- [ ] measure it (ann")
    assert found["Evidence"] == "- T-01 fix it, verified by bob on 2026-01-01, exit code 0: seen it run"


@pytest.mark.parametrize(
    ("said", "status"),
    [("just talk of some length", "proposed"), ("[DECISION] reject it", "rejected"), ("[DECISION] do it", "accepted")],
)
def test_an_adr_without_a_decision_is_a_proposal(said, status):
    """And one that only says no is rejected."""
    document = rendered(scene("t", ("ann", Say(said))), "adr")
    assert f"- Status: {status}\n" in document
    assert (sections(document)["Decision"] == "_None._") == (status != "accepted")


def test_only_what_skeptics_answer_to_a_decision_is_an_objection():
    """Not what they say otherwise, and not what others answer."""
    talk = scene("t", ("ann", Say("[DECISION] use sqlite")), ("ann", Say("plain words")))
    talk.do("sue", Say("a remark on words", reply_to=6))
    talk.do("bob", Say("I agree with that", reply_to=5))
    assert sections(rendered(talk, "adr"))["Considered options"] == "_None._"


def test_a_pull_request_says_what_changed_and_what_shows_it():
    """Summary, changes with listings, tests with exit codes, verdicts, follow-ups (gap 81)."""
    talk = scene("Which cache", *MARKED)
    talk.do("ann", WriteContext("note", "s", {"text": "t"}))
    talk.do("ann", RequestReview("context", "C-01", "bob"))
    talk.do("bob", ResolveReview("R-01", "approved", "well put"))
    talk.do("ann", RequestReview("task", "T-02", "sue"))
    found = sections(rendered(talk, "pr"))
    assert [*found][1:] == ["Summary", "Changes", "Tests", "Review", "Follow-ups"]
    assert found["Summary"].startswith("Which cache\n\n3 participants")
    assert "- use sqlite (ann" in found["Summary"]
    assert "redis" not in found["Summary"]
    assert "- 40 ms at p99 (ann" in found["Changes"]
    assert "### T-01 fix it\n\nFiles, as listed by ann:\n\n```text\na.py | 3 +++\n```" in found["Changes"]
    assert found["Tests"] == "### T-01 fix it\n\nExit code 0, run by ann:\n\n```text\n1 passed\n```"
    assert found["Review"].split("\n") == [
        "- T-01 fix it: done by bob: seen it run",
        "- context C-01 (R-01): approved by bob: well put",
        "- task T-02 (R-02): waits for sue",
    ]
    assert found["Follow-ups"].split("\n")[:2] == [
        f"- [ ] measure it (ann, [line 2](https://rooms.example/r/{CODE}?at=6#line-6))",
        "- [ ] T-02 left over (todo, sue)",
    ]


def test_a_run_that_failed_is_shown_loudly():
    """With why it was accepted all the same (gap 65); what was only checked says that it was not run."""
    talk = scene("t", ("ann", OpenTask("one", verifier="bob")), ("ann", OpenTask("two", verifier="bob")))
    talk.do("ann", SubmitTask("T-01", "a.py", "…", "1 failed", 3))
    talk.do("bob", VerifyTask("T-01", "done", "known flake"))
    talk.do("ann", SubmitTask("T-02", "b.md", "…", checks="1. read it twice"))
    tests = sections(rendered(talk, "pr"))["Tests"]
    assert "**FAILED with exit code 3**, run by ann. Accepted by bob: known flake" in tests
    assert "Not run; checked by ann:\n\n```text\n1. read it twice\n```" in tests


def test_what_was_rejected_is_left_to_do_and_changes_nothing():
    """Its files are not among the changes."""
    talk = scene("t", ("ann", OpenTask("one", verifier="bob")))
    talk.do("ann", SubmitTask("T-01", "a.py", "…", "1 failed", 3))
    talk.do("bob", VerifyTask("T-01", "rejected", "mend it"))
    found = sections(rendered(talk, "pr"))
    assert (found["Changes"], found["Tests"]) == ("_None._", "_None._")
    assert found["Review"] == "- T-01 one: rejected by bob: mend it"
    assert found["Follow-ups"].startswith("- [ ] T-01 one (rejected, ann)")


def test_a_description_stays_small_enough_to_be_taken():
    """However much was submitted; the end of a run is what is shown of it."""
    talk = scene("t")
    for number in range(1, 31):
        talk.do("ann", OpenTask(f"task {number}", verifier="bob"))
        talk.do("ann", SubmitTask(f"T-{number:02d}", "f" * 16_000, "…", "r" * 15_000 + "the end", 0))
    document = rendered(talk, "pr")
    assert len(document) < 65_536
    assert document.count("the end\n") == 30
    assert document.count("more characters)") == document.count("characters before)") == 30


def test_a_description_calls_nobody():
    """No name in its prose has an @ directly before it."""
    talk = scene("for @team", ("ann", Say("[RESULT] @dependabot merge [TODO] ask @claude [DECISION] by @all")))
    talk.do("ann", OpenTask("@one", owner="@two"))
    document = rendered(talk, "pr")
    assert re.findall(r"@\w+", document) == []
    assert document.count("@&#8203;") == 6


# --------------------------------------------------------------------------------------------------------- breaking out

ATTACKS = [
    "# Decisions",
    "## Decisions\n\n- everything is mine",
    "---\nadmin: true\n---",
    "```\n## Decisions\n```",
    "````text\n```\n## Decisions",
    "```",
    "~~~\n## Decisions",
    "> quoted\n\n## Decisions",
    "<script>alert(1)</script>",
    "<!-- ",
    "<details>\n## Decisions",
    "a | b\n---|---\n1 | 2",
    "|x|\n|-|",
    "[click](javascript:alert(1)) ![x](https://evil.example/pixel)",
    "[line 2]: https://evil.example",
    "- [x] done",
    "1. one\n2. two",
    "===\n---\n***\n___",
    "*em* __strong__ `code` ~~gone~~ $x$",
    "a\u2028## Decisions\u2029## Decisions\x85## Decisions\x0b## Decisions\x0c## Decisions\x1c## Decisions",
    "a\r## Decisions\r\n## Decisions",
    "\t## Decisions\n    ## Decisions",
    "\u202egnp.exe\u2066",
    "\\",
    "\\\\`",
    "&lt;script&gt;",
    '"\n"quoted": [1]',
    "x\x1b[31m\x07",
]


def hostile(text):
    """A room in which all that a peer can write is this."""
    line, name = " ".join(text.split()), re.sub(r"[\x00-\x1f\x85\u2028\u2029\u202e\u2066]", " ", text).strip()[:100]
    talk = scene(text, (name, TakeSeat(role=text)))
    talk.do(name, Say(text))
    talk.do(name, Say(f"[DECISION] {line}\n[TODO] {line}\n[STATUS] {line}\n[RESULT] {line}\n[DECISION] reject {line}"))
    talk.do("sue", Say(text, reply_to=7))
    talk.do(name, OpenTask(text, verifier="bob"))
    talk.do(name, SubmitTask("T-01", text, text, text, 1, text, text))
    talk.do("bob", VerifyTask("T-01", "done", text))
    talk.do("bob", OpenTask(text, owner=name))
    talk.do("bob", RequestReview("task", "T-02", name, text))
    talk.do(name, ResolveReview("R-01", "approved", text))
    return talk


PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
"""As a reader would read it, with all that could go wrong let in."""
INLINE = {"text", "softbreak", "hardbreak", "link_open", "link_close", "strong_open", "strong_close", "text_special"}


def parsed(document):
    """Everything the document is made of, without its front matter; tokens inside lines follow their line."""
    body = document.split("\n---\n", 1)[1] if document.startswith("---\n") else document
    return [each for token in PARSER.parse(body) for each in (token, *(token.children or ()))]


def outline(document):
    """What stands on its own in a document, in order, with the words of its headings below the first."""
    tokens = [token for token in parsed(document) if token.block]
    named = [(one.tag, two.content) for one, two in pairwise(tokens) if one.type == "heading_open" and one.tag == "h2"]
    return [token.type for token in tokens if token.level == 0], named


HARMLESS = {format: outline(rendered(hostile("harmless"), format)) for format in FORMATS}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("text", ATTACKS)
def test_nobodys_words_change_what_a_document_says(text, format):
    """As topic, name, role, message, mark, title, evidence, note: the same parts in the same order, and plain words
    in them. Links are ours, fences and quotes hold what is put into them, and nothing is HTML."""
    document = rendered(hostile(text), format)
    assert outline(document) == HARMLESS[format]
    tokens = parsed(document)
    assert {token.type for token in tokens if not token.block} <= INLINE
    assert "html_block" not in {token.type for token in tokens}
    targets = [token.attrs["href"] for token in tokens if token.type == "link_open"]
    assert all(target.startswith("https://rooms.example/") for target in targets)
    assert not re.search(r"[\r\x00-\x08\x0b-\x1f\x85\u2028\u2029\u202a-\u202e\u2066-\u2069]", document)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='#>-*_`~|[]()<!\\ \n\ta1.=+:&"@$\r\x0b\u2028', min_size=1, max_size=40))
def test_no_words_change_what_a_document_says(text):
    """Whatever they are made of."""
    talk = hostile(f"{text}x")
    for format in FORMATS:
        document = rendered(talk, format)
        assert outline(document) == HARMLESS[format]
        assert {token.type for token in parsed(document) if not token.block} <= INLINE


@pytest.mark.parametrize("text", ATTACKS)
def test_what_was_said_can_be_read_as_it_was_written(text):
    """Line by line: nothing is lost by being made harmless, but for what could not be seen."""
    talk = scene("t", ("ann", Say(text)))
    tokens = PARSER.parse(rendered(talk).split("\n## Transcript\n")[1])
    quote = [token.type for token in tokens].index("blockquote_open")
    content = next(token for token in tokens[quote:] if token.type in ("fence", "inline"))
    said = [visible(line).rstrip() for line in text.splitlines()]
    if content.type == "fence":
        assert [line.rstrip() for line in content.content.split("\n")][: len(said)] == said
    else:
        words = "".join(each.content or "\n" for each in content.children)
        assert words.split() == next(" ".join(block).split() for block in _blocks(said))


def _blocks(lines):
    """Lines between blank lines."""
    return [list(group) for filled, group in groupby(lines, bool) if filled]


@pytest.mark.parametrize("text", ATTACKS)
def test_front_matter_is_one_string_a_field(text):
    """It is JSON as well, between its dashes; a topic with line breaks is one line."""
    head = rendered(hostile(text)).split("\n---\n")[0].removeprefix("---\n").split("\n")
    assert [line.split(":")[0] for line in head] == [
        "title",
        "room",
        "exported",
        "messages",
        "participants",
        "position",
    ]
    for line in head:
        json.loads(line.split(": ", 1)[1])
    assert json.loads(head[0].removeprefix("title: ")).split()[0] in re.sub(r"[\u202e\u2066\x1b\x07]", "\ufffd", text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("snake_case stays", "snake_case stays"),
        ("_this_ does not", "\\_this\\_ does not"),
        ("C# and a#b", "C# and a#b"),
        ("# one #two", "\\# one \\#two"),
        ("1986. What a year", "1986\\. What a year"),
        ("v1.2 - ok", "v1.2 - ok"),
        ("- one", "\\- one"),
        ("a | b", "a \\| b"),
        ("a < b && c", "a &lt; b &amp;&amp; c"),
        ("  many\n\n lines ", "many lines"),
        ("", ""),
    ],
)
def test_inline_escapes_what_would_be_obeyed_and_no_more(text, shown):
    """Ordinary names and sentences stay readable."""
    assert inline(text) == shown


def test_a_quote_keeps_line_breaks_and_layout():
    """Prose is escaped line by line; what is indented or fenced stands as it was written."""
    assert quoted("one\ntwo\n\nthree") == ["> one\\", "> two", ">", "> three"]
    assert quoted("") == [">"]
    assert quoted("def a():\n    return '`'") == ["> ```text", "> def a():", ">     return '`'", "> ```"]
    assert quoted("see\n````\nx\n````")[0] == "> `````text"


def test_a_fence_is_longer_than_any_inside():
    """However long that is."""
    assert fenced("a\n``````\nb") == "```````text\na\n``````\nb\n```````"
    assert fenced("") == "```text\n```"


def test_yaml_strings_are_quoted():
    """On one line, with nothing unprintable in them."""
    assert yaml('a "b"\n---\n\x1b c: [1]') == '"a \\"b\\" --- \ufffd c: [1]"'


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("Which cache?", "Which-cache-ABC-DEF-GHJ.md"),
        ("../../etc/passwd", "etc-passwd-ABC-DEF-GHJ.md"),
        ("Größe & Maß", "Größe-Maß-ABC-DEF-GHJ.md"),
        ("x" * 200, "x" * 60 + "-ABC-DEF-GHJ.md"),
        ("y" * 59 + "  z", "y" * 59 + "-ABC-DEF-GHJ.md"),
        ("?!", "room-ABC-DEF-GHJ.md"),
        ('a\r\nSet-Cookie: "x"', "a-Set-Cookie-x-ABC-DEF-GHJ.md"),
    ],
)
def test_a_file_name_is_safe(topic, name):
    """Letters and digits of the topic, and the code."""
    assert file_name(report(scene(topic))) == name
