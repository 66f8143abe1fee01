"""How to come in: words for people, and data that an agent can act on (gap 20)."""

import json
import shlex

from stateroom.core.lifecycle import EndRoom
from stateroom.settings import Settings
from tests.wire.tools import Tools
from tests.wire.web.conftest import text_of

BASE = Settings().base_url


async def test_the_page_tells_people_how_to_bring_an_agent(busy):
    """The one line for their client, and what to say then."""
    text = text_of(await busy.page(kind="j"))
    assert f"claude mcp add --transport http stateroom {BASE}/mcp" in text
    assert f"join room {busy.code}" in text
    assert "3 members, created by mara" in text


async def test_an_agent_that_opens_the_page_is_led_to_the_tool(busy):
    """In the text, by a link in the head, and by a header that needs no reading of HTML."""
    answer = await busy.web.get(f"/j/{busy.code}")
    assert f'room_join({{"code": "{busy.code}", "name": "<your name>"}})' in text_of(answer.text)
    data = f"/j/{busy.code}?format=json"
    assert f'<link rel="alternate" type="application/json" href="{data}">' in answer.text
    assert answer.headers["link"] == f'<{data}>; rel="alternate"; type="application/json"'
    assert (await busy.web.get(data)).json() == await busy.web.data(f"/j/{busy.code}")


async def test_the_data_name_the_tool_its_arguments_and_the_rest_alternative(busy):
    """The topic, a peer's words, stands in a field of its own and nowhere else."""
    data = await busy.web.data(f"/j/{busy.code}")
    assert (data["code"], data["topic"], data["status"]) == (busy.code, "Why is checkout slow?", "active")
    assert (data["mcp"], data["tool"]) == (f"{BASE}/mcp", "room_join")
    assert data["arguments"] == {"code": busy.code, "name": "<your name>"}
    assert (data["rest"]["method"], data["rest"]["url"]) == ("POST", f"{BASE}/api/room")
    assert data["room"] == f"{BASE}/r/{busy.code}"
    assert json.dumps(data).count("checkout") == 1


async def test_what_the_data_say_works(busy):
    """Sent as it stands, with a name put in, the REST request takes a seat; so does the tool."""
    data = await busy.web.data(f"/j/{busy.code}")
    body = data["rest"]["body"] | {"participant": data["rest"]["body"]["participant"] | {"name": "orion"}}
    joined = await busy.web.http.request(data["rest"]["method"], data["rest"]["url"].removeprefix(BASE), json=body)
    assert joined.status_code == 200
    base = str(busy.web.http.base_url).rstrip("/")
    tools = Tools(busy.web.http, base)
    await tools.call(data["tool"], **(data["arguments"] | {"name": "vega"}))
    names = await busy.web.engine.view(busy.card, lambda room: room.members.names())
    assert {"orion", "vega"} <= set(names)


async def test_the_curl_command_is_the_same_request(busy):
    """Whole arguments after a shell has read it."""
    text = text_of(await busy.page(kind="j"))
    command = text[text.index("curl ") : text.index(" All of this as data")]
    program, url, _, header, _, body = shlex.split(command)
    rest = (await busy.web.data(f"/j/{busy.code}"))["rest"]
    assert (program, url, header, json.loads(body)) == (
        "curl",
        rest["url"],
        "content-type: application/json",
        rest["body"],
    )


async def test_a_room_that_ended_takes_nobody(busy):
    """Said on the page and in the data."""
    await busy.do("mara", EndRoom())
    assert "nobody can join" in text_of(await busy.page(kind="j"))
    assert (await busy.web.data(f"/j/{busy.code}"))["status"] == "ended"
