"""The SQLite store does what every store must do. Its fixtures are in `conftest.py`."""

from stateroom.testing.conformance import *  # noqa: F403
