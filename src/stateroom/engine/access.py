"""From what a request carries to who is asking: the open loopback server, and static team keys.

Secrets are kept as SHA-256 digests only, every comparison is constant-time, and all keys are always compared.
"""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from stateroom.core.ids import Name

OPEN_TEAM = "open"


class Unauthorized(Exception):
    """No credential, or one that nobody issued."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a team, the credential that says so, and what it is bound to."""

    team: str
    via: str
    """A label of the credential, as recorded with each entry."""
    room: str = ""
    """If set, the only room this caller may name."""
    member: Name = Name("")
    """If set, the name this caller speaks under, whatever it says."""


@dataclass(frozen=True, slots=True)
class TeamKey:
    team: str
    digest: bytes


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def parse_keys(text: str) -> list[TeamKey]:
    """`team:secret,team:secret`: split on commas, then on the first colon; incomplete pairs are skipped."""
    pairs = (part.strip().partition(":") for part in text.split(","))
    return [
        TeamKey(team.strip(), digest(secret.strip())) for team, _, secret in pairs if team.strip() and secret.strip()
    ]


class Access:
    def __init__(self, keys: Iterable[TeamKey] = ()) -> None:
        self._keys = list(keys)

    @property
    def is_open(self) -> bool:
        """Whether everybody who can connect is let in: only ever on loopback."""
        return not self._keys

    def admit(self, authorization: str, room: str = "", member: str = "") -> Caller:
        """The caller behind an `Authorization` header. `room` and `member` come from a bound endpoint.

        Raises Unauthorized.
        """
        if self.is_open:
            return Caller(OPEN_TEAM, "open", room, Name(member))
        team = self._team_of(authorization.removeprefix("Bearer ") if authorization.startswith("Bearer ") else "")
        return Caller(team, f"key:{team}", room, Name(member))

    def _team_of(self, secret: str) -> str:
        given, team = digest(secret), ""
        for key in self._keys:  # all of them, always
            if hmac.compare_digest(key.digest, given):
                team = team or key.team
        if not secret or not team:
            raise Unauthorized
        return team
