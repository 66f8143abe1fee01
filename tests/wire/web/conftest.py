"""A browser of the pages, and a room with something of everything."""

import re
from html import unescape

import httpx2
import pytest_asyncio

from stateroom.core.context import WriteContext
from stateroom.core.holding import ClaimTask
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.speech import Say
from stateroom.core.tasks import OpenTask
from stateroom.engine import conversation
from stateroom.engine.access import Caller
from stateroom.engine.conversation import Keys, Newcomer

DECISION = {"title": "Retries", "decision": "d", "rationale": "r", "alternatives": [], "consequences": ["c"]}


class Web:
    """One server, one caller who fills its rooms, and a client that looks at the pages."""

    def __init__(self, served, http, caller=None):
        self.engine, self.http = served.engine, http
        self.caller = caller or served.engine.access.admit("")

    async def create(self, topic="Topic", host="mara"):
        made = await conversation.create(self.engine, self.caller, topic, host)
        return Corner(self, made.card, made.host_key)

    async def get(self, path, **headers):
        return await self.http.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    async def page(self, path):
        """The HTML of a page that is there."""
        answer = await self.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8"), answer.text
        return answer.text

    async def data(self, path, status=200):
        answer = await self.get(path, accept="application/json")
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
        return answer.json()


class Corner:
    """One room of it."""

    def __init__(self, web, card, host_key):
        self.web, self.card, self.code, self.keys, self.host_key = web, card, card.code, {}, host_key

    async def join(self, name, kind="agent", role="", color="", initials=""):
        who = Newcomer(name, kind, role, color, initials)
        joined = await conversation.join(self.web.engine, self.web.caller, self.card, who, Keys(host=self.host_key))
        self.keys[name] = joined.seat_key

    async def say(self, name, text, **more):
        """The position of the line."""
        said = await conversation.say(
            self.web.engine, self.web.caller, self.card, name, Say(text, **more), Keys(seat=self.keys[name])
        )
        return said.line.position

    async def do(self, name, wish):
        caller = self.web.caller
        proof = caller.proof(self.host_key, self.keys.get(name, ""))
        return await self.web.engine.execute(caller, self.card, wish, name, proof=proof)

    async def page(self, rest="", kind="r"):
        return await self.web.page(f"/{kind}/{self.code}{rest}")


@pytest_asyncio.fixture
async def web(server):
    async with httpx2.AsyncClient(base_url=server.url, timeout=20, trust_env=False) as http:
        yield Web(server, http)


@pytest_asyncio.fixture
async def keyed(keyed_server):
    """On a keyed server, filled by the red team; the client brings no key."""
    caller = keyed_server.engine.access.admit("Bearer red-secret")
    assert isinstance(caller, Caller)
    async with httpx2.AsyncClient(base_url=keyed_server.url, timeout=20, trust_env=False) as http:
        yield Web(keyed_server, http, caller)


@pytest_asyncio.fixture
async def busy(web):
    """mara (a person) and nova have talked, marked, worked and written."""
    room = await web.create("Why is checkout slow?")
    await room.join("mara", "human", "Lead")
    await room.join("nova", role="Builder")
    await room.join("atlas", role="Reviewer")
    first = await room.say("mara", "What changed on Thursday?")
    await room.say("nova", "Reading the deploys.", kind="status")
    await room.say("nova", "[RESULT] retries went from 1 to 4\n[DECISION] roll back", reply_to=first)
    await room.do("mara", OpenTask("Roll back", verifier="atlas", owner="nova", dod="A green run"))
    await room.do("mara", OpenTask("Load test", depends_on=("T-01",)))
    await room.do("nova", ClaimTask("T-01"))
    await room.do("nova", SubmitTask("T-01", "client.py", "retry.max = 1", "1 failed", 1))
    await room.do("atlas", VerifyTask("T-01", "rejected", "the run failed"))
    await room.do("nova", SubmitTask("T-01", "client.py", "retry.max = 1", "42 passed", 0))
    await room.do("nova", WriteContext("arch_decision", "Retries live in the gateway", DECISION, ("atlas",)))
    return room


@pytest_asyncio.fixture
async def long(web):
    """450 lines by ann; line n says `line n.`."""
    room = await web.create("Long")
    await room.join("ann", "human")
    for number in range(1, 451):
        await room.say("ann", f"line {number}.")
    return room


def text_of(html):
    """What a reader sees of a page, on one line."""
    body = re.sub(r"<svg.*?</svg>", "", html[html.index("<body") :])
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def ids_of(html):
    """The lines of the transcript that a page shows, by their anchors."""
    return [int(found) for found in re.findall(r'<li id="line-(\d+)"', html)]


def line(html, position):
    """The HTML of one line."""
    start = html.index(f'<li id="line-{position}"')
    return html[start : html.find("</li>\n  <li" if "</li>\n  <li" in html[start:] else "</ol>", start)]
