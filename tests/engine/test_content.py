"""What attached files really are: no lie about a type passes, and nothing that is meant to do harm."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateroom.core.attachments import DOCX, SUFFIXES, XLS, XLSX
from stateroom.core.refusals import AttachmentDangerous, AttachmentTypeMismatch
from stateroom.engine.extraction import archives, check_content
from tests.engine import documents
from tests.engine.documents import HONEST, archive, packed, pdf, with_part, word, workbook

SVG_1_1 = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg/>'
DOCTYPE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "eee">]><x>&e;</x>'
OPEN_XML = archive({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>", "xl/workbook.xml": b"<x/>"})


def refusal_of(mime, data):
    """What check_content says, or None."""
    try:
        check_content("a", mime, data)
    except (AttachmentTypeMismatch, AttachmentDangerous) as refused:
        return refused
    return None


def found_to_be(mime, data):
    refused = refusal_of(mime, data)
    return refused and (type(refused), refused.facts.get("found", refused.facts.get("reason")))


# ------------------------------------------------------------------------------------------------ what a file really is


@pytest.mark.parametrize("mime", SUFFIXES)
def test_an_honest_file_passes(mime):
    """One of each type."""
    assert refusal_of(mime, HONEST[mime][1]) is None


SAME = {frozenset(("image/jpeg", "image/jpg"))}
TEXT = {"text/plain", "text/markdown", "text/csv", "text/html"}
PAIRS = [(said, real) for said in SUFFIXES for real in SUFFIXES if said != real and {said, real} not in SAME]


@pytest.mark.parametrize(("said", "real"), PAIRS)
def test_a_file_of_another_type_is_found_out(said, real):
    """Except where every such file is one of the declared type as well: any text is text, any DOCX is a ZIP."""
    also = (said in TEXT and real in TEXT | {"application/json", "image/svg+xml"}) or (
        said == "application/zip" and real in (DOCX, XLSX)
    )
    assert (refusal_of(said, HONEST[real][1]) is None) is also


@pytest.mark.parametrize(
    ("mime", "data", "found"),
    [
        ("image/png", documents.HTML, "it does not begin like a PNG image"),
        ("image/webp", b"RIFF\x10\0\0\0WAVEfmt ", "it does not begin like a WebP image"),
        ("image/svg+xml", documents.HTML, "it is no XML with an svg element at its root"),
        ("image/svg+xml", b"<html><svg/></html>", "it is no XML with an svg element at its root"),
        ("image/svg+xml", b"<svg a='" + b"x" * 2**18 + b"'/>", "it is no XML with an svg element at its root"),
        ("application/pdf", b" " * 1024 + b"%PDF-1.4", "it does not begin like a PDF"),
        ("text/plain", b"a\0b", "it holds NUL bytes, which no text does"),
        ("text/csv", "ä".encode("latin-1"), "it is not text in UTF-8"),
        ("text/plain", b"%PDF-1.4\n", "it begins like a PDF or a GIF image"),
        ("application/json", b"{'a': 1}", "it can not be read as JSON"),
        ("application/json", b"[" * 100_000, "it can not be read as JSON"),
        ("application/json", b'"\xff"', "it is not text in UTF-8"),
        ("application/zip", b"PK\x03\x04 and no more", "it is no ZIP archive"),
        (DOCX, archive({"a": b"b"}), "it holds no Word document"),
        (DOCX, workbook([1]), "it holds no Word document"),
        (XLSX, word("a"), "it holds no Excel workbook"),
        (XLSX, b"PK\x05\x06" + b"\0" * 18, "it holds no Excel workbook"),
        (XLS, b"a,b", "it does not begin like an Excel file"),
    ],
)
def test_a_lie_is_named(mime, data, found):
    """The refusal says what was seen instead."""
    assert found_to_be(mime, data) == (AttachmentTypeMismatch, found)


@pytest.mark.parametrize(
    ("mime", "data"),
    [
        ("text/plain", b"\xef\xbb\xbfa"),
        ("application/json", b"\xef\xbb\xbf[1]"),
        ("image/svg+xml", SVG_1_1),
        ("image/svg+xml", b'<?xml version="1.0"?><!-- a --><s:svg xmlns:s="http://www.w3.org/2000/svg"/>'),
        ("image/svg+xml", '<?xml version="1.0" encoding="utf-16"?><svg/>'.encode("utf-16")),
        ("application/pdf", b"\n" + pdf("a")),
        ("application/zip", b"PK\x05\x06" + b"\0" * 18),
        (DOCX, documents.ENCRYPTED_OFFICE),
        (XLSX, documents.ENCRYPTED_OFFICE),
    ],
)
def test_unusual_files_that_are_in_order_pass(mime, data):
    """Byte order marks, document types without entities, blanks before the mark, passwords."""
    assert refusal_of(mime, data) is None


# ------------------------------------------------------------------------------------------------------------- malice


@pytest.mark.parametrize("mime", ["application/zip", DOCX, XLSX])
def test_a_zip_bomb_is_refused(mime):
    """A gibibyte in a megabyte, alone or as a part of a document, is never unpacked."""
    data = documents.bomb() if mime == "application/zip" else with_part(HONEST[mime][1], "x.bin", bytes(64 * 2**20))
    assert found_to_be(mime, data) == (AttachmentDangerous, "it would unpack to more than 200 times its size")


def test_files_that_share_their_bytes_are_a_bomb_together():
    """Each unpacks to little more than it is; ten thousand times the same is what it would come to."""
    data = packed("a", os.urandom(1000), 100_000, times=10_000)
    assert found_to_be("application/zip", data) == (
        AttachmentDangerous,
        "it would unpack to more than 200 times its size",
    )


def test_an_archive_of_too_many_files_is_refused_before_it_is_listed(monkeypatch):
    """To list them would take more memory than to unpack most archives."""
    data = packed("a", b"", 0, times=archives.MAX_MEMBERS + 1)
    monkeypatch.setattr(archives, "members", None)
    for mime in ("application/zip", DOCX):
        assert found_to_be(mime, data) == (AttachmentDangerous, "it holds more than 20,000 files")


def test_well_packed_is_no_crime():
    """What unpacks to little is taken, however small it was."""
    assert refusal_of("application/zip", archive({"zeros": bytes(2**20)})) is None


@pytest.mark.parametrize(
    "data", [documents.BILLION_LAUGHS, documents.REACHES_OUT, DOCTYPE.replace("x", "svg").encode()]
)
def test_an_image_that_declares_entities_is_refused(data):
    """They can grow without end, and reach for files of the server."""
    assert found_to_be("image/svg+xml", data) == (AttachmentDangerous, "it declares XML entities")


@pytest.mark.parametrize("part", ["word/document.xml", "customXml/item.bin"])
@pytest.mark.parametrize(
    "data",
    [
        DOCTYPE.encode(),
        DOCTYPE.replace("?>", ' encoding="utf-16"?>').encode("utf-16"),
        b"<!DOCTYPE x><x/>",
        b"<!--" + b"x" * 100_000 + b"-->" + DOCTYPE[21:].encode(),
    ],
    ids=["utf-8", "utf-16", "without entities", "late"],
)
def test_a_document_with_a_document_type_is_refused(part, data):
    """In whatever part and encoding, and however late it comes."""
    found = found_to_be(DOCX, with_part(HONEST[DOCX][1], part, data))
    assert found == (AttachmentDangerous, "a part of it declares an XML document type")


@settings(max_examples=150)
@given(st.data())
def test_whatever_comes_is_taken_or_refused(data):
    """Nothing that bytes can be makes the check itself fail."""
    mime = data.draw(st.sampled_from(sorted(SUFFIXES)))
    seed = data.draw(st.sampled_from([*(file for _, file in HONEST.values()), OPEN_XML, documents.BILLION_LAUGHS]))
    start = data.draw(st.integers(0, len(seed)))
    changed = seed[:start] + data.draw(st.binary(max_size=8)) + seed[start + data.draw(st.integers(0, 8)) :]
    refusal_of(mime, changed)
