"""What a measurement is, and how the table of them looks."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    measured: str
    budget: str = ""
    kept: bool | None = None
    """None where there is no budget to keep."""


def median(values: Sequence[float]) -> float:
    return percentile(values, 50)


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that is at least as large as `percent` of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def show(figures: Sequence[Figure]) -> None:
    table = Table("what", "measured", "budget", "", box=None, padding=(0, 2, 0, 0))
    for figure in figures:
        mark = {None: "", True: "[green]✔[/green]", False: "[red]✘[/red]"}[figure.kept]
        table.add_row(figure.what, figure.measured, figure.budget, mark)
    Console(width=150, highlight=False).print(table)
