"""The words of attached files, and the process that reads them: whatever a file does to its reader, it is kept."""

import asyncio
import io
import os
import subprocess
import sys
import threading
import zipfile

import pytest

from stateroom.core.attachments import DOCX, SUFFIXES, XLS, XLSX
from stateroom.engine.extraction import Extracted, __main__, archives, check_content, extract, process
from stateroom.engine.extraction.reading import MAX_CHARS, MAX_PAGES, MAX_ROWS, MAX_SHEETS
from tests.engine import documents
from tests.engine.documents import HONEST, TEXTS, archive, packed, pdf, with_part, workbook, zeros
from tests.serving import environment, until

OPEN_XML = archive({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>", "xl/workbook.xml": b"<x/>"})


# --------------------------------------------------------------------------------------------------------- its words


@pytest.mark.parametrize("mime", [mime for mime in SUFFIXES if mime not in TEXTS])
async def test_some_files_have_no_words(mime):
    """Images and old workbooks; where one might expect words, it says why there are none."""
    expected = process.OLD_EXCEL if mime == XLS else Extracted()
    assert await extract(mime, HONEST[mime][1]) == expected


@pytest.mark.parametrize(("mime", "text"), TEXTS.items())
async def test_the_words_of_a_file_are_read(mime, text):
    """Of each type that has any."""
    assert await extract(mime, HONEST[mime][1]) == Extracted(text, "")


async def test_a_byte_order_mark_is_no_word():
    """It is dropped, everything else is kept as it is."""
    assert await extract("text/plain", b"\xef\xbb\xbf a\r\n\r\n\r\nb ") == Extracted(" a\r\n\r\n\r\nb ")


async def test_an_archive_is_listed_and_not_unpacked():
    """Paths and sizes, whatever the files are; no name makes a line of its own."""
    data = archive({"src/a.py": b"12", "empty/": b"", "../b\n\u202ec": b"", "d": bytes(10**6)})
    assert await extract("application/zip", data) == Extracted("src/a.py\t2\nfile/bc\t0\nd\t1000000")
    assert await extract("application/zip", packed("locked", b"....", 4, flags=1)) == Extracted("locked\t4")


@pytest.mark.parametrize("letter", ["x", "ä", "\U0001f600"])
async def test_long_text_is_cut(letter):
    """At 200,000 characters, not bytes; and it says so. What just fits is not cut."""
    assert await extract("text/plain", (letter * MAX_CHARS).encode()) == Extracted(letter * MAX_CHARS)
    cut = Extracted(letter * MAX_CHARS, "only the first 200,000 characters were kept")
    assert await extract("text/plain", (letter * (MAX_CHARS + 1)).encode()) == cut
    assert await extract("text/html", (letter * (3 * MAX_CHARS)).encode()) == cut


async def test_pages_beyond_the_two_hundredth_are_not_read():
    """And it says so."""
    found = await extract("application/pdf", pdf(*[f"page {number}" for number in range(1, MAX_PAGES + 2)]))
    assert found.problem == "only the first 200 of 201 pages were read"
    assert found.text.splitlines()[-1] == "page 200"


async def test_rows_and_sheets_are_bounded():
    """5,000 rows of each of 20 sheets."""
    found = await extract(XLSX, workbook(*[[number] for number in range(1, MAX_ROWS + 2)]))
    assert (found.text.splitlines()[-1], found.problem) == ("5000", "only the first 5,000 rows of a sheet were read")
    found = await extract(XLSX, workbook([1], sheets=MAX_SHEETS + 1))
    assert found.text.splitlines()[-1] == "# more 19"
    assert found.problem == "only the first 20 of 21 sheets were read"


@pytest.mark.parametrize("said", ["A1:A1", "A1:XFD1048576"])
async def test_what_a_sheet_says_about_its_size_need_not_be_true(said):
    """Cells are read where they are, within 256 columns."""
    sheet = (
        f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="{said}"/>'
        '<sheetData><row r="2"><c r="B2"><v>22</v></c><c r="IV2"><v>256</v></c><c r="IW2"><v>257</v></c></row>'
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    )
    found = await extract(XLSX, with_part(HONEST[XLSX][1], "xl/worksheets/sheet1.xml", sheet.encode()))
    assert found == Extracted("# Sheet\n\t22" + "\t" * 254 + "256", "only the first 5,000 rows of a sheet were read")


@pytest.mark.parametrize(
    ("mime", "data"),
    [
        ("application/pdf", documents.encrypted_pdf("pass")),
        (DOCX, documents.ENCRYPTED_OFFICE),
        (XLSX, documents.ENCRYPTED_OFFICE),
        (DOCX, packed("word/document.xml", b"....", 4, flags=1)),
    ],
)
async def test_what_is_encrypted_is_kept_unread(mime, data):
    """It says so in one word."""
    assert await extract(mime, data) == Extracted("", "encrypted")


async def test_a_pdf_that_asks_for_no_password_is_read():
    """Many are encrypted only to forbid printing."""
    assert await extract("application/pdf", documents.encrypted_pdf("")) == Extracted("the secret")


async def test_a_pdf_of_pictures_says_that_it_has_no_words():
    """Nobody should take silence for an empty document."""
    assert await extract("application/pdf", pdf("")) == Extracted("", "no text in it: the pages may be pictures")


@pytest.mark.parametrize(
    ("mime", "data", "problem"),
    [
        ("application/pdf", b"%PDF-1.4 and no more", "damaged"),
        (DOCX, HONEST[DOCX][1][:-40], "damaged"),
        (DOCX, OPEN_XML, "damaged, or too large to be read"),
        (XLSX, OPEN_XML, "damaged, or too large to be read"),
        (DOCX, with_part(HONEST[DOCX][1], "word/document.xml", b"<w"), "damaged, or too large to be read"),
        ("image/svg+xml", b"<svg><text>a</text><text>b</svg>", "damaged: read up to the first fault"),
    ],
)
async def test_what_is_damaged_is_kept_with_a_problem(mime, data, problem):
    """To read it never fails, whatever a library makes of it."""
    assert (await extract(mime, data)).problem == problem


async def test_a_part_that_unpacks_to_too_much_is_not_opened():
    """Also when it is packed as any text would be, so that it is no bomb."""
    data = packed("word/document.xml", os.urandom(400_000), archives.MAX_UNPACKED + 1)
    check_content("a", "application/zip", data)
    assert await extract(DOCX, data) == Extracted("", "unpacks to more than 50 MB")


async def test_a_bomb_that_lies_about_its_size_does_no_harm():
    """Never more of a part is unpacked than it declares."""
    assert (await extract(DOCX, packed("word/document.xml", zeros(1024), 100))).problem
    with zipfile.ZipFile(io.BytesIO(packed("a", zeros(64), 100))) as lying, pytest.raises(zipfile.BadZipFile):
        lying.read("a")


def test_words_are_storable_text():
    """No NULs, no lone surrogates, no runs of empty lines: whatever a library brings back."""
    assert process.trimmed("a\0 \ud800\n\n\n\n b  \n") == Extracted("a ?\n\n b")


# ------------------------------------------------------------------------------------------------- a process of its own


async def test_a_reader_that_takes_too_long_is_killed(monkeypatch):
    """The file is kept, and its problem says why it was not read."""
    monkeypatch.setattr(process, "DEADLINE_S", 0.001)
    assert (await extract("text/html", documents.HTML)) == process.TOO_SLOW


async def test_two_files_are_read_at_once_and_no_more(monkeypatch):
    """A crowd of uploads leaves processors to the rooms."""
    running, peak, go = [], [], threading.Event()

    def read(mime, data):
        running.append(data)
        peak.append(len(running))
        go.wait(20)
        running.remove(data)
        return Extracted(data.decode())

    monkeypatch.setattr(process, "_read_apart", read)
    reading = [asyncio.create_task(extract("text/html", str(number).encode())) for number in range(6)]
    await until(lambda: len(running) == 2)
    go.set()
    assert [found.text for found in await asyncio.gather(*reading)] == list("012345")
    assert max(peak) == 2


async def test_who_waits_too_long_for_a_reader_goes_without(monkeypatch):
    """The upload does not hang."""
    go = threading.Event()
    monkeypatch.setattr(process, "_read_apart", lambda mime, data: Extracted(str(go.wait(20))))
    monkeypatch.setattr(process, "PATIENCE_S", 0.001)
    assert await extract("text/html", b"a") == process.BUSY
    go.set()


async def test_a_reader_knows_no_secrets(monkeypatch):
    """What a file may make it do, it does without our keys; and a file of the working directory is no library."""
    asked = {}

    def run(command, **how):
        asked.update(how, command=command)
        raise OSError

    monkeypatch.setenv("STATEROOM_API_KEYS", "red:secret")
    monkeypatch.setattr(process.subprocess, "run", run)
    assert await extract("text/html", b"a") == process.BROKEN
    assert "PATH" in asked["env"]
    assert "red:secret" not in asked["env"].values()
    assert "-P" in asked["command"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound less")
@pytest.mark.parametrize(
    ("deed", "error"),
    [("bytearray(2 * 1024**3)", "MemoryError"), ("open(path, 'wb', 0).write(b'x')", "OSError")],
)
def test_a_reader_is_confined(deed, error, tmp_path):
    """It can neither take much memory nor write a file."""
    code = (
        f"from stateroom.engine.extraction.__main__ import confine; confine(); path = {str(tmp_path / 'x')!r}; {deed}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=False)
    assert done.returncode
    assert error in done.stderr.decode()


@pytest.mark.parametrize(
    ("mime", "library", "module"),
    [("application/pdf", "pypdf", "pdf"), (DOCX, "docx", "word"), (XLSX, "openpyxl", "workbook")],
)
def test_without_its_library_a_file_is_kept_unread(monkeypatch, mime, library, module):
    """And it says what to install."""
    monkeypatch.delitem(sys.modules, f"stateroom.engine.extraction.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    assert __main__.main(mime, HONEST[mime][1]) == __main__.MISSING
