"""Blobs: bytes by their hash."""

import hashlib

import pytest

from stateroom.log.seam import Store


@pytest.mark.parametrize("data", [b"", b"\0\xff", b"x" * 1_500_000])
async def test_bytes_come_back_by_their_hash(store: Store, another: Store, data: bytes) -> None:
    """The name is the SHA-256 in lower-case hex, the same in every process."""
    digest = await store.blobs.put(data)
    assert digest == hashlib.sha256(data).hexdigest()
    assert await store.blobs.get(digest) == await another.blobs.get(digest) == data


async def test_the_same_bytes_are_one_blob(store: Store, another: Store) -> None:
    """Stored twice, dropped once, gone."""
    digest = await store.blobs.put(b"same")
    assert await another.blobs.put(b"same") == digest
    await store.blobs.drop(digest)
    assert await another.blobs.get(digest) is None
    assert await store.blobs.put(b"same") == digest
    assert await store.blobs.get(digest) == b"same"


async def test_an_unknown_blob_is_none(store: Store) -> None:
    """Neither getting nor dropping it is an error."""
    assert await store.blobs.get("0" * 64) is None
    await store.blobs.drop("0" * 64)
