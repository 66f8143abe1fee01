"""What comes before the root of an XML document. Entities can only be declared there, so it is enough to look there."""

from collections.abc import Iterable
from dataclasses import dataclass
from xml.parsers import expat


class _Enough(Exception):
    """The root has been reached, or an entity declaration."""


@dataclass(slots=True)
class Prolog:
    root: str = ""
    """The root's local name; empty if it was not reached, or the text is no XML."""
    doctype: bool = False
    entities: bool = False
    endless: bool = False
    """Whether the root had not come when the given limit was reached."""


def read_prolog(chunks: Iterable[bytes], limit: int) -> Prolog:
    """Reads up to the root, or for about `limit` bytes; never expands or fetches anything."""
    found = Prolog()
    parser = _watching(found)
    read = 0
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            read += len(chunk)
            if read > limit:
                found.endless = True
                break
    except (_Enough, expat.ExpatError):
        pass
    return found


def _watching(found: Prolog) -> expat.XMLParserType:
    def root(name: str, attributes: dict[str, str]) -> None:
        found.root = name.rpartition(":")[2]
        raise _Enough

    def doctype(*declared: object) -> None:
        found.doctype = True

    def entity(*declared: object) -> None:
        found.entities = True
        raise _Enough

    parser = expat.ParserCreate()
    parser.StartElementHandler = root
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = entity
    return parser
