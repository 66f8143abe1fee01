"""`python -m stateroom.engine.extraction <type>`: a file on standard input, its text as JSON on standard output.

Ends with a status other than 0 when a library gave up on the file, or a limit was reached.
"""

import sys
from collections.abc import Callable
from importlib import import_module

import msgspec

from stateroom.core.attachments import DOCX, XLSX
from stateroom.engine.extraction.archives import why_not_opened
from stateroom.engine.extraction.reading import Extracted

if sys.platform != "win32":
    import resource

CPU_S = 10
MEMORY_BYTES = 1024 * 1024 * 1024
READERS = {
    "text/html": "stateroom.engine.extraction.markup:read_html",
    "image/svg+xml": "stateroom.engine.extraction.markup:read_svg",
    "application/zip": "stateroom.engine.extraction.listing:read",
    "application/pdf": "stateroom.engine.extraction.pdf:read",
    DOCX: "stateroom.engine.extraction.word:read",
    XLSX: "stateroom.engine.extraction.workbook:read",
}
MISSING = Extracted(problem="install stateroom[documents] to read this kind of file")


def main(mime: str, data: bytes) -> Extracted:
    if mime in (DOCX, XLSX) and (problem := why_not_opened(data)):
        return Extracted(problem=problem)
    module, _, function = READERS[mime].partition(":")
    try:
        read: Callable[[bytes], Extracted] = getattr(import_module(module), function)
    except ModuleNotFoundError:
        return MISSING
    return read(data)


def confine() -> None:
    """Bound this process in memory and processor time, and keep it from writing files."""
    if sys.platform == "win32":
        return
    wanted = {resource.RLIMIT_CPU: CPU_S, resource.RLIMIT_AS: MEMORY_BYTES, resource.RLIMIT_FSIZE: 0}
    for limit, size in wanted.items():
        try:
            resource.setrlimit(limit, (size, size))
        except (ValueError, OSError):  # not every system can bound everything
            continue


if __name__ == "__main__":
    confine()
    sys.stdout.buffer.write(msgspec.json.encode(main(sys.argv[1], sys.stdin.buffer.read())))
