"""Files on their way into a room and out again: stored once, by their hash, and only if all about them is right."""

from urllib.parse import unquote

import pytest

from stateroom.core.attachments import DOCX, MAX_BYTES, ROOM_FILES, SUFFIXES, StoreAttachment
from stateroom.core.refusals import (
    AttachmentDangerous,
    AttachmentEmpty,
    AttachmentsFull,
    AttachmentTooLarge,
    AttachmentTypeMismatch,
    AttachmentTypeNotAllowed,
    BadName,
    UnknownAttachment,
)
from stateroom.engine import attachments
from stateroom.engine.extraction import Extracted
from stateroom.log.seam import Unavailable
from tests.engine import documents
from tests.engine.documents import HONEST, TEXTS


async def upload(bench, name="a.txt", mime="text/plain", data=b"words", by="ann", **more):
    return await attachments.upload(
        bench.engine, bench.caller, bench.card, name=name, mime=mime, data=data, by=by, **more
    )


@pytest.fixture
def blobs(bench):
    """The digests of what has been stored, in order."""
    kept, put = [], bench.engine.store.blobs.put

    async def noted(data):
        kept.append(await put(data))
        return kept[-1]

    bench.engine.store.blobs.put = noted
    return kept


@pytest.mark.parametrize("mime", SUFFIXES)
async def test_a_file_comes_back_as_it_was(bench, mime):
    """Bytes, name, type and words, for each type of AR §14."""
    name, data = HONEST[mime]
    stored = await upload(bench, name, mime, data)
    assert (stored.name, stored.mime, stored.size, stored.by) == (name, mime, len(data), "ann")
    assert await attachments.find(bench.engine, bench.card, stored.id) == stored
    assert await attachments.data(bench.engine, stored) == data
    text = await attachments.text(bench.engine, stored)
    assert (text, stored.text_chars) == (TEXTS.get(mime, ""), len(text))


async def test_a_file_without_words_is_kept_and_says_why(bench):
    """What is in the way of reading a file is never in the way of attaching it."""
    stored = await upload(bench, "a.docx", DOCX, documents.ENCRYPTED_OFFICE)
    assert (stored.problem, stored.text_digest, stored.text_chars) == ("encrypted", "", 0)
    assert await attachments.text(bench.engine, stored) == ""


@pytest.mark.parametrize(
    ("name", "mime", "data", "refusal"),
    [
        ("a.sh", "application/x-sh", b"#!", AttachmentTypeNotAllowed),
        ("a.txt", "text/plain", b"", AttachmentEmpty),
        ("a.txt", "text/plain", b"x" * (MAX_BYTES + 1), AttachmentTooLarge),
        ("a.png", "image/png", documents.HTML, AttachmentTypeMismatch),
        ("a.svg", "image/svg+xml", documents.BILLION_LAUGHS, AttachmentDangerous),
        ("a.zip", "application/zip", documents.bomb(), AttachmentDangerous),
    ],
)
async def test_a_file_that_is_refused_leaves_nothing(bench, blobs, name, mime, data, refusal):
    """No entry in the log, no blob in the store; its name is in the refusal as it would have been kept."""
    before = await bench.encoded()
    with pytest.raises(refusal) as refused:
        await upload(bench, name, mime, data)
    assert refused.value.facts.get("name", name) == name
    assert (await bench.encoded(), blobs) == (before, [])


async def test_ten_mebibytes_are_taken(bench):
    """To the last byte."""
    stored = await upload(bench, data=b"x" * MAX_BYTES)
    assert (stored.size, stored.text_chars) == (MAX_BYTES, 200_000)


async def test_a_full_room_is_refused_before_anything_is_stored(bench, blobs):
    """Two hundred files, and not a blob more."""
    for number in range(ROOM_FILES):
        await bench.do(StoreAttachment(f"id-{number}", "a", "text/plain", 1, "d"))
    with pytest.raises(AttachmentsFull):
        await upload(bench)
    assert blobs == []


async def test_a_bad_name_of_the_uploader_is_refused(bench):
    """As for every wish."""
    with pytest.raises(BadName):
        await upload(bench, by="a\x1bb")


async def test_the_same_bytes_are_stored_once(bench, blobs):
    """Two attachments, one blob; of a text file its words are the same blob too."""
    one, two = await upload(bench), await upload(bench)
    assert one.id != two.id
    assert set(blobs) == {one.digest} == {two.text_digest}


async def test_ids_can_not_be_guessed(bench):
    """Each is drawn anew, 128 bits of it."""
    ids = [(await upload(bench)).id for _ in range(5)]
    assert len({*ids}) == 5
    assert {len(one) for one in ids} == {32}


async def test_sizes_of_pictures_are_the_uploaders_word(bench):
    """Kept if they can be true."""
    name, data = HONEST["image/png"]
    sizes = [(4, 5), (None, None), (0, -1), (1_000_001, 1_000_000)]
    kept = [await upload(bench, name, "image/png", data, width=width, height=height) for width, height in sizes]
    assert [(one.width, one.height) for one in kept] == [(4, 5), (None, None), (None, None), (None, 1_000_000)]


async def test_the_path_holds_code_id_and_name(bench):
    """Whatever the name holds, it stays one segment."""
    stored = await upload(bench, "a b/ü?#%.txt")
    path = attachments.path(bench.card, stored)
    assert path.isascii()
    assert unquote(path) == f"/blobs/{bench.card.code}/{stored.id}/a b_ü?#%.txt"
    assert path.count("/") == 4


async def test_a_file_is_found_by_id_address_or_name(bench):
    """Of two with one name the newer; by its id also the older."""
    old, new = await upload(bench, "the plan.txt", data=b"old"), await upload(bench, "the plan.txt", data=b"new")
    path = attachments.path(bench.card, old)
    for reference in (old.id, f" {old.id} ", path, f"https://example.org{path}", f"http://[{path}"):
        assert await attachments.by_reference(bench.engine, bench.card, reference) == old
    for reference in ("the plan.txt", " the plan.txt"):
        assert await attachments.by_reference(bench.engine, bench.card, reference) == new
    assert await attachments.newest(bench.engine, bench.card) == [new, old]
    assert await attachments.newest(bench.engine, bench.card, 1) == [new]


async def test_a_name_that_is_an_id_does_not_hide_the_file_of_that_id(bench):
    """Nobody can put a file in another's place."""
    first = await upload(bench, data=b"first")
    await upload(bench, first.id, data=b"second")
    assert await attachments.by_reference(bench.engine, bench.card, first.id) == first


@pytest.mark.parametrize("reference", ["", "nope", "/blobs/ABC-DEF-GHJ/nope/a.txt", "http://[", "\ud800"])
async def test_an_unknown_file_is_refused(bench, reference):
    """By every way to look for it."""
    await upload(bench)
    with pytest.raises(UnknownAttachment):
        await attachments.by_reference(bench.engine, bench.card, reference)
    with pytest.raises(UnknownAttachment):
        await attachments.find(bench.engine, bench.card, reference)
    with pytest.raises(UnknownAttachment):
        await attachments.by_address(bench.engine, bench.card.code, reference)


async def test_a_file_is_found_by_its_address_in_its_own_room_only(bench):
    """The code must be the room's, in any spelling; the id must be of that room."""
    stored = await upload(bench)
    spelled = bench.card.code.lower().replace("-", "")
    assert await attachments.by_address(bench.engine, spelled, stored.id) == stored
    elsewhere = await bench.engine.enter(bench.caller, "elsewhere")
    for code in (elsewhere.code, "", "demo", "AAA-AAA-AAA"):
        with pytest.raises(UnknownAttachment):
            await attachments.by_address(bench.engine, code, stored.id)


async def test_another_server_has_the_file_at_once(bench, other):
    """Also in a room that it has not heard of yet."""
    bench.card = await bench.engine.enter(bench.caller, "fresh")
    stored = await upload(bench)
    assert await attachments.by_address(other.engine, bench.card.code, stored.id) == stored


async def test_a_blob_that_has_gone_is_no_empty_file(bench):
    """The store has lost it, and that is said."""
    stored = await upload(bench)
    await bench.engine.store.blobs.drop(stored.digest)
    with pytest.raises(Unavailable):
        await attachments.data(bench.engine, stored)


async def test_what_is_read_is_what_was_checked(bench, monkeypatch):
    """A reader gets the type that the check has seen, also where the name told it."""
    asked = []

    async def reading(mime, data):
        asked.append(mime)
        return Extracted("t", "p")

    monkeypatch.setattr(attachments, "extract", reading)
    stored = await upload(bench, "a.md", "application/octet-stream")
    assert (asked, stored.mime, stored.problem) == (["text/markdown"], "text/markdown", "p")
