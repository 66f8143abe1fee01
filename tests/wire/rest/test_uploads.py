"""Files over HTTP: uploaded as clients of Agent Room do it, served so that they can do no harm."""

import json
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from stateroom.core.attachments import MAX_BYTES, ROOM_FILES, SUFFIXES, StoreAttachment
from stateroom.faces.rest import uploads
from stateroom.log.seam import Unavailable
from tests.engine import documents
from tests.engine.documents import HONEST, TEXTS
from tests.wire.rest.site import BASE, standing


@pytest_asyncio.fixture
async def site():
    """An open server."""
    async with standing() as site:
        yield site


# ------------------------------------------------------------------------------------------------------------- uploads


@pytest.mark.parametrize("mime", SUFFIXES)
async def test_a_file_of_each_type_comes_back_from_its_url(site, mime):
    """Sixteen types (AR §23, row 10): the URL is absolute, and a plain fetch of it brings the bytes."""
    name, data = HONEST[mime]
    answer = await site.upload(name, mime, data)
    assert answer.status_code == 201
    said = answer.json()
    assert urlsplit(said["url"]).netloc == "rooms.example"
    assert (await site.http.get(said["url"])).content == data
    assert said.get("extractedText", "") == TEXTS.get(mime, "")


async def test_the_answer_has_the_known_shape(site):
    """AR §4.5: names, types, and what is left out where there is nothing to say."""
    said = (
        await site.upload("a b.txt", "text/plain; charset=utf-8", b"words", name="ann", width="4", height="5")
    ).json()
    [stored] = await site.engine.view(site.card, lambda room: [*room.attachments.newest()])
    assert said == {
        "id": stored.id,
        "type": "file",
        "url": f"{BASE}/blobs/{site.card.code}/{stored.id}/a%20b.txt",
        "storageKey": f"rooms/{site.card.code}/{stored.id}/a b.txt",
        "name": "a b.txt",
        "size": 5,
        "mime": "text/plain",
        "uploadedAt": stored.uploaded_at,
        "width": 4,
        "height": 5,
        "extractedText": "words",
    }
    assert stored.by == "ann"
    bare = (await site.upload(*HONEST_PNG)).json()
    assert (bare["type"], bare.keys() & {"width", "height", "extractedText"}) == ("image", set())


HONEST_PNG = (HONEST["image/png"][0], "image/png", HONEST["image/png"][1])


@pytest.mark.parametrize("width", ["", "0", "-1", "1.5", "x", "9" * 30, "²", "٣"])
async def test_a_size_that_is_none_is_as_good_as_not_sent(site, width):
    """A picture is not refused for it."""
    answer = await site.upload(*HONEST_PNG, width=width)
    assert (answer.status_code, "width" in answer.json()) == (201, False)


async def test_long_text_is_cut_in_the_answer(site):
    """12,000 characters; the whole of it stays with the file."""
    said = (await site.upload(data=b"x" * 20_000)).json()
    assert said["extractedText"] == "x" * 12_000
    assert (await site.engine.view(site.card, lambda room: room.attachments.find(said["id"]))).text_chars == 20_000


async def test_fields_may_come_in_any_order(site):
    """A browser sends them as they stand in the page."""
    part = b'--b\r\ncontent-disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    file = b'--b\r\ncontent-disposition: form-data; name="file"; filename="%s"\r\n\r\nwords\r\n'
    name = "ü/b.md".encode()
    body = file % name + part % (b"roomCode", site.card.code.lower().encode()) + b"--b--\r\n"
    said = (await site.raw(body)).json()
    assert (said["name"], said["mime"]) == ("ü_b.md", "text/markdown")


FULL = "AAA-AAA-AAA"


@pytest.mark.parametrize(
    ("upload", "status", "error"),
    [
        ({"code": ""}, 400, "bad_room_code"),
        ({"code": "door-cat-hall"}, 400, "bad_room_code"),
        ({"code": "demo"}, 400, "bad_room_code"),
        ({"code": FULL}, 404, "room_not_found"),
        ({"code": "OOO-000-111"}, 404, "room_not_found"),
        ({"data": b""}, 400, "empty_file"),
        ({"data": b"x" * (MAX_BYTES + 1)}, 413, "file_too_large"),
        ({"data": b"x" * (MAX_BYTES + 2**20)}, 413, "body_too_large"),
        ({"mime": "application/x-sh"}, 415, "mime_not_allowed"),
        ({"filename": "a.png", "mime": "image/png", "data": documents.HTML}, 415, "type_mismatch"),
        ({"mime": "application/zip", "data": documents.bomb()}, 422, "attachment_dangerous"),
        ({"mime": "image/svg+xml", "data": documents.BILLION_LAUGHS}, 422, "attachment_dangerous"),
        ({"filename": "a\x01" * 300 + ".pdf", "mime": "text/plain", "data": b"\xff"}, 415, "type_mismatch"),
    ],
)
async def test_a_bad_upload_gets_its_named_error_and_changes_nothing(site, upload, status, error):
    """The codes that clients know (AR §14), each with a sentence and a next step."""
    before = await site.position()
    answer = await site.upload(**upload)
    said = answer.json()
    assert (answer.status_code, said["error"]) == (status, error)
    assert said["message"]
    assert said["hint"].endswith(".")
    assert await site.position() == before


@pytest.mark.parametrize(
    ("body", "kind", "error"),
    [
        (b"", "multipart/form-data; boundary=b", "invalid_multipart"),
        (b"{}", "application/json", "invalid_multipart"),
        (b"--b--\r\n", "multipart/mixed; boundary=b", "invalid_multipart"),
        (b"--b--\r\n", "none", "invalid_multipart"),
        (b"--b--\r\n", "multipart/form-data", "invalid_multipart"),
        (b"no form at all", "multipart/form-data; boundary=b", "invalid_multipart"),
        (b"--b\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b", "invalid_multipart"),
        (b'--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx', "", "invalid_multipart"),
        (b'--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n', "", "missing_file"),
        (b'--b\r\ncontent-disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--b--\r\n', "", "missing_file"),
        (b'--b\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n--b--\r\n', "", "missing_file"),
        (
            b'--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n',
            "",
            "bad_room_code",
        ),
    ],
)
async def test_what_is_no_form_with_a_file_is_refused(site, body, kind, error):
    """By the code that says what is missing."""
    answer = await site.raw(body, kind or "multipart/form-data; boundary=b")
    assert (answer.status_code, answer.json()["error"]) == (400, error)


async def test_many_fields_and_files_are_refused(site):
    """A form for one file has few."""
    part = b'--b\r\ncontent-disposition: form-data; name="x"%s\r\n\r\n%s\r\n'
    for body in (part % (b"", b"") * 11, part % (b'; filename="a"', b"") * 2, part % (b"", b"x" * 5000)):
        assert (await site.raw(body + b"--b--\r\n")).json()["error"] == "invalid_multipart"


async def test_other_methods_are_refused(site):
    """In the same shape."""
    for method in ("GET", "PUT", "DELETE"):
        answer = await site.http.request(method, "/api/upload")
        assert (answer.status_code, answer.json()["error"]) == (405, "method_not_allowed")


async def test_a_body_without_end_is_not_read_to_its_end(site):
    """Past the limit nothing is kept, and soon nothing is read."""
    sent = []

    async def endless():
        yield b'--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        while True:
            sent.append(2**16)
            yield b"x" * 2**16

    answer = await site.raw(endless())
    assert (answer.status_code, answer.json()["error"]) == (413, "body_too_large")
    assert sum(sent) < 2 * uploads.MAX_BODY_BYTES


async def test_no_more_than_the_limit_is_handed_on():
    """What is read beyond it, so that the sender hears the answer, is thrown away at once."""

    async def receive():
        return {"type": "http.request", "body": bytes(2**20), "more_body": True}

    kept = []

    async def keep():
        async for chunk in uploads._bounded(receive):
            kept.append(len(chunk))  # noqa: PERF401 (it ends by raising)

    with pytest.raises(uploads.UploadProblem):
        await keep()
    assert sum(kept) == uploads.MAX_BODY_BYTES


async def test_a_client_that_hangs_up_midway_changes_nothing(site):
    """What has come of the file is let go."""
    events = [
        {"type": "http.request", "body": b'--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx'},
        {"type": "http.disconnect"},
    ]
    sent = []

    async def receive():
        return events.pop(0) | {"more_body": True}

    async def send(event):
        sent.append(event)

    headers = [(b"content-type", b"multipart/form-data; boundary=b")]
    scope = {"type": "http", "method": "POST", "path": "/api/upload", "headers": headers, "query_string": b""}
    await site.app(scope, receive, send)
    assert (sent[0]["status"], json.loads(sent[1]["body"])["error"]) == (400, "gone")


async def test_a_full_room_says_so(site):
    """With a code of ours: upstream has no such limit."""
    for number in range(ROOM_FILES):
        wish = StoreAttachment(f"id-{number}", "a", "text/plain", 1, "d")
        await site.engine.execute(site.caller, site.card, wish)
    answer = await site.upload()
    assert (answer.status_code, answer.json()["error"]) == (413, "room_full")


async def test_a_store_that_fails_is_no_fault_of_the_file(site, monkeypatch):
    """503, and when to come back."""

    async def fails(data):
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(site.engine.store.blobs, "put", fails)
    answer = await site.upload()
    assert (answer.status_code, answer.json()["error"]) == (503, "store_unavailable")
    assert answer.headers["retry-after"] == "1"


async def test_who_may_upload_is_who_may_see_the_room():
    """With the team's key or the room's code; a key that nobody issued helps nobody."""
    async with standing("red:red-secret,blue:blue-secret") as site:
        for headers in ({}, {"authorization": "Bearer red-secret"}):
            assert (await site.upload(headers=headers)).status_code == 201
        answer = await site.upload(headers={"authorization": "Bearer nobody"})
        assert (answer.status_code, answer.json()["error"]) == (401, "unauthorized")
