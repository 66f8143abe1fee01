"""Tool calls as models print them: the text, what it calls, and what is left to be said."""

from typing import Any

Leak = tuple[str, list[tuple[str, dict[str, Any]]], str]

CLAIM = ("room_task", {"action": "claim", "id": "T-01"})
SEND = ("room_send", {"text": "hello"})
NOTE = ("write_context", {"type": "note", "summary": "s", "payload": {"text": "a } b"}, "consuming_agents": []})
CODE = (
    "write_context",
    {"type": "note", "summary": "code", "payload": {"text": 'if (a) { b("}") }'}, "consuming_agents": []},
)
ARGS = '{"action": "claim", "id": "T-01"}'
TAGS = (
    '<invoke name="room_task"><parameter name="action">claim</parameter><parameter name="id">T-01</parameter></invoke>'
)
NOTED = '{"type": "note", "summary": "s", "payload": {"text": "a } b"}, "consuming_agents": []}'
CODED = '{"type":"note","summary":"code","payload":{"text":"if (a) { b(\\"}\\") }"},"consuming_agents":[]}'


def _tags(before: str, after: str, quote: str = '"') -> str:
    """The tag form with whatever stands around its words."""
    opened = f"<{before}invoke name={quote}room_task{quote}>"
    values = "".join(
        f"<{before}parameter name={quote}{key}{quote}>{value}</{before}parameter>"
        for key, value in (("action", "claim"), ("id", "T-01"))
    )
    return f"{opened}{values}</{before}invoke>{after}"


TAG_FORMS: list[Leak] = [
    (TAGS, [CLAIM], ""),
    (_tags("antml:", ""), [CLAIM], ""),
    (_tags("|x|", ""), [CLAIM], ""),
    (_tags("｜｜DSML｜｜", ""), [CLAIM], ""),
    (_tags("｜DSML｜", "", "'"), [CLAIM], ""),
    (_tags("tool:", ""), [CLAIM], ""),
    (f"<function_calls>\n{TAGS}\n</function_calls>", [CLAIM], ""),
    (f"<function_calls>\n{_tags('antml:', '')}\n</function_calls>", [CLAIM], ""),
    (f"<｜tool_calls_begin｜>{_tags('｜', '')}<｜tool_calls_end｜>", [CLAIM], ""),
    (f"I take the first one.\n{TAGS}", [CLAIM], "I take the first one."),
    (f"{TAGS}\nBack in a minute.", [CLAIM], "Back in a minute."),
    (f"First this.\n{TAGS}\nThen that.\n{TAGS}", [CLAIM, CLAIM], "First this.\n\nThen that."),
    (TAGS.replace('"', "'"), [CLAIM], ""),
    (
        TAGS.upper()
        .replace("ROOM_TASK", "room_task")
        .replace('"ACTION"', '"action"')
        .replace('"ID"', '"id"')
        .replace("CLAIM", "claim"),
        [CLAIM],
        "",
    ),
    (TAGS.replace("><", ">\n<"), [CLAIM], ""),
    (TAGS.replace(">claim<", ">\nclaim\n<"), [CLAIM], ""),
    (
        '<invoke name="mcp__stateroom__room_task"><parameter name="action">claim</parameter>'
        '<parameter name="id">T-01</parameter></invoke>',
        [CLAIM],
        "",
    ),
    ('<invoke name="room_send"><parameter name="text">hello</parameter></invoke>', [SEND], ""),
    (
        '<invoke name="room_send"><parameter name="text">a &lt; b &amp;&amp; c</parameter></invoke>',
        [("room_send", {"text": "a < b && c"})],
        "",
    ),
    (
        '<invoke name="write_context"><parameter name="type">note</parameter><parameter name="summary">s</parameter>'
        '<parameter name="payload">{"text": "a } b"}</parameter>'
        '<parameter name="consuming_agents">[]</parameter></invoke>',
        [NOTE],
        "",
    ),
    (f"{TAGS}<|im_end|>", [CLAIM], ""),
    (f"<thinking>no</thinking>\n{TAGS}", [CLAIM], "<thinking>no</thinking>"),
]
TOKEN_FORMS: list[Leak] = [
    (f'<tool_call>\n{{"name": "room_task", "arguments": {ARGS}}}\n</tool_call>', [CLAIM], ""),
    (f'<tool_call>{{"name": "room_task", "arguments": {ARGS}}}</tool_call>', [CLAIM], ""),
    (f'On it.\n<tool_call>{{"name": "room_task", "arguments": {ARGS}}}</tool_call>', [CLAIM], "On it."),
    (f'<tool_call>[{{"name": "room_task", "arguments": {ARGS}}}]</tool_call>', [CLAIM], ""),
    (f'<|tool_call|>{{"name": "room_task", "arguments": {ARGS}}}<|/tool_call|>', [CLAIM], ""),
    (f'<tool_use>{{"name": "room_task", "input": {ARGS}}}</tool_use>', [CLAIM], ""),
    (f'<function_call>{{"name": "room_task", "arguments": {ARGS}}}</function_call>', [CLAIM], ""),
    (f'[TOOL_CALLS] [{{"name": "room_task", "arguments": {ARGS}}}]', [CLAIM], ""),
    (
        f'[TOOL_CALLS][{{"name": "room_task", "arguments": {ARGS}}}, '
        '{"name": "room_send", "arguments": {"text": "hello"}}]',
        [CLAIM, SEND],
        "",
    ),
    (f"<|python_tag|>room_task.call({ARGS})", [CLAIM], ""),
    ('<|python_tag|>room_task(action="claim", id="T-01")<|eom_id|>', [CLAIM], ""),
    (f'<|python_tag|>{{"name": "room_task", "parameters": {ARGS}}}', [CLAIM], ""),
    (
        f"<|start|>assistant<|channel|>commentary to=functions.room_task <|constrain|>json<|message|>{ARGS}<|call|>",
        [CLAIM],
        "",
    ),
    (f"commentary to=functions.room_task <|message|>{ARGS}", [CLAIM], ""),
    (f"<function=room_task>{ARGS}</function>", [CLAIM], ""),
    (f"<function=room_task>\n{ARGS}\n</function>", [CLAIM], ""),
    (
        "<function=room_task>\n<parameter=action>\nclaim\n</parameter>\n<parameter=id>\nT-01\n</parameter>\n</function>",
        [CLAIM],
        "",
    ),
    (
        "<tool_call>\n<function=room_task>\n<parameter=action>claim</parameter>\n<parameter=id>T-01</parameter>\n</function>\n"
        "</tool_call>",
        [CLAIM],
        "",
    ),
    (f"Let us go.\n<function=room_task>{ARGS}</function>", [CLAIM], "Let us go."),
    (f'<tool_call>{{"name": "write_context", "arguments": {CODED}}}</tool_call>', [CODE], ""),
]
JSON_FORMS: list[Leak] = [
    (f'{{"name": "room_task", "arguments": {ARGS}}}', [CLAIM], ""),
    (f'{{"tool": "room_task", "arguments": {ARGS}}}', [CLAIM], ""),
    (f'{{"tool_name": "room_task", "parameters": {ARGS}}}', [CLAIM], ""),
    (f'{{"tool": "room_task", "args": {ARGS}}}', [CLAIM], ""),
    (f'{{"type": "tool_use", "id": "x", "name": "room_task", "input": {ARGS}}}', [CLAIM], ""),
    (
        '{"type": "function", "function": {"name": "room_task", '
        '"arguments": "{\\"action\\": \\"claim\\", \\"id\\": \\"T-01\\"}"}}',
        [CLAIM],
        "",
    ),
    (f'{{"function": "room_task", "arguments": {ARGS}}}', [CLAIM], ""),
    (
        '{"tool_calls": [{"id": "1", "type": "function", '
        f'"function": {{"name": "room_task", "arguments": {ARGS}}}}}]}}',
        [CLAIM],
        "",
    ),
    (f'{{"function_call": {{"name": "room_task", "arguments": {ARGS}}}}}', [CLAIM], ""),
    (f'{{"recipient_name": "functions.room_task", "parameters": {ARGS}}}', [CLAIM], ""),
    (f'{{"tool_uses": [{{"recipient_name": "functions.room_task", "parameters": {ARGS}}}]}}', [CLAIM], ""),
    (f'[{{"name": "room_task", "arguments": {ARGS}}}]', [CLAIM], ""),
    ('{\n  "name": "room_task",\n  "arguments": {\n    "action": "claim",\n    "id": "T-01"\n  }\n}', [CLAIM], ""),
    (f'```json\n{{"name": "room_task", "arguments": {ARGS}}}\n```', [CLAIM], ""),
    (f'```tool_call\n{{"name": "room_task", "arguments": {ARGS}}}\n```', [CLAIM], ""),
    (f'```\n{{"tool": "room_task", "arguments": {ARGS}}}\n```', [CLAIM], ""),
    (f'Claiming now.\n```json\n{{"name": "room_task", "arguments": {ARGS}}}\n```', [CLAIM], "Claiming now."),
    (
        f'I start with the first task:\n\n{{"name": "room_task", "arguments": {ARGS}}}\n\nMore soon.',
        [CLAIM],
        "I start with the first task:\n\nMore soon.",
    ),
    (f'{{"name": "mcp__stateroom__room_task", "arguments": {ARGS}}}', [CLAIM], ""),
    (f'{{"name": "write_context", "arguments": {NOTED}}}', [NOTE], ""),
    (f'{{"name": "write_context", "arguments": {CODED}}}', [CODE], ""),
    (
        f'{{"name": "room_task", "arguments": {ARGS}}}\n{{"name": "room_send", "arguments": {{"text": "hello"}}}}',
        [CLAIM, SEND],
        "",
    ),
]
CALL_FORMS: list[Leak] = [
    (f"room_task {ARGS}", [CLAIM], ""),
    (f"room_task\n{ARGS}", [CLAIM], ""),
    (f"room_task\n```json\n{ARGS}\n```", [CLAIM], ""),
    (f"`room_task`:\n```json\n{ARGS}\n```", [CLAIM], ""),
    (f"Tool: room_task\n```\n{ARGS}\n```", [CLAIM], ""),
    (f"room_task({ARGS})", [CLAIM], ""),
    ('room_task({action: "claim", id: "T-01"})', [CLAIM], ""),
    ('room_task(action="claim", id="T-01")', [CLAIM], ""),
    ("room_task(action='claim', id='T-01')", [CLAIM], ""),
    ('functions.room_task({"action": "claim", "id": "T-01"})', [CLAIM], ""),
    ('mcp__stateroom__room_task(action="claim", id="T-01")', [CLAIM], ""),
    ('await room_task({"action": "claim", "id": "T-01"});', [CLAIM], ""),
    ('print(default_api.room_task(action="claim", id="T-01"))', [CLAIM], ""),
    ('```tool_code\nprint(default_api.room_task(action="claim", id="T-01"))\n```', [CLAIM], ""),
    ('room_task(\n    action="claim",\n    id="T-01",\n)', [CLAIM], ""),
    ('On my way.\nroom_task(action="claim", id="T-01")', [CLAIM], "On my way."),
    ('room_send(text="hello")', [SEND], ""),
    ('room_task(action="claim", id="T-01")\nroom_send(text="hello")', [CLAIM, SEND], ""),
    (f"write_context {CODED}", [CODE], ""),
]
LEAKS: list[Leak] = [*TAG_FORMS, *TOKEN_FORMS, *JSON_FORMS, *CALL_FORMS]
