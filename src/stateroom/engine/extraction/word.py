"""The text of Word documents: paragraphs and tables of the body, in order."""

import io
from collections.abc import Iterator

from docx import Document
from docx.table import Table

from stateroom.engine.extraction.reading import Extracted, Reading


def read(data: bytes) -> Extracted:
    """A line for each paragraph and for each row of a table, cells parted by tabs."""
    reading = Reading()
    for block in Document(io.BytesIO(data)).iter_inner_content():
        lines = _rows(block) if isinstance(block, Table) else iter([block.text])
        if not all(map(reading.add, lines)):
            break
    return reading.done()


def _rows(table: Table) -> Iterator[str]:
    for row in table.rows:
        yield "\t".join(" ".join(cell.text.split()) for cell in row.cells)
