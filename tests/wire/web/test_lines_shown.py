"""Which lines of a transcript a page shows, and the way to all the others."""

import re

import pytest

from tests.wire.web.conftest import ids_of, line, text_of


def numbers(html):
    return [int(found) for found in re.findall(r"line (\d+)\.</div>", html)]


async def test_the_newest_200_lines_are_shown_and_links_lead_to_all_others(long):
    """Following `Older lines` and `Newer lines` shows each line once, and no line twice."""
    html = await long.page()
    assert numbers(html) == list(range(251, 451))
    assert "Lines 251 to 450 of 450" in text_of(html)
    seen = numbers(html)
    while older := re.search(r'href="([^"]*)#end">Older lines', html):
        html = await long.web.page(older[1])
        seen = numbers(html) + seen
    assert seen == list(range(1, 451))
    forth = numbers(html)
    while newer := re.search(r'href="([^"]*)#conversation">Newer lines', html):
        html = await long.web.page(newer[1])
        forth += [one for one in numbers(html) if one not in forth]
    assert forth == list(range(1, 451))


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [("before=451", 251, 450), ("before=201", 1, 200), ("before=2", 1, 1), ("before=99999", 251, 450)],
)
async def test_a_page_ends_before_a_line(long, query, first, last):
    """A line that is not there yet is as good as the end."""
    assert numbers(await long.page(f"?{query}")) == list(range(first, last + 1))


async def test_a_single_line_that_follows_is_not_forgotten(long):
    """The page before the very last line leads on to it."""
    newer = re.search(r'href="([^"]*)#conversation">Newer lines', await long.page("?before=450"))
    assert numbers(await long.web.page(newer[1])) == [450]


async def test_before_the_first_line_there_is_nothing(long):
    """And a way to what there is."""
    html = await long.page("?before=1")
    assert numbers(html) == []
    newer = re.search(r'href="([^"]*)#conversation">Newer lines', html)
    assert numbers(await long.web.page(newer[1])) == list(range(1, 201))


async def test_long_lines_come_fewer_at_a_time_and_none_is_lost(web):
    """A page is made at once, so it holds so much text at most; links still lead to every line, either way."""
    room = await web.create("Long")
    await room.join("ann", "human")
    for number in range(1, 31):
        await room.say("ann", f"{'x' * 30_000}line {number}.")
    html = await room.page()
    seen = numbers(html)
    assert seen == list(range(18, 31))
    assert "Lines 18 to 30 of 30" in text_of(html)
    while older := re.search(r'href="([^"]*)#end">Older lines', html):
        html = await web.page(older[1])
        seen = numbers(html) + seen
    forth = numbers(html)
    while newer := re.search(r'href="([^"]*)#conversation">Newer lines', html):
        html = await web.page(newer[1])
        forth += numbers(html)
    assert seen == list(range(1, 31))
    assert sorted(set(forth)) == seen
    middle = ids_of(await room.page("?before=6"))[-1]
    assert middle in ids_of(await room.page(f"?at={middle}"))


async def test_a_message_is_found_on_the_page_that_has_it(long):
    """By its id, with lines around it."""
    position = ids_of(await long.page("?before=31"))[-1]
    html = await long.page(f"?at={position}")
    assert position in ids_of(html)
    assert numbers(html) == list(range(1, 130))


async def test_an_answer_to_a_line_of_another_page_leads_there(long):
    """To the page and the place on it."""
    early = ids_of(await long.page("?before=2"))[0]
    answer = await long.say("ann", "As I said.", reply_to=early)
    assert f"?at={early}#line-{early}" in line(await long.page(), answer)


@pytest.mark.parametrize(
    "query", ["before=0", "before=-1", "before=x", "before=", "before=²", "at=0", "after=x", f"before={'9' * 40}"]
)
async def test_what_is_no_line_is_refused(busy, query):
    """With a sentence and a next step."""
    answer = await busy.web.get(f"/r/{busy.code}?{query}")
    assert answer.status_code == 400
    assert "Use a whole number from " in text_of(answer.text)
