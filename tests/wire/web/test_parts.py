"""Parts of pages, without a server: colours that can be read, sizes and durations for people, which lines are shown."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.faces.web import contexts, parts
from stateroom.faces.web.avatars import avatar, ink, luminance
from stateroom.faces.web.lines import size
from stateroom.faces.web.reports import duration
from stateroom.faces.web.windows import PAGE_CHARS, Window

SHEET = (Path(contexts.__file__).parent / "static" / "stateroom.css").read_text()


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@given(st.integers(0, 0xFFFFFF))
def test_initials_can_be_read_on_any_color(number):
    """At least 4.5 to 1 (WCAG AA)."""
    color = f"#{number:06x}"
    assert contrast(color, ink(color)) >= 4.5


def test_an_avatar_has_two_characters_at_most():
    """It is as wide as two."""
    assert avatar("ABCDEF", "#000000").initials == "AB"


PAIRS = [
    *(("ink", ground) for ground in ("paper", "card", "notice")),
    *(("soft", ground) for ground in ("paper", "card", "notice")),
    *(("link", "paper"), ("link", "card"), ("paper", "link"), ("alarm", "card"), ("notice-ink", "notice")),
    *((f"{kind}-ink", kind) for kind in ("decision", "todo", "status", "result")),
]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_the_style_sheet_keeps_its_promise_of_contrast(scheme, text, ground):
    """4.5 to 1 for every text on every ground it stands on, in both schemes."""
    roots = re.findall(r":root \{(.*?)\}", SHEET, re.DOTALL)
    colors = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", roots[scheme]))
    assert contrast(colors[text], colors[ground]) >= 4.5


@given(st.integers(0, 2000), st.none() | st.integers(1, 3000))
def test_a_window_lies_in_the_transcript_and_holds_200_lines_at_most(total, before):
    """Whatever line is asked for."""
    window = Window.ending(total, before)
    assert 0 <= window.count <= 200
    assert 0 <= window.after <= window.after + window.count <= total


@given(st.integers(1, 2000), st.data())
def test_a_window_around_a_line_holds_it(total, data):
    """With up to a hundred lines on either side of it."""
    line = data.draw(st.integers(1, total))
    window = Window.around(total, line)
    assert window.after < line <= window.after + window.count


@given(st.integers(1, 400), st.data())
def test_trimming_keeps_what_was_asked_for_and_goes_no_further_than_it_must(total, data):
    """Unless one line alone is more than a page."""
    keep = data.draw(st.integers(1, total))
    window = data.draw(
        st.sampled_from([Window.around(total, keep), Window.ending(total, keep + 1), Window.starting(total, keep - 1)])
    )
    chars = data.draw(st.lists(st.integers(0, 2 * PAGE_CHARS), min_size=window.count, max_size=window.count))
    trimmed = window.trimmed(chars)
    kept = chars[trimmed.after - window.after :][: trimmed.count]
    assert trimmed.after < keep < trimmed.before
    assert sum(kept) <= PAGE_CHARS or trimmed.count == 1
    assert (trimmed == window) is (sum(chars) <= PAGE_CHARS or window.count == 1)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 KB"), (12_345, "12 KB"), (10_485_760, "10.5 MB")]
)
def test_sizes_are_for_people(count, text):
    """In units of a thousand."""
    assert size(count) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "less than a minute"), (59_999, "less than a minute"), (60_000, "1 min"), (3_900_000, "1 h 05 min"),
     (90_000_000, "1 d 1 h")],
)  # fmt: skip
def test_durations_are_for_people(ms, text):
    """In the two largest units."""
    assert duration(ms) == text


@pytest.mark.parametrize("module", [contexts, parts])
def test_every_field_that_a_template_sees_is_explained(module):
    """By a sentence below it."""
    source = Path(module.__file__).read_text()
    for kind in vars(module).values():
        if isinstance(kind, type) and kind.__module__ == module.__name__:
            body = re.search(rf"class {kind.__name__}:\n(.*?)(?=\n\n\n|\Z)", source, re.DOTALL)[1]
            for part in fields(kind):
                assert re.search(rf'^    {part.name}: [^\n]+\n    """.+"""', body, re.MULTILINE), (kind, part.name)
