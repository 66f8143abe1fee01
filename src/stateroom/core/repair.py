"""Text that a model wrote with its line breaks spelled out."""

import re

_BREAK = re.compile(r"\\r\\n|\\n|\\r")


def unescape(text: str) -> str:
    r"""The text with `\r\n`, `\n`, `\r` and `\t` spelled out made the line breaks and tabs they mean (AR §16.2).

    A text with one real line break knows how to write them, so whatever it spells out is meant: it is returned as is.
    """
    if "\\" not in text or "\n" in text or "\r" in text:
        return text
    return _BREAK.sub("\n", text).replace("\\t", "\t")
