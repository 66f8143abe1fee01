"""How long a call may wait: by what the client says it is (agent-room §9.5, mcp-and-clients §4).

A window longer than the client's own call limit comes back as a tool error and the agent leaves (gap 2), so a client
is trusted with a long one only if it is known to survive it. What it says of itself comes first (gap 22).
"""

from dataclasses import dataclass

DEFAULT_MS, SHORT_MS, LONG_MS = 25_000, 45_000, 270_000

KINDS = {
    "antigravity": "antigravity",
    "claude-code": "claude-code",
    "claude code": "claude-code",
    "claude-desktop": "claude-desktop",
    "claude-ai": "claude-desktop",
    "codex": "codex",
    "cursor": "cursor",
    "windsurf": "windsurf",
    "cline": "cline",
    "copilot": "copilot",
    "visual studio code": "copilot",
    "vscode": "copilot",
    "gemini": "gemini-cli",
}
"""What a client's name contains, in small letters -> its kind; the first one counts."""
PATIENT = ("claude-code", "codex")


@dataclass(frozen=True, slots=True)
class Window:
    """How long one call waits."""

    ms: int
    cut: bool
    """Whether it is shorter than asked for."""

    @property
    def seconds(self) -> float:
        return self.ms / 1000


def kind(client: str) -> str:
    """The kind of client behind a name or user agent; `unknown` if we know none."""
    said = client.casefold()
    return next((kind for part, kind in KINDS.items() if part in said), "unknown")


def window(client: str, asked_ms: int | None) -> Window:
    """The window for a wish of so many milliseconds; None wishes the default, 0 does not wait."""
    if asked_ms is None:
        return Window(DEFAULT_MS, cut=False)
    most = LONG_MS if kind(client) in PATIENT else SHORT_MS
    return Window(max(0, min(asked_ms, most)), cut=asked_ms > most)
