"""What is in a ZIP archive: the names of its files, without unpacking any."""

from stateroom.core.attachments import clean_name
from stateroom.engine.extraction.archives import members
from stateroom.engine.extraction.reading import Extracted, Reading


def read(data: bytes) -> Extracted:
    """A line for each file: its path and its size in bytes when unpacked."""
    reading = Reading()
    for member in members(data) or []:
        path = "/".join(map(clean_name, member.filename.rstrip("/").split("/")))
        if not (member.is_dir() or reading.add(f"{path}\t{member.file_size}")):
            break
    return reading.done()
