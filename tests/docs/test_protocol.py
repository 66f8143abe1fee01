"""The examples of docs/protocol.md, run in their order against one server."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import httpx2

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
BLOCK = re.compile(r"```(?P<kind>mcp|http|upload)\n(?P<call>.*?)\n```\n```json\n(?P<answer>.*?)\n```", re.DOTALL)
HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


@dataclass(frozen=True)
class Example:
    kind: str
    call: str
    answer: str


def examples() -> list[Example]:
    return [Example(found["kind"], found["call"], found["answer"]) for found in BLOCK.finditer(PAGE.read_text())]


def filled(text: str, known: dict) -> str:
    """The text with what earlier answers brought in place of `<name>`."""
    return re.sub(r"<(\w+)>", lambda name: str(known[name[1]]), text)


def check(wanted, found, known: dict, where: str = "answer") -> None:
    """Compare what the page shows with what came, and learn the values it names."""
    if wanted == "…":
        return
    if isinstance(wanted, str) and (name := re.fullmatch(r"<(\w+)>", wanted)):
        assert known.setdefault(name[1], found) == found, where
    elif isinstance(wanted, dict):
        for key in wanted.keys() - {"…"}:
            assert key in found, f"{where}.{key} is missing in {json.dumps(found)[:600]}"
            check(wanted[key], found[key], known, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), f"{where}: {json.dumps(found)[:600]}"
        for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
            check(one, other, known, f"{where}[{number}]")
    else:
        assert found == wanted, f"{where} is {found!r}"


async def answered(http: httpx2.AsyncClient, example: Example, known: dict):
    return await {"mcp": called, "http": asked, "upload": uploaded}[example.kind](http, filled(example.call, known))


async def called(http: httpx2.AsyncClient, call: str):
    """`tool {arguments}`, with ` fails` behind it where a refusal is shown."""
    fails = call.endswith(" fails")
    tool, _, arguments = call.removesuffix(" fails").partition(" ")
    params = {"name": tool, "arguments": json.loads(arguments)}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    text = (await http.post("/mcp", json=message, headers=HEADERS)).text
    if text.startswith(("event:", ":")):
        text = [line for line in text.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    result = json.loads(text)["result"]
    assert result["isError"] is fails, result
    return result["structuredContent"]


async def asked(http: httpx2.AsyncClient, call: str):
    """`METHOD path [status]` and a body."""
    head, _, body = call.partition("\n")
    method, path, status = [*head.split(), "200"][:3]
    answer = await http.request(
        method, path, content=body.encode() or None, headers={"content-type": "application/json"}
    )
    assert answer.status_code == int(status), answer.text
    return answer.json()


async def uploaded(http: httpx2.AsyncClient, call: str):
    """`POST path roomCode=… file=name:type:content`."""
    _, path, code, file = call.split(" ", 3)
    name, mime, content = file.removeprefix("file=").split(":", 2)
    answer = await http.post(
        path, data={"roomCode": code.removeprefix("roomCode=")}, files={"file": (name, content, mime)}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_no_example_is_left_out():
    """Every call on the page is one that runs: none has lost its answer, none is fenced as something else."""
    fences = re.findall(r"^```(\w+)$", PAGE.read_text(), re.MULTILINE)
    kinds = [example.kind for example in examples()]
    assert [fence for fence in fences if fence != "json"] == kinds
    assert {*kinds} == {"mcp", "http", "upload"}


async def test_every_example_answers_as_the_page_says(server):
    """Every call that people copy works, and every answer they read is what they get."""
    known: dict = {}
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as http:
        for example in examples():
            check(json.loads(example.answer), await answered(http, example, known), known, example.call)
