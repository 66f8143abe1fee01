"""The text of PDF files, page by page."""

import io

from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError

from stateroom.engine.extraction.reading import MAX_PAGES, Extracted, Reading


def read(data: bytes) -> Extracted:
    """Up to MAX_PAGES pages. What is encrypted without asking for a password is read, if it can be."""
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return Extracted(problem="encrypted")
        return _pages(reader)
    except DependencyError:
        return Extracted(problem="encrypted")
    except PyPdfError:
        return Extracted(problem="damaged")


def _pages(reader: PdfReader) -> Extracted:
    reading, count = Reading(), len(reader.pages)
    if count > MAX_PAGES:
        reading.note(f"only the first {MAX_PAGES} of {count} pages were read")
    for number in range(min(count, MAX_PAGES)):
        if not reading.add(reader.pages[number].extract_text()):
            break
    found = reading.done()
    return found if found.text or found.problem else Extracted(problem="no text in it: the pages may be pictures")
