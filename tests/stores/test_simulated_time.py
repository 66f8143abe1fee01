"""Time that takes no time."""

import asyncio
import time

import pytest

from stateroom.testing.simulated_time import START_S, HandClock, Stuck, run


def test_a_year_passes_in_no_time() -> None:
    """Timers fire in their order and at their time, however far away; real time hardly moves."""
    fired: list[tuple[str, float]] = []

    async def timer(name: str, days: float) -> None:
        await asyncio.wait([asyncio.ensure_future(asyncio.Event().wait())], timeout=days * 86_400)
        fired.append((name, asyncio.get_running_loop().time() - START_S))

    async def main() -> None:
        await asyncio.gather(timer("year", 365), timer("minute", 1 / 1440), timer("day", 1))

    began = time.monotonic()
    run(main())
    assert time.monotonic() - began < 30
    assert [name for name, _ in fired] == ["minute", "day", "year"]
    assert [seconds for _, seconds in fired] == pytest.approx([60, 86_400, 31_536_000], abs=1e-3)


@pytest.mark.parametrize("start_s", [0.0, START_S, 4e9])
def test_many_short_timers_all_fire(start_s: float) -> None:
    """Also where floats are so coarse that asyncio's own resolution is lost in them."""

    async def main() -> float:
        began = asyncio.get_running_loop().time()
        for n in range(2000):
            await asyncio.wait([asyncio.ensure_future(asyncio.Event().wait())], timeout=0.0001 * (n % 7))
        return asyncio.get_running_loop().time() - began

    assert run(main(), start_s) == pytest.approx(0.6, abs=0.01)


def test_waiting_for_nothing_is_an_error() -> None:
    """Where a real loop would hang, the simulated one says so."""
    with pytest.raises(Stuck):
        run(asyncio.Event().wait())


def test_the_hand_clock_stands_still_until_moved() -> None:
    """In milliseconds, moved in seconds."""
    clock = HandClock()
    began = clock()
    assert clock() == began == START_S * 1000
    clock.advance(1.5)
    assert clock() - began == 1500
