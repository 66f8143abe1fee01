"""Reading a file's text: simple kinds here, all others in a process of their own that is killed when it takes too long.

What parses the files of strangers may be brought to its knees by them. So it runs apart, without our secrets in its
environment, with bounded memory and time, and whatever happens to it becomes a `problem` of that one file.
"""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import msgspec

from stateroom.core.attachments import XLS
from stateroom.engine.extraction.reading import MAX_CHARS, Extracted, cut, trimmed

DEADLINE_S = 10.0
PATIENCE_S = 30.0
"""For a place among the readers, and for the reading."""
AT_ONCE = 2
PLAIN = ("text/plain", "text/markdown", "text/csv", "application/json")
OLD_EXCEL = Extracted(problem="the old Excel format is not read: save it as .xlsx")
HANDED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMPDIR")
TOO_SLOW = Extracted(problem=f"took longer than {DEADLINE_S:g} s to read")
BUSY = Extracted(problem="too many files were being read at the same time")
BROKEN = Extracted(problem="damaged, or too large to be read")
_readers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="extraction")


async def extract(mime: str, data: bytes) -> Extracted:
    """The text of a file whose content has been checked; never raises for what is in it.

    `mime` is one of `core.attachments.SUFFIXES`. Of a file that is too long, its beginning, and a problem that says so.
    """
    if mime in PLAIN:
        return cut(data[: 4 * MAX_CHARS + 8].decode("utf-8-sig", "ignore"))  # no character takes more than four bytes
    if mime == XLS:
        return OLD_EXCEL
    if mime.startswith("image/") and mime != "image/svg+xml":
        return Extracted()
    reading = asyncio.get_running_loop().run_in_executor(_readers, _read_apart, mime, data)
    try:
        return await asyncio.wait_for(reading, PATIENCE_S)
    except TimeoutError:
        return BUSY


def _read_apart(mime: str, data: bytes) -> Extracted:
    command = [sys.executable, "-P", "-m", "stateroom.engine.extraction", mime]
    environment = {name: os.environ[name] for name in HANDED_ON if name in os.environ}
    try:
        done = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=DEADLINE_S,
            check=False,
        )
        found = msgspec.json.decode(done.stdout, type=Extracted)
    except subprocess.TimeoutExpired:
        return TOO_SLOW
    except (subprocess.CalledProcessError, OSError, msgspec.DecodeError):
        return BROKEN
    return trimmed(found.text, found.problem)
