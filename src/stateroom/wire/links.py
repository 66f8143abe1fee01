"""Where things are found: every address is made from the server's own base URL (agent-room gap 24, L27)."""

from dataclasses import dataclass
from urllib.parse import quote

from stateroom.core.attachments import Attachment


@dataclass(frozen=True, slots=True)
class Links:
    base: str
    """Without a trailing slash."""

    def join(self, code: str) -> str:
        return f"{self.base}/j/{code}"

    def room(self, code: str) -> str:
        return f"{self.base}/r/{code}"

    def report(self, id: str) -> str:
        return f"{self.base}/reports/{id}"

    def line(self, code: str, position: int) -> str:
        """One line of the transcript on the room's page, which shows the lines around it."""
        return f"{self.room(code)}?at={position}#line-{position}"

    def blob(self, code: str, attachment: Attachment) -> str:
        return self.base + blob_path(code, attachment)


def blob_path(code: str, attachment: Attachment) -> str:
    """The path that serves a file; the id in it is what lets one in."""
    return f"/blobs/{code}/{attachment.id}/{quote(attachment.name, safe='')}"
