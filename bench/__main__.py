"""`python -m bench [part …]`: measure, and print the table of design §9 for what exists."""

import sys
from collections.abc import Awaitable, Callable

import uvloop

from bench import appends, served, talking
from bench.figures import Figure, show

PARTS: dict[str, Callable[[], Awaitable[list[Figure]]]] = {
    "appends": appends.throughput,
    "wakes": appends.wakes,
    "length": appends.against_length,
    "cold": appends.cold_load,
    "startup": served.startup,
    "sdk": served.against_the_sdk,
    "wake": served.wake,
    "listeners": served.listeners,
    "mixed": served.mixed,
    "talk": talking.latency,
    "listen": talking.listeners,
}


async def main(names: list[str]) -> None:
    figures: list[Figure] = []
    for name in names or list(PARTS):
        print(f"measuring {name} …", file=sys.stderr)
        figures += await PARTS[name]()
    show(figures)


if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in PARTS]
    if unknown:
        sys.exit(f"No such part: {', '.join(unknown)}. There are: {', '.join(PARTS)}")
    uvloop.run(main(sys.argv[1:]))
