"""Search: which words are found where, in which order, and what of the text is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.views.search import KIND_ORDER, Document, Hit, plain, search


def documents(*texts: str) -> list[Document]:
    """Events without titles, in order, with the texts given."""
    return [Document("event", f"E-{order}", "", text, order) for order, text in enumerate(texts)]


def found(q: str, *texts: str) -> list[str]:
    """The texts that are found, best first."""
    return [texts[int(hit.id.removeprefix("E-"))] for hit in search(q, documents(*texts), 50)]


@pytest.mark.parametrize(
    ("q", "text"),
    [
        ("auth", "fix the auth module"),
        ("  AUTH  ", "fix the Auth, module"),
        ("auth", "authentication is missing"),  # the beginning of a word
        ("user", "getUserName fails"),
        ("name", "getUserName fails"),
        ("server", "HTTPServer stops"),
        ("http", "HTTPServer stops"),
        ("name", "user_name"),
        ("py", "core/tasks.py"),
        ("tasks", "core/tasks.py"),
        ("core", "stateroom.core.tasks"),
        ("getUserName", "get the user"),
        ("username", "the userName field"),
        ("user name", "only the name"),  # any of the words will do
        ("straße", "Die STRAßE"),
        ("cafe", "cafe\u0301 au lait"),
        ("İstanbul", "İSTANBUL İstanbul"),
        ("auth", "İİİİİİ auth hhhhhhhh"),  # İ in lower case is two characters: places must not shift
        ("認証", "昨日の認証エラー"),
        ("エラー", "昨日の認証エラー"),
        ("API認証", "新しいAPI認証です"),
        ("로그인", "새로그인을"),
        ("ข้อมูล", "ฐานข้อมูลใหม่"),
        ("=>", "x => y"),
        ("=>  ||", "x => y"),
        ("R", "written in R today"),
        ("E-0", "any text"),  # its id
        ("say", '{"text":"say \\"hello\\""}'),
    ],
)
def test_found(q: str, text: str) -> None:
    """Words are found where words begin: at spaces, in camelCase, snake_case, paths, and anywhere in CJK text."""
    (hit,) = search(q, documents(text), 10)
    assert hit.score > 0


@pytest.mark.parametrize(
    ("q", "text"),
    [
        ("art", "start the party"),
        ("user", "superuser"),
        ("port", "report support"),
        ("ame", "getUserName"),
        ("auth", "oauth"),
        ("r", "written in rust"),  # one letter begins too many words
        ("न", "हिन्दी"),  # a vowel sign does not end a word
        ("a b", "only c"),
        ("plan b", "the b side"),  # one letter says nothing beside a longer word
        ("users", "the user"),
        ("認証", "認識と証明"),
        ("", "anything"),
        ("  \n ", "anything"),
    ],
)
def test_w68_not_found_inside_words(q: str, text: str) -> None:
    """The reference server found `art` in `start`; here what begins inside a word is no match."""
    assert search(q, documents(text), 10) == []


@pytest.mark.parametrize(
    ("q", "better", "worse"),
    [
        ("broken auth", "auth was really broken", "auths was broken"),  # all of a word before its beginning
        ("auth", "auth and auth again", "auth and more again"),  # often before once
        ("auth", "auth fails", "auth fails " + "and much else happens " * 20),  # short before long
        ("login fails", "the login fails today", "fails today the login"),  # as written before scattered
        ("zebra common", "a common old zebra", "zebra zebra zebra zebra"),  # all words before one word
        ("zebra common", "a zebra thing here", "a common thing"),  # seldom words before usual ones
        ("getUserName", "the getusername call", "the get call"),  # an identifier in any spelling before its parts
    ],
)
def test_w68_ranked(q: str, better: str, worse: str) -> None:
    """The reference server had five scores and mostly ties; here what fits better comes first."""
    padding = ["common talk"] * 5
    assert [text for text in found(q, worse, better, *padding) if text not in padding] == [better, worse]


def test_a_title_counts_more_than_a_text() -> None:
    """A task called `auth` comes before one that only mentions it, however its order."""
    documents = [
        Document("task", "T-01", "Deploy", "after auth", 0),
        Document("task", "T-02", "Auth", "after deploy", 1),
    ]
    assert [hit.id for hit in search("auth", documents, 10)] == ["T-02", "T-01"]


def test_an_id_is_found_before_what_mentions_its_parts() -> None:
    """`T-07` written as it stands finds the task, and the message about it, before a text with `07` in it."""
    documents = [
        Document("event", "E-1", "", "released on 07 of march", 0),
        Document("event", "E-2", "", "who has T-07?", 1),
        Document("task", "T-07", "Login", "Fix it", 2),
    ]
    hits = search("t-07", documents, 10)
    assert {hit.id for hit in hits[:2]} == {"T-07", "E-2"}
    assert hits[2].id == "E-1"
    assert [hit.snippet for hit in hits if hit.id == "T-07"] == ["Login — Fix it — T-07"]


def test_ties_go_by_kind_and_then_by_order() -> None:
    """The same text scores the same, so the answer is the same every time."""
    mixed = [
        Document("event", "e", "", "auth", 0),
        Document("context", "c", "", "auth", 0),
        Document("task", "u", "", "auth", 2),
        Document("task", "t", "", "auth", 1),
    ]
    hits = search("auth", mixed, 10)
    assert [hit.id for hit in hits] == ["t", "u", "c", "e"]
    assert len({hit.score for hit in hits}) == 1


@pytest.mark.parametrize(("limit", "count"), [(-1, 0), (0, 0), (1, 1), (3, 3), (9, 5)])
def test_the_limit_is_respected(limit: int, count: int) -> None:
    """The best ones are kept, the rest is left out."""
    hits = search("auth", documents(*["auth " * 5, "auth auth", "auth", "auth", "auth"]), limit)
    assert [hit.id for hit in hits] == ["E-0", "E-1", "E-2", "E-3", "E-4"][:count]


def test_fact_131_finds_a_task_and_a_context_entry() -> None:
    """One word finds whatever kind of thing holds it."""
    mixed = [
        Document("task", "T-01", "Build auth", "", 0),
        Document("context", "C-01", "auth contract", "{}", 0),
        Document("event", "E-1", "message", "hello", 0),
    ]
    assert {hit.kind for hit in search("auth", mixed, 20)} == {"task", "context"}


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    """Title and text are joined, line breaks become spaces, and nothing is cut."""
    (hit,) = search("words", [Document("task", "T-01", "A  title", "two\n words\t here", 0)], 10)
    assert hit.snippet == "A title — two words here — T-01"


def test_a_long_text_is_cut_around_the_match() -> None:
    """The match is in view, both cuts are marked, and the snippet begins with a whole word."""
    (hit,) = search("needle", documents("hay " * 100 + "needle " + "straw " * 100), 10)
    assert hit.snippet.startswith("…hay hay ")
    assert " needle straw " in hit.snippet
    assert hit.snippet.endswith("…")
    assert len(hit.snippet) == 160


def test_a_phrase_is_shown_rather_than_its_first_word() -> None:
    """When all of the query stands somewhere as written, that place is the one to see."""
    (hit,) = search("the needle", documents("the " + "hay " * 100 + "the needle"), 10)
    assert hit.snippet.endswith(" hay the needle — E-0")


def test_a_payload_is_searched_as_text_not_as_json() -> None:
    """In JSON the break before `auth` is an n in front of it, and the word was not found."""
    payload = {"text": "first\nauth", "tags": ["a", 1, None], "more": {"ok": True}}
    assert plain(payload) == "text: first\nauth tags: a 1 null more: ok: true"
    assert [hit.snippet for hit in search("auth", documents(plain(payload)), 10)] == [
        "text: first auth tags: a 1 null more: ok: true — E-0"
    ]


WORDS = st.lists(
    st.sampled_from(["auth", "Auth", "user", "getUser", "oauth", "認証", "a-b", "é", "\n", "x" * 200, "\ud800"])
)
TEXTS = WORDS.map(" ".join) | st.text(max_size=40)
KINDS = st.sampled_from(sorted(KIND_ORDER))
DOCUMENTS = st.lists(st.builds(Document, KINDS, st.text(max_size=6), TEXTS, TEXTS, st.integers(0, 3)), max_size=12)


def places(hits: list[Hit]) -> list[tuple[float, int]]:
    return [(-hit.score, KIND_ORDER[hit.kind]) for hit in hits]


@given(TEXTS, DOCUMENTS, st.integers(-1, 15))
def test_hits_are_documents_in_order_within_the_limit(q: str, known: list[Document], limit: int) -> None:
    """Whatever is asked of whatever text: no error, only documents, each once, sorted, short positive hits."""
    hits = search(q, iter(known), limit)
    assert len(hits) <= max(0, limit)
    remaining = [(document.kind, document.id) for document in known]
    for hit in hits:
        remaining.remove((hit.kind, hit.id))
    assert places(hits) == sorted(places(hits))
    assert all(hit.score > 0 and len(hit.snippet) <= 160 for hit in hits)
    assert all(len(hit.snippet.splitlines()) <= 1 for hit in hits)
    assert hits == search(q, known, 100)[: max(0, limit)]


@given(st.sampled_from(["auth", "getUser", "認証", "a-b"]), DOCUMENTS)
def test_a_word_of_a_title_is_always_found(word: str, known: list[Document]) -> None:
    """No matter what else there is, a document with the word in its title is among the hits and shows it."""
    target = Document("task", "target", f"the {word} thing", "", 9)
    hits = {(hit.kind, hit.id): hit for hit in search(word, [*known, target], 100)}
    assert word in hits["task", "target"].snippet
