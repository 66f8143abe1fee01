"""The bytes of both eras, as clients in the field know them."""

import json

import pytest

from tests.wire.mcp.golden import FILES, replayed

CONVERSATIONS = {file.stem: json.loads(file.read_text()) for file in FILES}


@pytest.mark.parametrize("name", CONVERSATIONS)
async def test_every_request_is_answered_as_it_was(name):
    """Status, headers and body of each, in one conversation with a fresh server."""
    for now, then in zip(await replayed(CONVERSATIONS[name]), CONVERSATIONS[name], strict=True):
        assert now["response"] == then["response"], then["name"]


def test_both_eras_are_kept():
    """A conversation of each, with successes, refusals and errors."""
    assert set(CONVERSATIONS) == {"2025-11-25", "2026-07-28", "headerless"}
    for conversation in CONVERSATIONS.values():
        assert len({one["response"]["status"] for one in conversation}) > 1
