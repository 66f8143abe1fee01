"""Load: callers that each do one thing after another, and how long each took."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """What a load did."""

    seconds: float
    latencies: list[float]
    """Seconds, one per operation."""

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds


async def load(callers: int, operations: int, work: Callable[[int, int], Awaitable[object]]) -> Run:
    """`operations` in all, spread over `callers` that run side by side; `work(caller, step)` is one of them."""
    latencies: list[float] = []

    async def caller(number: int) -> None:
        for step in range(operations // callers):
            began = time.perf_counter()
            await work(number, step)
            latencies.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(caller(number) for number in range(callers)))
    return Run(time.perf_counter() - began, latencies)
