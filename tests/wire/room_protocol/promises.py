"""The manifest of promises: what the Room Protocol's page says, sentence by sentence, and the test that shows each.

`test_promises.py` fails if a promise has no test, if a test names an unknown promise, or if a number is left out
without a reason. A fact is known by its number in protocol §12, a weakness by its W-number, the rest by section.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """One sentence that clients may rely on."""

    id: str
    source: str
    sentence: str
    test: str
    """The test that shows it; others may show more of it."""


def table(source: str, text: str) -> list[Promise]:
    """Promises of one source: a line `id sentence`, then a line with the name of the test."""
    lines = [line.strip() for line in text.strip().splitlines()]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [Promise(line.partition(" ")[0], source, line.partition(" ")[2], test) for line, test in pairs]


NOT_HERE = {
    "125": "An invite sees only its room: invites come with a later issue.",
    **{
        f"W-{number}": "Hosted operation (auth, quotas, streams, webhooks, cost): not a matter of the tools."
        for number in (*range(44, 48), *range(50, 63), *range(64, 68), 69, 71, 74)
    },
    "W-38": "Members only grow until they leave: not mended; the cost per member is one short name.",
    "W-39": "Presence is stamped in memory; what a failing store does is the engine's matter.",
    "W-41": "Keep-alives during a wait are the transport's matter.",
    "W-70": "The log has the facts; measures over it come with the evaluation.",
}
"""What is not promised here, and why."""

KNOWN_GAPS = {
    "46": "The reference refuses `approve` for unbound static keys, and its documented flow fails (W-37). Not so here.",
    "110": "`lastSeen` of an offline agent is the last time, not null: better on purpose (W-34).",
    "W-14": "An unbound caller of an open server may still say it is the holder: names are asserted (design §7).",
    "W-35": "The same: `from` is what an unbound caller says; `via` is what the server knows.",
    "8KB": "get_task, read_context and get_shared_var are always complete: they are what short answers point to.",
}
"""Where a promise is kept differently, or not in full."""
