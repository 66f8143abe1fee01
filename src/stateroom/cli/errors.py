"""How a command fails."""

from collections.abc import Iterator
from contextlib import contextmanager


class CliError(Exception):
    """A foreseeable failure: a sentence that says what is wrong and what to do."""


@contextmanager
def spoken(*kinds: type[Exception]) -> Iterator[None]:
    """Turn failures of these kinds into sentences, with their hints."""
    try:
        yield
    except kinds as failure:
        hint = getattr(failure, "hint", "")
        raise CliError(f"{failure} {hint}".strip()) from failure


def first_of(failure: BaseException) -> BaseException:
    """The failure itself, or the first one that a task group has wrapped up."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure
