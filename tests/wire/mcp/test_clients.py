"""Every client, era and transport gets the same answers to the same script."""

import sys
from contextlib import asynccontextmanager

import fastmcp
import httpx2
import msgspec
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from stateroom.settings import Settings
from tests.serving import environment, serving
from tests.wire.mcp.raw import LEGACY, MODERN, Raw
from tests.wire.mcp.script import masked, play


@asynccontextmanager
async def served(tmp_path):
    async with serving(Settings(store=f"sqlite:///{tmp_path / 'rooms.db'}")) as server:
        yield f"{server.url}/mcp"


def raw(version):
    async def answers(tmp_path):
        async with served(tmp_path) as url, httpx2.AsyncClient(timeout=20) as http:
            return await play(Raw(http, url, version).call)

    return answers


def structured(answer):
    return [answer.is_error, answer.structured_content]


def official(mode):
    async def answers(tmp_path):
        async with served(tmp_path) as url, Client(url, mode=mode) as client:
            return await play(lambda tool, arguments: called(client, tool, arguments))

    return answers


async def called(client, tool, arguments):
    return structured(await client.call_tool(tool, arguments))


def over_stdio(mode):
    async def answers(tmp_path):
        arguments = ["-m", "stateroom", "mcp", "--store", f"sqlite:///{tmp_path / 'rooms.db'}"]
        parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environment())
        async with Client(stdio_client(parameters), mode=mode) as client:
            return await play(lambda tool, arguments: called(client, tool, arguments))

    return answers


async def fast(tmp_path):
    async with served(tmp_path) as url, fastmcp.Client(url) as client:

        async def call(tool, arguments):
            answer = await client.call_tool(tool, arguments, raise_on_error=False)
            return [answer.is_error, answer.structured_content]

        return await play(call)


WAYS = {
    **{f"raw HTTP {version}": raw(version) for version in (MODERN, *LEGACY)},
    "official client, auto": official("auto"),
    "official client, legacy": official("legacy"),
    "official client on stdio, auto": over_stdio("auto"),
    "official client on stdio, legacy": over_stdio("legacy"),
    "fastmcp": fast,
}


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_in_gives_the_same_answers(way, tmp_path):
    """Equal results, modulo times: what an agent can do does not depend on how it came in."""
    assert await WAYS[way](tmp_path) == await WAYS["raw HTTP 2026-07-28"](tmp_path / "reference")


async def test_either_half_of_a_result_is_enough(tmp_path):
    """The text half is the value itself; the structured half says the same (trap 54)."""
    async with served(tmp_path) as url, httpx2.AsyncClient(timeout=20) as http:
        caller = Raw(http, url, MODERN)

        async def both(tool, arguments):
            result = (await caller.ask("tools/call", {"name": tool, "arguments": arguments}))["result"]
            text, structured = result["content"][0]["text"], result["structuredContent"]
            if result["isError"]:
                assert structured["error"]["message"] in text
            else:
                value = msgspec.json.decode(text)
                assert masked(value) == masked(structured["result"] if set(structured) == {"result"} else structured)
            return text

        await play(both)


async def test_resources_and_prompts_reach_every_client(tmp_path):
    """Extras, but working ones, in both eras."""
    async with served(tmp_path) as url:
        for mode in ("auto", "legacy"):
            async with Client(url, mode=mode) as client:
                await client.call_tool("add_task", {"roomId": "demo", "title": "t", "description": ""})
                uris = [str(one.uri) for one in (await client.list_resources()).resources]
                assert "stateroom://rooms/demo/plan" in uris
                plan = (await client.read_resource("stateroom://rooms/demo/plan")).contents[0].text
                assert msgspec.json.decode(plan)["tasks"]
                assert len((await client.list_resource_templates()).resource_templates) == 4
                prompt = await client.get_prompt("join_room", {"room": "demo", "agent": "ann"})
                assert "get_my_summary" in prompt.messages[0].content.text
