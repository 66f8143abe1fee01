"""What goes with every answer, what is kept and what is not, and answers that bring no page."""

import re

import httpx2
import pytest
import pytest_asyncio
from starlette.applications import Starlette

from stateroom.app import StateroomApp
from stateroom.engine import reports
from stateroom.engine.clock import system_clock
from stateroom.engine.engine import Engine
from stateroom.faces.web.pages import routes
from stateroom.settings import Settings
from stateroom.stores.memory import MemoryStore
from tests.serving import serving
from tests.wire.rest.outage import SENTENCE, Outage
from tests.wire.web.conftest import Web, text_of

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
MISSING = ["/r/AAA-AAA-AAA", "/j/AAA-AAA-AAA", "/r/AAA-AAA-AAA/report", "/reports/nope", "/static/nope.css", "/r/%ff"]


def sealed(answer):
    """Whether a page can do nothing, is kept nowhere and tells nobody where it was read."""
    headers = answer.headers
    return (
        headers["content-security-policy"] == POLICY
        and headers["x-content-type-options"] == "nosniff"
        and headers["referrer-policy"] == "no-referrer"
        and headers["cache-control"] == "private, no-store"
        and headers["x-robots-tag"] == "noindex, nofollow"
    )


async def test_every_page_is_sealed_in_every_form(busy):
    """HTML, JSON, Markdown, redirects and errors."""
    id, _ = await reports.export(busy.web.engine, busy.web.caller, busy.card, "")
    pages = [f"/r/{busy.code}", f"/j/{busy.code}", f"/r/{busy.code}/report", f"/reports/{id}"]
    forms = [page + form for page in pages for form in ("", "?format=json")]
    forms += [f"/reports/{id}?format={form}" for form in ("minutes", "adr", "pr", "nope")]
    for path in (*forms, f"/r/{busy.code.lower()}", f"/r/{busy.code}?before=x", *MISSING, "/r/x?format=json"):
        assert sealed(await busy.web.get(path)), path


async def test_pages_hold_no_script_and_no_style_of_their_own(busy):
    """Nor anything from elsewhere: the policy would not let it, and nobody should miss it."""
    for html in (await busy.page(), await busy.page(kind="j"), await busy.page("/report")):
        assert not re.search(r"<script|<style|<iframe|<form|<img|style=|http-equiv", html)
        assert re.findall(r'<link rel="(?:stylesheet|icon)" href="(/static/[a-z.]+\?v=[0-9a-f]{16})"', html)


async def test_pages_can_be_walked_without_eyes(busy):
    """A language, one heading of the first order, landmarks, a link past the header, names for what has no text."""
    for html in (await busy.page(), await busy.page(kind="j"), await busy.page("/report")):
        assert '<html lang="en">' in html
        assert (html.count("<h1"), html.count("<main")) == (1, 1)
        assert '<a class="skip" href="#main">' in html
        assert 'id="main"' in html
        ids = re.findall(r' id="([^"]*)"', html)
        assert len(ids) == len(set(ids))
        targets = {target for found in re.findall(r'aria-labelledby="([^"]*)"', html) for target in found.split()}
        assert targets <= set(ids)


@pytest.mark.parametrize("path", MISSING)
async def test_what_is_not_there_is_a_404_with_the_same_look(web, path):
    """A page for people, a problem for programs; neither repeats what was asked for."""
    answer = await web.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is" in text_of(answer.text)
    assert "stateroom.css" in answer.text
    problem = (await web.data(path, status=404))["error"]
    assert problem["code"] in ("unknown_room", "unknown_report", "not_found")


async def test_the_style_sheet_is_kept_for_ever_under_its_own_version(busy):
    """And asked for again under any other."""
    [href] = re.findall(r'rel="stylesheet" href="([^"]*)"', await busy.page())
    answer = await busy.web.get(href)
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    for other in ("/static/stateroom.css", "/static/stateroom.css?v=0"):
        assert (await busy.web.get(other)).headers["cache-control"] == "no-cache"
    assert (await busy.web.get("/static/icon.svg")).headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("name", ["..%2fpages.py", "%2e%2e", "pages.py", "", "..%5csite.py", "stateroom.css%00"])
async def test_nothing_but_its_own_files_is_served(web, name):
    """A name is looked up, never opened."""
    assert (await web.get(f"/static/{name}")).status_code == 404


async def test_a_page_is_asked_for_by_get_or_head(busy):
    """HEAD brings the headers alone; anything else is refused."""
    head = await busy.web.http.head(f"/r/{busy.code}")
    assert (head.status_code, head.content) == (200, b"")
    assert sealed(head)
    for method in ("POST", "PUT", "DELETE"):
        assert (await busy.web.http.request(method, f"/r/{busy.code}")).status_code == 405


# ------------------------------------------------------------------------------------------------- codes and keys


@pytest.mark.parametrize("kind", ["/r/{}", "/j/{}", "/r/{}/report"])
@pytest.mark.parametrize("dash", ["-", "", "%20", "--"])
async def test_other_spellings_of_a_code_lead_to_the_one_address(busy, kind, dash):
    """308, with the query; so a page has one address to share."""
    answer = await busy.web.get(kind.format(busy.code.lower().replace("-", dash)) + "?before=3&at=2")
    assert answer.status_code == 308
    assert answer.headers["location"] == kind.format(busy.code) + "?before=3&at=2"


async def test_on_an_open_server_a_room_is_also_found_by_its_id(web):
    """It is one's own: the page's address still is the code."""
    card = await web.engine.enter(web.caller, "my-project")
    answer = await web.get("/r/my-project")
    assert (answer.status_code, answer.headers["location"]) == (308, f"/r/{card.code}")


async def test_on_a_keyed_server_the_code_is_enough_and_the_id_is_not(keyed):
    """The code is what a guest has; an id says nothing without the key of its team."""
    card = await keyed.engine.enter(keyed.caller, "my-project")
    for path in (f"/r/{card.code}", f"/j/{card.code}", f"/r/{card.code}/report"):
        assert (await keyed.get(path)).status_code == 200
    assert (await keyed.get("/r/my-project")).status_code == 404
    assert (await keyed.get("/r/my-project", authorization="Bearer red-secret")).status_code == 308
    assert (await keyed.get("/r/my-project", authorization="Bearer blue-secret")).status_code == 404


async def test_a_key_that_nobody_issued_is_told_so(keyed):
    """Leaving it out helps."""
    room = await keyed.create()
    answer = await keyed.get(f"/r/{room.code}", authorization="Bearer nonsense")
    assert answer.status_code == 401
    assert "Leave it out" in text_of(answer.text)
    assert sealed(answer)


async def test_a_server_below_a_path_links_below_it(busy):
    """Addresses on pages are relative to the root, with the public address's own path."""
    from_root = [route.path for route in routes(busy.web.engine, "https://example.org/rooms/")]
    assert from_root == ["/r/{code}", "/j/{code}", "/r/{code}/report", "/reports/{id}", "/static/{name}"]
    async with below(busy.web.engine, "https://example.org/rooms/") as http:
        html = (await http.get(f"/r/{busy.code}")).text
        assert 'href="/rooms/static/stateroom.css?v=' in html
        assert f'href="/rooms/r/{busy.code}/report"' in html
        assert (await http.get(f"/r/{busy.code.lower()}")).headers["location"] == f"/rooms/r/{busy.code}"
        assert "https://example.org/rooms/mcp" in (await http.get(f"/j/{busy.code}")).text


def below(engine, base_url):
    app = Starlette(routes=routes(engine, base_url))
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://proxy")


# ------------------------------------------------------------------------------------------------------ an outage


@pytest.fixture
def store():
    return Outage(MemoryStore(system_clock))


@pytest_asyncio.fixture
async def fragile(store):
    """A server on that store."""
    engine = Engine(store, system_clock)
    async with (
        serving(Settings(), StateroomApp(engine, Settings())) as served,
        httpx2.AsyncClient(base_url=served.url, timeout=20, trust_env=False) as http,
    ):
        yield Web(served, http)


async def test_a_store_that_fails_is_said_on_a_page(fragile, store):
    """503 with when to come back, for people and for programs; what can not be looked up is not said to be missing."""
    room = await fragile.create()
    await room.join("nova")
    store.down = True
    for path in (f"/r/{room.code}", "/r/AAA-AAA-AAA", "/reports/nope"):
        answer = await fragile.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert SENTENCE in text_of(answer.text)
        assert sealed(answer)
        assert (await fragile.data(path, status=503))["error"]["code"] == "store_unavailable"
