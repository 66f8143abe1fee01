"""The forms in which models print calls, each read from where it begins (agent-room §16.1).

Marked forms begin with a tag or a special token, plain ones with nothing but the call itself.
"""

import re
from dataclasses import dataclass
from typing import Any

from stateroom.core.leaks.calls import PREFIX, Arguments, Call, Tools, call, calls_in
from stateroom.core.leaks.values import NotACall, Reader

_JUNK = r"[^<>\n]{0,60}?"
_NAME = rf"(?P<name>{PREFIX}?[A-Za-z_]\w{{1,60}})"
_INVOKE = re.compile(rf"<(?:(?![/])[^<>\n]){{0,60}}?invoke\s+name\s*=\s*([\"']){_NAME}\1{_JUNK}>", re.IGNORECASE)
_INVOKE_END = re.compile(rf"<{_JUNK}/{_JUNK}invoke\s*>", re.IGNORECASE)
_PARAMETER = re.compile(
    rf"<(?:(?![/])[^<>\n]){{0,60}}?parameter(?:\s+name\s*=\s*([\"'])(?P<key>\w{{1,40}})\1|\s*=\s*[\"']?(?P<bare>\w{{1,40}})[\"']?)"
    rf"{_JUNK}>",
    re.IGNORECASE,
)
_PARAMETER_END = re.compile(rf"<{_JUNK}/{_JUNK}parameter\s*>", re.IGNORECASE)
_FUNCTION = re.compile(rf"<function\s*=\s*[\"']?{_NAME}[\"']?\s*>", re.IGNORECASE)
_FUNCTION_END = re.compile(r"</function\s*>", re.IGNORECASE)
_TOKEN = re.compile(
    r"</?(?:tool_call|tool_use|function_call|toolcall)>|<\|tool_call(?:_begin)?\|>|<｜tool▁call▁begin｜>"
    r"|\[TOOL_CALLS\]|<\|python_tag\|>|\bfunctools(?=\[)",
    re.IGNORECASE,
)
_HARMONY = re.compile(
    r"(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?(?:commentary|analysis)?\s{0,3}"
    rf"\bto={_NAME}[ \t]{{0,3}}(?:<\|channel\|>commentary)?(?:<\|constrain\|>)?"
    r"[ \t]{0,3}(?:json|code)?[ \t]{0,3}<\|message\|>"
)
_MCP = re.compile(
    rf"<use_mcp_tool>\s*<server_name>[^<>\n]{{0,60}}</server_name>\s*<tool_name>{_NAME}</tool_name>\s*<arguments>"
)
_MCP_END = re.compile(r"\s*</arguments>\s*</use_mcp_tool>")
_INTRODUCED = re.compile(
    rf"(?:function(?:<｜tool▁sep｜>))?{_NAME}(?P<number>:\d{{1,4}})?\s{{0,3}}"
    r"(?:<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|\[ARGS\])?\s{0,3}(?P<fence>```\w{0,10}\s{0,3})?(?=\{)"
)
_FENCE_END = re.compile(r"\s*```")
_ARGUMENT = re.compile(r"\s*<arg_key>(?P<key>\w{1,40})</arg_key>\s*<arg_value>", re.IGNORECASE)
_ARGUMENT_END = re.compile(r"</arg_value>", re.IGNORECASE)
_KEYED_END = re.compile(r"\s*</tool_call>", re.IGNORECASE)
_BARE_NAME = re.compile(rf"{_NAME}\s*(?=<arg_key>)")
_CALLED = re.compile(
    rf"(?P<print>print[ \t]?\()?(?:await )?{_NAME}(?:\.call)?"
    r"(?:[ \t]{0,3}(?P<open>[({])|[ \t]{0,9}\r?\n[ \t]{0,9}(?P<below>\{))"
)
_NAMED_FENCE = re.compile(
    rf"(?:[Tt]ool(?:[_ ]name)?:[ \t]?)?[*`]{{0,3}}{_NAME}[*`]{{0,3}}:?[*]{{0,2}}"
    r"[ \t]{0,9}\r?\n[ \t]{0,9}(?P<fence>`{3,9}|~{3,9})(?:json\w?|tool_\w{0,10})?[ \t]*\r?\n\s*"
)
_REACT = re.compile(rf"Action:[ \t]*{_NAME}[ \t]*\r?\n[ \t]*Action Input:\s*")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&"))


@dataclass(frozen=True, slots=True)
class Printed:
    """A call, or a list of them, as it stands in the text."""

    calls: tuple[Call, ...]
    end: int
    marked: bool


class Forms:
    """Reads calls out of one text."""

    __slots__ = ("reader", "text", "tools")

    def __init__(self, text: str, tools: Tools) -> None:
        self.text, self.tools, self.reader = text, tools, Reader(text)

    def marked(self, at: int) -> Printed:
        """The call that begins there with a mark of its own. Raises NotACall."""
        for form, read in (
            (_INVOKE, self._invoked),
            (_FUNCTION, self._function),
            (_HARMONY, self._sent),
            (_MCP, self._mcp),
            (_TOKEN, self._behind_token),
        ):
            if (match := form.match(self.text, at)) is not None:
                calls, end = read(match)
                return Printed(calls, end, marked=True)
        raise NotACall

    def plain(self, at: int) -> Printed:
        """The call that begins there without any mark. Raises NotACall."""
        if self.text[at : at + 1] in ("{", "["):
            return Printed(*self._value(at), marked=False)
        for form, read in ((_REACT, self._reacted), (_NAMED_FENCE, self._in_fence), (_CALLED, self._spelled)):
            if (match := form.match(self.text, at)) is not None:
                return Printed(*read(match), marked=False)
        raise NotACall

    def _value(self, at: int) -> tuple[tuple[Call, ...], int]:
        value, end = self.reader.value(at)
        return calls_in(value, self.tools), end

    def _given(self, name: str, at: int) -> tuple[tuple[Call, ...], int]:
        """The call of a tool whose arguments begin there."""
        given, end = self.reader.value(self.reader.space(at))
        return call(name, given, self.tools), end

    def _invoked(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        return self._tagged(match["name"], match.end(), _INVOKE_END)

    def _function(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        return self._tagged(match["name"], match.end(), _FUNCTION_END)

    def _tagged(self, name: str, at: int, closing: re.Pattern[str]) -> tuple[tuple[Call, ...], int]:
        """Parameters in tags, or an object, up to the closing tag; Llama forgets it behind an object."""
        at = self.reader.space(at)
        if self.text.startswith("{", at):
            made, at = self._given(name, at)
            closed = closing.match(self.text, self.reader.space(at))
            return made, closed.end() if closed else at
        given: Arguments = {}
        while (opened := _PARAMETER.match(self.text, at)) is not None:
            ended = self.reader.search(_PARAMETER_END, opened.end())
            given[opened["key"] or opened["bare"]] = _plain(self.text[opened.end() : ended.start()])
            at = self.reader.space(ended.end())
        if (closed := closing.match(self.text, at)) is None:
            raise NotACall
        return call(name, given, self.tools), closed.end()

    def _sent(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        return self._given(match["name"], match.end())

    def _mcp(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        made, at = self._given(match["name"], match.end())
        closed = _MCP_END.match(self.text, at)
        if closed is None:
            raise NotACall
        return made, closed.end()

    def _behind_token(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        """A value, or a name with what it is given."""
        at = self.reader.space(match.end())
        if self.text[at : at + 1] in ("{", "["):
            return self._value(at)
        if (named := _INTRODUCED.match(self.text, at)) is not None:
            made, end = self._given(named["name"], named.end())
            closed = _FENCE_END.match(self.text, end) if named["fence"] else None
            return made, closed.end() if closed else end
        if (bare := _BARE_NAME.match(self.text, at)) is not None:
            return self._by_key(bare)
        called = _CALLED.match(self.text, at)
        if called is None:
            raise NotACall
        return self._spelled(called, lone=False)

    def _by_key(self, name: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        given, at = Arguments(), name.end()
        while (opened := _ARGUMENT.match(self.text, at)) is not None:
            ended = self.reader.search(_ARGUMENT_END, opened.end())
            given[opened["key"]] = _plain(self.text[opened.end() : ended.start()])
            at = ended.end()
        if (closed := _KEYED_END.match(self.text, at)) is None:
            raise NotACall
        return call(name["name"], given, self.tools), closed.end()

    def _reacted(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        return self._given(match["name"], match.end())

    def _in_fence(self, match: re.Match[str]) -> tuple[tuple[Call, ...], int]:
        made, at = self._given(_telling(match["name"]), match.end())
        at = self.reader.space(at)
        if not self.text.startswith(match["fence"], at):
            raise NotACall
        return made, at + len(match["fence"])

    def _spelled(self, match: re.Match[str], *, lone: bool = True) -> tuple[tuple[Call, ...], int]:
        """`name {…}`, `name({…})`, `name(key="…")`."""
        name = _telling(match["name"]) if lone else match["name"]
        if match["open"] != "(":
            given, end = self.reader.value(match.end() - 1)
        else:
            given, end = self._bracketed(match.end())
        if lone and not given:
            raise NotACall  # `name()` is how people write that they mean the function
        if match["print"]:
            end = self._closed(end)
        return call(name, given, self.tools), end

    def _bracketed(self, at: int) -> tuple[Any, int]:
        at = self.reader.space(at)
        if not self.text.startswith("{", at):
            return self.reader.keywords(at)
        given, at = self.reader.value(at)
        return given, self._closed(at)

    def _closed(self, at: int) -> int:
        at = self.reader.space(at)
        if not self.text.startswith(")", at):
            raise NotACall
        return at + 1


def _telling(name: str) -> str:
    """A name that can stand for itself: `search(…)` and `approve(…)` are anybody's functions. Raises NotACall."""
    if "_" not in name and "." not in name:
        raise NotACall
    return name


def _plain(value: str) -> str:
    """A parameter without the line breaks that are layout, and without entities if it has been written in them."""
    text = value.removeprefix("\r").removeprefix("\n").removesuffix("\n").removesuffix("\r")
    if "<" in text or ">" in text:
        return text
    for entity, char in _ENTITIES:
        text = text.replace(entity, char)
    return text
