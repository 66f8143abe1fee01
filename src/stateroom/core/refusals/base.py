"""What a refusal is."""

import inspect
from typing import ClassVar


class Refusal(Exception):
    """The room's rules do not allow this."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 409
    hint: ClassVar[str] = ""

    def __init__(self, **facts: object) -> None:
        super().__init__(self.code)
        self.facts = facts

    def __str__(self) -> str:
        return inspect.cleandoc(type(self).__doc__ or "").format_map(self.facts)

    def next_step(self) -> str:
        """The hint with the facts filled in."""
        return self.hint.format_map(self.facts)
