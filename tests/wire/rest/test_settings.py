"""Settings from the environment: what is understood, and what is refused with a sentence that says what to do."""

import pytest

from stateroom.app import make_app, make_store
from stateroom.faces.mcp import profiles
from stateroom.settings import PROFILES, Settings, SettingsError, from_env


def test_everything_is_read_from_the_environment():
    """Each variable ends up in its setting; the seed's name for keys is read too."""
    names = ("HOST", "STORE", "URL", "PUBLIC_URL", "API_KEYS", "API_KEY", "PROFILE")
    read = from_env({f"STATEROOM_{name}": name.lower() for name in names} | {"STATEROOM_PORT": "1"})
    assert (read.host, read.port, read.store, read.url) == ("host", 1, "store", "url")
    assert (read.public_url, read.api_keys, read.api_key, read.profile) == (
        "public_url",
        "api_keys",
        "api_key",
        "profile",
    )
    assert from_env({"API_KEYS": "red:s"}).keyed
    assert from_env({"API_KEYS": "red:s", "STATEROOM_API_KEYS": "blue:t"}).api_keys == "blue:t"


def test_an_empty_environment_is_an_open_loopback_server_on_a_file():
    """The defaults can be served as they are."""
    read = from_env({})
    read.check()
    assert (read.host, read.port, read.base_url) == ("127.0.0.1", 7373, "http://127.0.0.1:7373")
    assert read.store.startswith("sqlite:///")
    assert read.store.endswith("stateroom.db")


@pytest.mark.parametrize("port", ["no", "-1", "65536", "1e3", "7" * 5_000, " "])
def test_a_port_that_is_none_is_refused(port):
    """With the range; also a number nobody could read."""
    with pytest.raises(SettingsError, match="1 to 65535"):
        from_env({"STATEROOM_PORT": port})


@pytest.mark.parametrize("url", ["", "sqlite://", "sqlite:///", "redis://localhost", "postgresql://x", "rooms.db"])
def test_a_store_we_do_not_know_is_refused(url):
    """The sentence names the ones we do."""
    with pytest.raises(SettingsError, match="sqlite:///PATH or memory://"):
        make_store(url)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(host="0.0.0.0"), "STATEROOM_API_KEYS"),
        (Settings(host="::"), "listen on 127.0.0.1"),
        (Settings(host="example.org"), "listen on 127.0.0.1"),
        (Settings(api_keys="red"), "no complete key"),
        (Settings(api_keys=":s,,red:"), "no complete key"),
        (Settings(profile="everything"), "core, room, state, full"),
        (Settings(public_url="rooms.example.org"), "STATEROOM_PUBLIC_URL"),
        (Settings(public_url="http://["), "STATEROOM_PUBLIC_URL"),
    ],
)
def test_what_should_not_be_served_is_refused(settings, sentence):
    """Above all an open door on a public address, also by mistake; the sentence says what to do."""
    with pytest.raises(SettingsError, match=sentence):
        make_app(settings)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_may_be_open(host):
    """Only this machine reaches it; other addresses need a key, and then are fine."""
    Settings(host=host).check()
    Settings(host="0.0.0.0", api_keys="red:s").check()


def test_secrets_are_not_shown():
    """Printing settings shows no key."""
    assert "hush" not in repr(Settings(api_keys="red:hush", api_key="hush"))


def test_the_profiles_are_those_of_the_tools():
    """Settings know them by name only."""
    assert tuple(profiles.PROFILES) == PROFILES
