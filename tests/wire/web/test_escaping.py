"""Whatever members write, a page shows it and obeys none of it."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from stateroom.core.context import WriteContext
from stateroom.core.holding import ClaimTask
from stateroom.core.messages import PostMessage
from stateroom.core.proving import SubmitTask, VerifyTask
from stateroom.core.tasks import OpenTask
from stateroom.engine import attachments, reports
from stateroom.faces.web.site import Site
from tests.wire.web.conftest import DECISION, line

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</textarea></title></style></div><svg onload=alert(1)>",
    "{{7919*7907}} {% for x in y %} {{ page.frame }} {# no #}",
    "javascript:alert(1)",
    "<!-- --> <![CDATA[ ]]> &lt;script&gt; &#60;",
    "[a](javascript:alert(1)) <a href=javascript:alert(1)>x</a> ![x](http://evil.example/x.png)",
]
ALLOWED = {
    *("html", "head", "meta", "title", "link", "body", "a", "header", "nav", "main", "section", "aside", "div", "p"),
    *("h1", "h2", "h3", "ul", "ol", "li", "dl", "dt", "dd", "pre", "code", "span", "strong", "bdi", "q", "time"),
    *("table", "thead", "tbody", "tr", "th", "td", "details", "summary", "svg", "rect", "text"),
}


class Reader(HTMLParser):
    """What a browser would make of a page: its tags, attributes and text."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = set(), [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def read(html):
    reader = Reader()
    reader.feed(html)
    return reader


async def full_of(web, text):
    """A room that says this text wherever a member can say something."""
    room = await web.create(text, "mara")
    await room.join("mara", "human", role=text[:100], color=text[:30], initials=text[:2])
    name = text[:60].strip().replace("\u202e", "")
    await room.join(name, role=text[:100], initials="<i")
    first = await room.say(name, f"{text}\n[DECISION] {text}\n[TODO] {text}")
    file = await attachments.upload(
        web.engine, web.caller, room.card, name=f"{text}.txt", mime="text/plain", data=b"x", by=name
    )
    await room.say("mara", text, reply_to=first, attachments=(file.id,))
    await room.say("mara", text, kind="status")
    await room.do("mara", PostMessage(text[:100], text[:100], {text: text}))
    await room.do("mara", OpenTask(text, owner=name, verifier="mara", dod=text))
    await room.do("mara", OpenTask("b", depends_on=(text[:100],)))
    await room.do(name, ClaimTask("T-01"))
    await room.do(name, SubmitTask("T-01", text, text, text, 1, note=text))
    await room.do("mara", VerifyTask("T-01", "rejected", text))
    await room.do(name, WriteContext("arch_decision", text, DECISION, (text[:100],)))
    return room


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_hostile_text_stays_text_on_every_page(web, text):
    """Topic, name, role, look, message, quote, file, task, verdict, context: no tag and no attribute of theirs."""
    room = await full_of(web, text)
    id, _ = await reports.export(web.engine, web.caller, room.card, "")
    for path in (f"/r/{room.code}", f"/j/{room.code}", f"/r/{room.code}/report", f"/reports/{id}"):
        html = await web.page(path)
        found = read(html)
        assert found.tags <= ALLOWED
        assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("style", "srcdoc", "src")]
        assert all(value.startswith(("/", "#", "http://127.0.0.1:7373/")) for name, value in hrefs(found))
        assert text in " ".join(found.text.split()) or text in unescape(html)
        assert str(7919 * 7907) not in html


def hrefs(found):
    return [pair for pair in found.attributes if pair[0] == "href"]


async def test_nothing_is_made_a_link_or_formatted(web):
    """Markdown and addresses stay as they were written."""
    room = await web.create()
    await room.join("nova")
    text = "**bold** https://example.org/x `code` # no heading"
    position = await room.say("nova", text)
    html = line(await room.page(), position)
    assert f'<div class="text" dir="auto">{text}</div>' in html


async def test_line_breaks_and_blanks_are_kept(web):
    """The style sheet shows them; the page does not touch them."""
    room = await web.create()
    await room.join("nova")
    position = await room.say("nova", "a\n\n    b\tc")
    assert ">a\n\n    b\tc</div>" in line(await room.page(), position)


@pytest.mark.parametrize("code", [0x202E, 0x202A, 0x2066, 0x2069, 0x200F, 0x061C, 0x1B, 0x07, 0x7F, 0x85])
async def test_what_turns_or_hides_text_is_made_plain(web, code):
    """Direction marks and controls are named instead of obeyed, in texts and in the window's title."""
    room = await web.create(f"report{chr(code)}gnp.exe")
    await room.join("nova")
    await room.say("nova", f"a{chr(code)}b")
    html = await room.page()
    assert chr(code) not in html
    assert f"a[U+{code:04X}]b" in html
    assert f"<title>report[U+{code:04X}]gnp.exe" in html


async def test_names_are_isolated_from_what_stands_beside_them(web):
    """A name that is read from right to left does not pull its neighbours along."""
    room = await web.create("שלום")
    await room.join("רונית", role="מנהלת")
    await room.say("רונית", "שלום")
    html = await room.page()
    assert html.count("רונית") == html.count('<bdi class="name">רונית</bdi>') == 2
    assert '<h1 dir="auto">שלום</h1>' in html


@pytest.mark.parametrize("color", ["red", "#fff", "url(http://evil.example/x)", '#12345"', "#12345g", ""])
async def test_a_color_is_a_color_or_grey(web, color):
    """It stands in an attribute, where `url(…)` would be fetched."""
    room = await web.create()
    await room.join("nova", color=color)
    fills = re.findall(r'<rect [^>]*fill="([^"]*)"', await room.page())
    assert fills
    assert all(re.fullmatch("#[0-9A-Fa-f]{6}", fill) for fill in fills)


async def test_as_data_texts_are_what_was_said(web):
    """JSON is no page: there nothing is escaped for HTML, and a browser is told not to guess."""
    room = await full_of(web, HOSTILE[0])
    answer = await web.get(f"/r/{room.code}?format=json")
    assert answer.json()["room"]["topic"] == HOSTILE[0]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_template_escapes():
    """Also one whose name does not say that it is HTML."""
    site = Site("")
    environment = next(iter(site._templates.values())).environment
    assert environment.autoescape is True
    assert environment.from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"
