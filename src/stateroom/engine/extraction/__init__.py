"""The text of attached files: what is in them is checked first, then read in a process of its own, within limits."""

from stateroom.engine.extraction.content import check_content
from stateroom.engine.extraction.process import extract
from stateroom.engine.extraction.reading import Extracted

__all__ = ["Extracted", "check_content", "extract"]
