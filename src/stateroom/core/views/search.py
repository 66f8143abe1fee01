"""Finding things in a room by their words (protocol §6.5; better than its substring test: W-68).

A text is compared without cutting it into words first. A term of the query is looked for as plain text, and what is
found counts only if it begins where a word begins: `user` is found in `user_name`, `getUser` and `users` but not in
`superuser`. If it also ends where a word ends it is a whole word, else the beginning of one, which counts less.
Scripts that do not part words by spaces (Chinese, Japanese, Korean, Thai …) have a word boundary between any two
characters, so there a term is found anywhere.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import log
from string import ascii_lowercase
from typing import Literal

from stateroom.core.payloads import compact_json

Kind = Literal["task", "context", "event"]

KIND_ORDER: dict[Kind, int] = {"task": 0, "context": 1, "event": 2}
SNIPPET_CHARS = 160
BEFORE_CHARS = 50
"""How much of a snippet's room lies before the match, at most."""
MAX_TERMS = 16
TITLE_WEIGHT = 3.0
BEGINNING_WEIGHT = 0.3
"""What the beginning of a word counts, where the whole word counts 1."""
PHRASE_FACTOR = 2.0
SATURATION = 1.2
LENGTH_EFFECT = 0.5
"""0: long and short documents are alike; 1: what counts is matches per length."""
JOIN = " — "


@dataclass(frozen=True, slots=True)
class Document:
    kind: Kind
    id: str
    """Searched too, so that `T-07` finds the task and what mentions it."""
    title: str
    text: str
    order: int
    """Decides between equal scores of one kind: lower comes first."""


@dataclass(frozen=True, slots=True)
class Hit:
    kind: Kind
    id: str
    score: float
    """More than 0, larger is better, without unit or upper bound; comparable only within one answer."""
    snippet: str
    """A single line of at most 160 characters around the first match, with `…` where it was cut."""


def plain(value: object) -> str:
    """A JSON value as text to search and to show: `key: value key: value`, without quotes and brackets.

    Not its JSON: there a line break is written `\\n`, and a word that begins a line would begin with that n.
    """
    parts: list[str] = []
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            for key in reversed(node):
                pending += [node[key], f"{key}:"]
        elif isinstance(node, list):
            pending += reversed(node)
        else:
            parts.append(node if isinstance(node, str) else compact_json(node))
    return " ".join(parts)


@dataclass(frozen=True, slots=True)
class _Match:
    """How a document meets the query."""

    document: Document
    line: str
    weights: dict[str, float]
    """Term -> its weighted number of occurrences; terms that do not occur are left out."""
    phrase: bool
    """Whether all of the query stands there as it was written."""
    first: int
    """Where in the line the phrase, or else the first term, is found."""


def search(q: str, documents: Iterable[Document], limit: int) -> list[Hit]:
    """The best `limit` documents for the words of `q`, best first; ties by kind (task, context, event), then order.

    Any of the words will do, and upper and lower case are the same. The score is BM25's: rare words, short documents
    and repeated words count more, and words in a title three times. It is multiplied by the part of the query's words
    that was found, and doubled if the whole query stands there as written.
    """
    phrase = _folded(" ".join(q.split()))
    if not phrase or limit <= 0:
        return []
    known, terms = list(documents), _terms(q)
    matches = [match for document in known if (match := _match(document, terms, phrase))]
    scored = sorted(_scored(matches, terms, len(known)), key=_rank)
    return [Hit(match.document.kind, match.document.id, score, _snippet(match)) for score, match in scored[:limit]]


def _rank(scored: tuple[float, _Match]) -> tuple[float, int, int]:
    score, match = scored
    return -score, KIND_ORDER[match.document.kind], match.document.order


def _scored(matches: list[_Match], terms: list[str], documents: int) -> Iterator[tuple[float, _Match]]:
    """BM25 over all fields as one. A rarity is never below ln 2: in a small room every document may hold the word."""
    usual = sum(len(match.line) for match in matches) / max(1, len(matches))
    found_in = {term: sum(term in match.weights for match in matches) for term in terms}
    rarity = {term: log(1 + documents / count) for term, count in found_in.items() if count}
    for match in matches:
        damping = SATURATION * (1 - LENGTH_EFFECT + LENGTH_EFFECT * len(match.line) / usual)
        total = sum(rarity[term] * count / (count + damping) for term, count in match.weights.items())
        coverage = len(match.weights) / len(terms)
        yield total * coverage * (PHRASE_FACTOR if match.phrase else 1), match


def _match(document: Document, terms: list[str], phrase: str) -> _Match | None:
    raw = _folded(f"{document.title} {document.text} {document.id}")
    if not any(term in raw for term in terms):  # most documents, at a fraction of the cost of what follows
        return None
    title, text, id = (" ".join(part.split()) for part in (document.title, document.text, document.id))
    line = JOIN.join(part for part in (title, text, id) if part)
    folded = _folded(line)
    weights: dict[str, float] = {}
    first = len(line)
    for term in terms:
        for at, weight in _occurrences(term, line, folded):
            weights[term] = weights.get(term, 0) + weight * (TITLE_WEIGHT if at < len(title) else 1)
            first = min(first, at)
    if not weights:
        return None
    as_written = next((at for at, weight in _occurrences(phrase, line, folded) if weight == 1), None)
    return _Match(document, line, weights, as_written is not None, first if as_written is None else as_written)


def _occurrences(term: str, line: str, folded: str) -> Iterator[tuple[int, float]]:
    """Where a folded term stands at the beginning of a word, and what that counts: 1 if it is all of the word.

    A single letter begins too many words to say anything about them.
    """
    at = folded.find(term)
    while at >= 0:
        end = at + len(term)
        inside = at and line[at - 1] in _PLAIN and line[at] in _PLAIN  # the usual case, decided without a call
        if not inside and _parts(line, at):
            if _parts(line, end):
                yield at, 1
            elif len(term) > 1:
                yield at, BEGINNING_WEIGHT
        at = folded.find(term, end)


_is_unspaced = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"  # Chinese, Japanese, Korean
).match


_PLAIN = frozenset(ascii_lowercase)


def _parts(line: str, at: int) -> bool:
    """Whether a word begins or ends before the character at `at`: `get|User`, `HTTP|Server`, `user|_|name`."""
    if at in (0, len(line)):
        return True
    before, after = line[at - 1], line[at]
    if not (_in_word(before) and _in_word(after)):
        return True
    if after.isupper():
        return not before.isupper() or line[at + 1 : at + 2].islower()
    return bool(_is_unspaced(before) or _is_unspaced(after))


def _in_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")  # an accent or vowel sign of its own


def _terms(q: str) -> list[str]:
    """What to look for: `getUserName` gives get, user, name and getusername. At most 16, in the order of the query.

    A single letter is noise beside longer words. Without any word its signs are the terms: `=>` can be found.
    """
    runs = "".join(char if _in_word(char) else " " for char in q).split()
    terms = list(dict.fromkeys(_folded(word) for run in runs for word in (*_words(run), run)))
    telling = [term for term in terms if len(term) > 1 or _is_unspaced(term)]
    return (telling or terms or _folded(q).split())[:MAX_TERMS]


def _words(run: str) -> list[str]:
    """A run of letters and digits cut where words part, except inside a script that does not part them."""
    cuts = [
        at for at in range(1, len(run)) if _parts(run, at) and not (_is_unspaced(run[at]) and _is_unspaced(run[at - 1]))
    ]
    return [run[start:end] for start, end in pairwise([0, *cuts, len(run)])]


def _folded(text: str) -> str:
    """Lower case, at the same length, so that a place in one is the same place in the other."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _snippet(match: _Match) -> str:
    """At most 160 characters of the line, from the beginning of a word if one begins shortly before the match."""
    line = match.line
    start = max(0, min(match.first - BEFORE_CHARS, len(line) - SNIPPET_CHARS))
    if start:
        start = max(start, line.find(" ", start, match.first))  # the space gives its place to the `…`
    end = start + SNIPPET_CHARS
    left, right = "…" if start else "", "…" if end < len(line) else ""
    return left + line[start + len(left) : end - len(right)] + right
