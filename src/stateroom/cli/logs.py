"""What the server writes on stderr while it runs: what went wrong, and nothing about calls that were only waiting."""

import asyncio
import logging
from copy import deepcopy
from typing import Any

from uvicorn.config import LOGGING_CONFIG


class WaitingIsNoError(logging.Filter):
    """Drops what uvicorn reports, with a traceback each, when it stops while agents listen: they always do."""

    def filter(self, record: logging.LogRecord) -> bool:
        cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
        return not cut_off and "timeout graceful shutdown exceeded" not in record.getMessage()


def logging_config() -> dict[str, Any]:
    """Uvicorn's own, with the filter; plain data, because it is handed on to worker processes."""
    config = deepcopy(LOGGING_CONFIG)
    config["filters"] = {"waiting": {"()": f"{__name__}.{WaitingIsNoError.__name__}"}}
    config["handlers"]["default"]["filters"] = ["waiting"]
    return config
