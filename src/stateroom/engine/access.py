"""From what a request carries to who is asking: the open loopback server, and static team keys.

Secrets are kept as SHA-256 digests only, every comparison is constant-time, and all keys are always compared.
"""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from stateroom.core.here import Proof
from stateroom.core.ids import Name

OPEN_TEAM = "open"
GUEST = "guest"
ANONYMOUS = (OPEN_TEAM, GUEST)
"""Labels that no credential stands behind."""


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

    @property
    def guest(self) -> bool:
        """Whether all it has is a room's code."""
        return self.via == GUEST

    @property
    def credential(self) -> str:
        """What proves that this is the same caller again; empty for who came without any (design §7)."""
        return "" if self.via in ANONYMOUS else self.via

    def proof(self, host_key: str = "", seat_key: str = "") -> Proof:
        """What it can show, with the keys it has sent along, as digests."""
        return Proof(
            host=key_digest(host_key) if host_key else "",
            seat=key_digest(seat_key) if seat_key else "",
            vouched=not self.guest,
            bound=bool(self.member) and not self.guest,
        )


@dataclass(frozen=True, slots=True)
class TeamKey:
    team: str
    digest: bytes


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def key_digest(secret: str) -> str:
    """SHA-256 of a host or seat key, in hex."""
    return digest(secret).hex()


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

    def admit_guest(self, authorization: str) -> Caller:
        """Like `admit`, but on a keyed server whoever brings no key is let in as a guest, to rooms it has the code of.

        Raises Unauthorized for a key that nobody issued.
        """
        if self.is_open or authorization:
            return self.admit(authorization)
        return Caller("", GUEST)

    def _team_of(self, secret: str) -> str:
        given, team = digest(secret), ""
        for key in self._keys:  # all of them, always
            if hmac.compare_digest(key.digest, given):
                team = team or key.team
        if not secret or not team:
            raise Unauthorized
        return team
