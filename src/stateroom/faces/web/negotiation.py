"""What whoever asks wants: a page or data, and which lines."""

from dataclasses import dataclass

from starlette.requests import Request

from stateroom.faces.web.windows import Window
from stateroom.wire.problems import HttpProblem

HTML, JSON = "text/html", "application/json"


def wants_json(request: Request) -> bool:
    """By `?format=json`, else by the `Accept` header; who takes either gets the page."""
    asked = request.query_params.get("format", "")
    return asked == "json" or (not asked and _prefers_json(request.headers.get("accept", "")))


def _prefers_json(accept: str) -> bool:
    ranked = dict(_ranges(accept))
    fallback = ranked.get("*/*", 0.0)
    html = ranked.get(HTML, ranked.get("text/*", fallback))
    return ranked.get(JSON, ranked.get("application/*", fallback)) > html


def _ranges(accept: str) -> list[tuple[str, float]]:
    """Media ranges and how much each is wanted, 0 to 1 (RFC 9110 §12.5.1)."""
    found: list[tuple[str, float]] = []
    for part in accept.split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weights = [one.removeprefix("q=") for one in parameters if one.startswith("q=")]
        found.append((media, _weight(weights[0]) if weights else 1.0))
    return found


def _weight(text: str) -> float:
    """0 for what is no number from 0 to 1."""
    plain = text.replace(".", "", 1)
    return min(float(text), 1.0) if plain.isascii() and plain.isdecimal() and len(text) < 8 else 0.0


@dataclass(frozen=True, slots=True)
class AskedLines:
    """Which lines somebody wants to see; None where it does not say."""

    at: int | None = None
    """The message of this id, with its neighbours."""
    after: int | None = None
    """What follows a line."""
    before: int | None = None
    """What comes before a line."""

    def window(self, total: int, line: int) -> Window:
        """`line` is the line of the message `at`, 0 if there is none."""
        if line:
            return Window.around(total, line)
        return Window.ending(total, self.before) if self.after is None else Window.starting(total, self.after)


def asked_lines(request: Request) -> AskedLines:
    """Raises HttpProblem."""
    return AskedLines(_number(request, "at", 1), _number(request, "after", 0), _number(request, "before", 1))


def _number(request: Request, name: str, least: int) -> int | None:
    """A query parameter that is a whole number; None if it was not sent. Raises HttpProblem."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 16 and int(text) >= least):
        hint = f"Use a whole number from {least}."
        raise HttpProblem(400, "bad_request", f"{name} is no line of this transcript.", hint)
    return int(text)
