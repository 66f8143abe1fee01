"""Secrets that slip into what is said are hidden before they are kept (AR §17.1, gap 95).

`tokens` hides what is a secret by its shape and is meant for every text; `secrets` also hides what is only *called*
a secret (`password: …`) and is meant for talk, where a wrong guess costs little. Hiding goes on until nothing is
found, so that hiding twice is hiding once, whatever the hidden parts leave side by side.
"""

import re
from collections.abc import Iterable
from typing import Any

REDACTED = "[REDACTED]"

# ------------------------------------------------------------------------------------------ what secrets look like

_WORD = r"[A-Za-z0-9_-]"
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
"""No letter or digit stands before, unless it ends a line break spelled out in two characters."""
_END = r"(?![A-Za-z0-9])"

_PREFIXES: tuple[tuple[str, str], ...] = (
    ("sk-", r"[A-Za-z0-9_-]{16,}+"),  # OpenAI, Anthropic, OpenRouter, DeepSeek
    ("sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{16,}+"),  # Stripe
    ("whsec_", r"[A-Za-z0-9+/=]{16,}+"),
    ("ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"[A-Za-z0-9_]{20,}+"),
    ("glpat- gldt- glrt- glcbt- glptt- glsoat-", r"[A-Za-z0-9_-]{20,}+(?:\.[A-Za-z0-9_-]{2,}+)*+"),  # GitLab
    ("xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[A-Za-z0-9-]{12,}+"),  # Slack
    ("ya29. GOCSPX-", r"[A-Za-z0-9_-]{20,}+"),  # Google
    ("SG.", r"[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),  # SendGrid
    ("npm_ hf_ r8_ gsk_ ntn_ lin_api_ dckr_pat_", r"[A-Za-z0-9_-]{27,}+"),
    ("pypi- xai- pplx-", r"[A-Za-z0-9_-]{40,}+"),
    ("dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),  # DigitalOcean
    ("shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32}"),  # Shopify
    ("sbp_ sb_secret_", r"[A-Za-z0-9_-]{20,}+"),  # Supabase
    ("hvs.", r"[A-Za-z0-9_-]{24,}+"),  # Vault
    ("tskey-", r"[A-Za-z0-9-]{16,}+"),  # Tailscale
    ("AGE-SECRET-KEY-", r"[0-9A-Z]{40,}+"),
    ("AKIA ASIA", r"[A-Z0-9]{16}"),  # AWS
    ("AIza", r"[A-Za-z0-9_-]{35}"),  # Google
)
"""Prefixes by which issuers make their keys known, and what follows them."""


def _either(prefixes: str) -> str:
    return "|".join(map(re.escape, prefixes.split()))


# What is in a group stays; the rest of the match is hidden.
_SHAPES = (
    # A block without its end counts as far as it looks like a key: it is a key cut off.
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]++|-(?!----))*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)++)",
    r"((?i:authorization)\\?[\"']?[ \t]{0,8}[:=][ \t]{0,8}\\?[\"']?(?i:bearer|basic|token)[ \t]{1,8})"
    r"[A-Za-z0-9+/_~.-][^\s\"'`<>,;)\]}\\]*+",
    r"(://)[^\s/@:\"'`<>\[\]{}]*+:[^\s/\"'`<>\[\]{}]+(?=@)",
    rf"(://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/){_WORD}{{6,}}+(?:/{_WORD}{{8,}}+)++",
    rf"(?:(?<!{_WORD})|(?<=\\[nrt]))eyJ{_WORD}{{8,}}+\.{_WORD}{{8,}}+\.{_WORD}{{8,}}+",
    rf"(?<!\d)\d{{6,12}}+:AA{_WORD}{{20,}}+",  # Telegram, also behind the word `bot`
    *(rf"{_EDGE}(?:{_either(prefixes)}){rest}{_END}" for prefixes, rest in _PREFIXES),
)
_TOKENS = re.compile("|".join(_SHAPES))

# Names are looked for by the word that makes them one; the value is what stands behind the sign. A plural counts
# things (`max_tokens: 4096`), and who tokenizes hides nothing.
_NAMED = re.compile(
    r"((?=[PSTApsta])(?i:p(?:assword|asswd|wd)|secret|token(?!s|i[sz])|(?:api|access|private)[ _-]?key)[\w-]{0,40}+"
    r"\\?[\"'`]?[ \t]{0,8}+[:=]{1,3}+>?+[ \t]{0,8}+\\?[\"'`]?)"
    r"(?:[^\s,()\[\]{}<>\"'`\\]|\\(?![\"'`nrt]))++"
)

# Nearly all texts hold no secret. This finds out by characters that are rare in prose, looking around each; that the
# pattern begins with them lets the engine skip all others.
_SEPARATED = [prefix for prefixes, _ in _PREFIXES for prefix in prefixes.split() if prefix[-1] in "-_."]
_HINT = re.compile(
    r"[-_.:JKIzZ](?:"
    rf"(?<=[-_.])(?=[A-Za-z0-9_+/=-]{{12}})(?:{'|'.join(f'(?<={re.escape(prefix)})' for prefix in _SEPARATED)})"
    rf"|(?<=:)(?=AA{_WORD}{{20}}|//[^\s/]*@|//hooks\.slack|//discord)"
    r"|(?<=eyJ)|(?<=PRIVATE K)EY|(?<=A[KS]I)A|(?<=AIz)a|(?<=(?i:authoriz)))"
)

# ----------------------------------------------------------------------------------------------------- hiding them


def tokens(text: str) -> tuple[str, int]:
    """The text with secrets known by their shape hidden, and how many were.

    Private key blocks, JSON web tokens, keys with a known prefix, values of Authorization headers, and what stands
    before the `@` of a URL.
    """
    total = 0
    while _HINT.search(text):
        text, count = _TOKENS.subn(_kept, text)
        if not count:
            break
        total += count
    return text, total


def secrets(text: str) -> tuple[str, int]:
    """The text with tokens hidden and what is called a secret: `password: …`, `API_KEY=…`. For talk only.

    A value reaches to the next space, comma, bracket or quote, and is hidden whatever it is; where there is none,
    nothing is. `max_tokens: 4096` is a count and stays.
    """
    total, count = 0, 1
    while count:
        text, shaped = tokens(text)
        text, named = _NAMED.subn(_kept, text)
        count = shaped + named
        total += count
    return text, total


def in_value(value: Any) -> tuple[Any, int]:
    """A JSON value with `tokens` hidden in all its strings but the keys, and how many; the same object if none were.

    What holds no secret is shared with the value, and no depth can hurt.
    """
    return tokens(value) if isinstance(value, str) else _rebuilt(value, _holders(value))


def _kept(match: re.Match[str]) -> str:
    return "".join(filter(None, match.groups())) + REDACTED


Holder = dict[str, Any] | list[Any]


def _items(holder: Holder) -> Iterable[Any]:
    return holder.values() if isinstance(holder, dict) else holder


def _holders(value: Any) -> list[Holder]:
    """Every object and array in a value, each before what is in it."""
    holders = [value] if isinstance(value, dict | list) else []
    for holder in holders:
        holders += [item for item in _items(holder) if isinstance(item, dict | list)]
    return holders


def _rebuilt(value: Any, holders: list[Holder]) -> tuple[Any, int]:
    """The value anew, from the innermost outwards, copying only what leads to a secret."""
    copies: dict[int, Holder] = {}
    total = 0
    for holder in reversed(holders):
        changes: dict[Any, Any] = {}
        for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
            new, count = tokens(item) if isinstance(item, str) else (copies.get(id(item), item), 0)
            total += count
            if new is not item:
                changes[key] = new
        if changes:
            copies[id(holder)] = _with(holder, changes)
    return copies.get(id(value), value), total


def _with(holder: Holder, changes: dict[Any, Any]) -> Holder:
    if isinstance(holder, dict):
        return holder | changes
    return [changes.get(index, item) for index, item in enumerate(holder)]
