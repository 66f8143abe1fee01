"""Tool calls that a model has printed as text instead of making them (agent-room §16.1, gap 94).

`finding.find` takes them out of a text. A call counts only if it is whole, names a tool that there is, has arguments
that this tool takes, and nothing around it says that it is shown rather than made. Forms with marks of their own (tags,
special tokens) count in the middle of talk; JSON and call syntax only where they stand alone on their lines. One call
too few is a pity, one too many is a deed that nobody wished: what is in doubt stays text.
"""

from stateroom.core.leaks.calls import Call, Tools
from stateroom.core.leaks.finding import MOST_CALLS, MOST_CHARS, Leaks, find

__all__ = ["MOST_CALLS", "MOST_CHARS", "Call", "Leaks", "Tools", "find"]
