"""The memory store does what every store must do. Another process cannot share it, so `another` is itself."""

import pytest

from stateroom.stores.memory import MemoryStore
from stateroom.testing.conformance import *  # noqa: F403
from stateroom.testing.simulated_time import HandClock


@pytest.fixture
async def store(clock: HandClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
async def another(store: MemoryStore) -> MemoryStore:
    return store
