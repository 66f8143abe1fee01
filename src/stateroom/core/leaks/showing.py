"""Whether a call is made or shown, by what stands around it.

Talk between agents who build on a server of tools is full of calls that nobody makes: examples, fixtures, bug reports.
A call that stands for itself is one. Beside words, marked forms need words that end, plain ones words that say that
their writer is about to do something; and nothing before or after may speak of the call.
"""

import re

_SHOWS = re.compile(
    r"\b(?:examples?|e\.g|for instance|such as|looks?|like|would|could|should|might|must|how|formats?|syntax|styles?"
    r"|usage|docs?|document\w*|readme|schemas?|samples?|templates?|snippets?|payloads?|body|shapes?|returns?|returned|received"
    r"|instead|don.?t|do not|does|did\w*|never|not|if|when|quot\w+|says?|said|print\w*|spec\w*|fixtures?|fuzz\w*"
    r"|expect\w*|actual\w*|following|above|below|you|your|please|leak\w*|wrote|written|pasted?|emit\w*|produc\w+"
    r"|generat\w+|answered|replied|gave|shows?|showed|shown|hostile|bugs?|executed|raw|string|parser|regex\w*|model|codex"
    r"|gemini|qwen|claude|gpt|llama|called|used|tried|contract|exactly|this is|yesterday|contains?|contained"
    r"|repro(?:duc\w*)?|appear\w*|render\w*)\b",
    re.IGNORECASE,
)
"""Words that make of a call something to look at."""
_MAY_SHOW = re.compile(
    r"\b(?:can|may|requests?|responses?|got|gets?|sent|outputs?|logs?|logged|tests?|cases?|text|steps?|was|were|had|has|ran)\b",
    re.IGNORECASE,
)
"""Words that do so, unless their writer is about to do something."""
_TOPICS = re.compile(
    r"\b(?:formats?|syntax|styles?|usage|docs?|document\w*|readme|schemas?|samples?|templates?|snippets?|payloads?|body"
    r"|shapes?|spec\w*|fixtures?|bugs?|string|parser|regex\w*|model|contract)\b",
    re.IGNORECASE,
)
"""What people work on as well as what they show: a topic, beside a marked call of somebody about to do something."""
_DOING = (
    r"tak|claim|start|begin|post|send|submit|report|verif|writ|mark|go|call|us|creat|add|join|leav|listen|check|updat"
    r"|finish|approv|reject|acquir|releas|lock|record|sav|publish|read|ask|answer|reply|pick|mov|shar|open|clos|hand|sett"
    r"|set|renew|request|work|mak|do|fetch|look|leas|plan|complet|merg|join|tell|put|wait|search|begin|get|runn|run"
)
_INTENDS = re.compile(
    rf"\b(?:I|we)(?:['’]ll| will| shall|['’](?:m|re)| am| are| now| (?:{_DOING})(?:e|y)?)\b"
    rf"|\blet(?: me|['’]?s| us)\b|^(?:now |so |then )?(?:{_DOING})(?:t|n|y|i)?ing\b"
    r"|^(?:ok(?:ay)?|sure|done|yes|yep|right|good|great|thanks?|understood|got it|will do|on it|on my way|perfect"
    r"|alright|ready|agreed|noted|makes sense|here goes)\b[^:]{0,50}$",
    re.IGNORECASE,
)
"""How people say that they do something now."""
_ENDS = re.compile(r"(?:[.!…。！]|</(?:think|thinking|thought|reflection)>)[\"'”’)*_\s]{0,4}$")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+(?=\S)")
_LOOKS = 600
_BACK = re.compile(
    r"(?:this|that|these|those|which|it|same|the above|above|here|error|traceback|\w+error)\b", re.IGNORECASE
)
_MARK = re.compile(r"\[[A-Za-z]{4,10}\]|@(?=\w)|(?:[-*]|\d{1,2}[.)])\s+(?=\w)|\*{1,2}(?=\w)")
"""What a line of talk may begin with besides a word."""


def made_after(before: str, *, marked: bool) -> bool:
    """Whether what stands before a call lets it be one."""
    line = before[-_LOOKS:].rstrip().rpartition("\n")[2].strip()
    if not line:
        return True
    if line.startswith((">", "#", "|", "```", "~~~")):
        return False
    sentence = _SENTENCE.split(line)[-1].strip("*_ ")
    if sentence.endswith(("?", "？", '"', "'", "“", "‘", "«", "`", "(")):
        return False
    topical = marked and _INTENDS.search(sentence) is not None
    if _shows(_TOPICS.sub("", sentence) if topical else sentence):
        return False
    return bool(_INTENDS.search(sentence) or (marked and _ENDS.search(sentence)))


def _shows(sentence: str) -> bool:
    return bool(_SHOWS.search(sentence) or (_MAY_SHOW.search(sentence) and not _INTENDS.search(sentence)))


def made_before(after: str) -> bool:
    """Whether what stands behind a call lets it be one: it must not go on with it, nor look back at it."""
    line = after[:_LOOKS].lstrip().partition("\n")[0].strip()
    if not line:
        return True
    words = _MARK.sub("", line, count=1)
    if not words[:1].isalpha() and not line[:1].isalpha() and line == words and ord(line[0]) < 0x2000:
        return False
    sentence = _SENTENCE.split(words)[0]
    return not (words[:1].islower() or _BACK.match(words) or _shows(sentence))
