"""The text of Excel workbooks: the values of the cells, sheet by sheet."""

import io
from collections.abc import Iterator
from typing import Any

from openpyxl import load_workbook

from stateroom.engine.extraction.reading import MAX_COLUMNS, MAX_ROWS, MAX_SHEETS, Extracted, Reading


def read(data: bytes) -> Extracted:
    """For each sheet its name and then a line for each row that holds anything, cells parted by tabs."""
    reading = Reading()
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    if len(book.worksheets) > MAX_SHEETS:
        reading.note(f"only the first {MAX_SHEETS} of {len(book.worksheets)} sheets were read")
    for sheet in book.worksheets[:MAX_SHEETS]:
        if not (reading.add(f"# {sheet.title}") and all(map(reading.add, _rows(sheet, reading)))):
            break
    return reading.done()


def _rows(sheet: Any, reading: Reading) -> Iterator[str]:
    for number, row in enumerate(sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS, values_only=True)):
        if number == MAX_ROWS:
            reading.note(f"only the first {MAX_ROWS:,} rows of a sheet were read")
            return
        if line := "\t".join("" if value is None else str(value) for value in row).rstrip():
            yield line
