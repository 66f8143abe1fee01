"""What can go wrong between a client and a server."""


class Problem(Exception):
    """The server said no. `code` is for programs, the text for people, `hint` says what to do next."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.hint = status, code, hint


class Unreachable(Exception):
    """Nobody answers at the URL."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"No Stateroom server answers at {url} ({reason}). Start one with `stateroom up`.")
        self.url = url
