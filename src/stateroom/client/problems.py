"""What can go wrong between a client and a server."""

from urllib.parse import urlsplit


class Problem(Exception):
    """The server said no. `code` is for programs, the text for people, `hint` says what to do next."""

    def __init__(self, code: str, message: str, hint: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.code, self.hint, self.status = code, hint, status


class Unreachable(Exception):
    """Nobody answers at the URL."""

    def __init__(self, url: str, reason: str) -> None:
        shown = masked(url)
        super().__init__(f"No Stateroom server answers at {shown} ({reason}). Start one with `stateroom up`.")
        self.url = url


def masked(url: str) -> str:
    """A URL without the password in it."""
    try:
        password = urlsplit(url).password
    except ValueError:
        return url
    return url.replace(f":{password}@", ":…@") if password else url
