"""What the environment says. Read at the edge (`app`, `cli`, `testing`) and handed in; never read from inside."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 7373
PROFILES = ("core", "room", "state", "full")
"""The names of `faces.mcp.profiles`, which are not to be imported from here; a test compares them."""


class SettingsError(Exception):
    """A setting that can not be used. The text says which, and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = DEFAULT_HOST
    """Address to listen on; other machines reach it only if keys are set."""
    port: int = DEFAULT_PORT
    """Port to listen on; 0 takes a free one."""
    store: str = field(default_factory=lambda: default_store())  # noqa: PLW0108 (defined below)
    """`sqlite:///PATH` or `memory://`."""
    api_keys: str = field(default="", repr=False)
    """`team:secret,team:secret`; empty means open, which only loopback may be."""
    public_url: str = ""
    """Where clients reach the server, if not at host and port."""
    url: str = ""
    """For clients: the server to talk to."""
    api_key: str = field(default="", repr=False)
    """For clients: the key to send."""
    profile: str = ""
    """Which tools to list by default."""
    redact: bool = True
    """Whether secrets are taken out of what is written before it is stored."""

    @property
    def base_url(self) -> str:
        """Where clients reach this server, without a trailing slash."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        shown = DEFAULT_HOST if self.host in ("0.0.0.0", "::") else host
        return (self.public_url or f"http://{shown}:{self.port}").rstrip("/")

    @property
    def keyed(self) -> bool:
        """Whether there is a key that lets anybody in; without one the server is open."""
        pairs = (part.partition(":") for part in self.api_keys.split(","))
        return any(team.strip() and secret.strip() for team, _, secret in pairs)

    def check(self) -> None:
        """Raises SettingsError for what must not be served: an open door on a public address, or by mistake."""
        if self.public_url and not is_url(self.public_url):
            raise SettingsError(
                f"STATEROOM_PUBLIC_URL is {self.public_url!r}: use a whole URL such as https://rooms.example.org."
            )
        if self.profile not in ("", *PROFILES):
            raise SettingsError(f"STATEROOM_PROFILE is {self.profile!r}: use one of {', '.join(PROFILES)}.")
        if self.api_keys.strip() and not self.keyed:
            raise SettingsError(
                "STATEROOM_API_KEYS holds no complete key, and the server would be open. "
                'Set it to "team:secret", or unset it.'
            )
        if not self.keyed and not is_loopback(self.host):
            raise SettingsError(
                f"{self.host} can be reached from other machines, and no keys are set. Set STATEROOM_API_KEYS="
                '"team:secret" or listen on 127.0.0.1.'
            )


def default_store() -> str:
    """A file in the platform's data folder."""
    return f"sqlite:///{Path(platformdirs.user_data_dir('stateroom')) / 'stateroom.db'}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def from_env(environ: Mapping[str, str]) -> Settings:
    """The settings of an environment. Raises SettingsError."""
    return Settings(
        host=environ.get("STATEROOM_HOST") or DEFAULT_HOST,
        port=read_port(environ.get("STATEROOM_PORT") or str(DEFAULT_PORT)),
        store=environ.get("STATEROOM_STORE") or default_store(),
        api_keys=environ.get("STATEROOM_API_KEYS") or environ.get("API_KEYS", ""),
        public_url=environ.get("STATEROOM_PUBLIC_URL", ""),
        url=environ.get("STATEROOM_URL", "").rstrip("/"),
        api_key=environ.get("STATEROOM_API_KEY", ""),
        profile=environ.get("STATEROOM_PROFILE", ""),
        redact=read_switch("STATEROOM_REDACT", environ.get("STATEROOM_REDACT") or "1"),
    )


def is_url(text: str) -> bool:
    """Whether it says where a server is."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def read_port(text: str) -> int:
    """Raises SettingsError."""
    if not text.isdecimal() or len(text) > 5 or int(text) > 65535:
        raise SettingsError(f"STATEROOM_PORT is {text!r}: use a number from 1 to 65535.")
    return int(text)


def read_switch(name: str, text: str) -> bool:
    """Raises SettingsError."""
    on, off = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
    if text.strip().lower() not in (*on, *off):
        raise SettingsError(f"{name} is {text!r}: use 1 or 0.")
    return text.strip().lower() in on


def store_path(url: str) -> Path | None:
    """The file of a store URL; None for a store that is no file. Raises SettingsError."""
    if url == "memory://":
        return None
    if url.startswith("sqlite:///") and len(url) > len("sqlite:///"):
        return Path(url.removeprefix("sqlite:///")).expanduser()
    raise SettingsError(f"The store {url!r} is none we know: use sqlite:///PATH or memory://.")
