"""A report as a Markdown document, in the form that is asked for, and what its file is called."""

import re
from collections.abc import Callable
from typing import Literal

from stateroom.core.views.minutes import Report
from stateroom.wire.links import Links
from stateroom.wire.reports import adr, minutes, pull_request
from stateroom.wire.reports.markdown import joined

Format = Literal["minutes", "adr", "pr"]
FORMATS: dict[Format, Callable[[Report, Links], list[str]]] = {
    "minutes": minutes.document,
    "adr": adr.document,
    "pr": pull_request.document,
}
TOPIC_CHARS = 60
_UNSAFE = re.compile(r"[\W_]+")


def render(report: Report, format: Format, links: Links) -> str:
    """The document, ending with a line break."""
    return joined(FORMATS[format](report, links))


def file_name(report: Report) -> str:
    """`<topic, letters and digits only>-<CODE>.md`, the topic at most 60 characters (agent-room §15)."""
    topic = _UNSAFE.sub("-", report.topic).strip("-")[:TOPIC_CHARS].strip("-")
    return f"{'-'.join(part for part in (topic or 'room', report.code) if part)}.md"
