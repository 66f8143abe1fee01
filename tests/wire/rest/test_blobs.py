"""Files as they are served: to whoever has the address, and so that they can do no harm."""

import json
from urllib.parse import urlsplit

import httpx2
import pytest
import pytest_asyncio

from stateroom.core.attachments import MAX_BYTES, SUFFIXES
from tests.engine.documents import HONEST
from tests.wire.rest.site import BASE, standing


@pytest_asyncio.fixture
async def site():
    """An open server."""
    async with standing() as site:
        yield site


def path_of(url):
    return url.removeprefix(BASE)


# -------------------------------------------------------------------------------------------------------------- blobs

INLINE = {"image/png", "image/jpeg", "image/jpg", "image/webp", "image/gif", "text/plain", "text/markdown", "text/csv"}


@pytest.mark.parametrize("mime", SUFFIXES)
async def test_what_is_served_can_do_nothing_in_a_browser(site, mime):
    """Its type is not guessed, it runs in a sandbox, and what could hold a script is downloaded."""
    name, data = HONEST[mime]
    served = await site.http.get((await site.upload(name, mime, data)).json()["url"])
    assert served.headers["x-content-type-options"] == "nosniff"
    assert served.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert served.headers["referrer-policy"] == "no-referrer"
    assert served.headers["cache-control"] == "private, max-age=86400"
    expected = "text/plain" if mime == "text/html" else mime
    assert served.headers["content-type"] == expected + "; charset=utf-8" * mime.startswith("text/")
    how = served.headers["content-disposition"].partition(";")[0]
    assert how == ("inline" if mime in INLINE else "attachment")


async def test_a_name_is_said_in_both_ways(site):
    """RFC 6266: letters that every client knows, and the name itself in UTF-8. No name breaks out of the header."""
    part = 'content-disposition: form-data; name="file"; filename="ü \\"q\\"b%41\\\\x;\t.txt"\r\n\r\nwords\r\n'
    code = f'content-disposition: form-data; name="roomCode"\r\n\r\n{site.card.code}\r\n'
    said = (await site.raw(f"--b\r\n{part}--b\r\n{code}--b--".encode())).json()
    served = await site.http.get(said["url"])
    plain, encoded = served.headers["content-disposition"].split("; filename")[1:]
    assert said["name"] == 'ü "q"b%41_x;.txt'
    assert plain == '="_ _q_b_41_x;.txt"'
    assert encoded == "*=UTF-8''%C3%BC%20%22q%22b%2541_x%3B.txt"


async def test_the_address_needs_no_key_and_the_id_is_all_that_counts():
    """On a keyed server, too; the name in the address is for people."""
    async with standing("red:red-secret") as site:
        said = (await site.upload()).json()
        code, file_id = site.card.code, said["id"]
        for path in (path_of(said["url"]), f"/blobs/{code}/{file_id}/x", f"/blobs/{code.lower()}/{file_id}/a.txt"):
            assert (await site.http.get(path)).content == b"words"


@pytest.mark.parametrize("path", ["{code}/nope/a.txt", "AAA-AAA-AAA/{id}/a.txt", "x/{id}/a.txt", "{other}/{id}/a.txt"])
async def test_an_unknown_file_is_a_404(site, path):
    """And JSON, whatever part of the address is wrong."""
    said = (await site.upload()).json()
    other = (await site.engine.enter(site.caller, "other")).code
    answer = await site.http.get("/blobs/" + path.format(code=site.card.code, id=said["id"], other=other))
    assert answer.status_code == 404
    assert json.loads(answer.content)["error"] == "unknown_attachment"


async def test_a_whole_server_takes_and_serves_files(server):
    """Over real connections: a file is taken and served, and who sends too much hears so."""
    card = await server.engine.enter(server.engine.access.admit(""), "demo")
    async with httpx2.AsyncClient(base_url=server.url, timeout=20) as http:

        async def upload(data):
            return await http.post("/api/upload", data={"roomCode": card.code}, files={"file": ("a.md", data)})

        taken = await upload(b"# Plan")
        assert (taken.status_code, taken.json()["extractedText"]) == (201, "# Plan")
        served = await http.get(urlsplit(taken.json()["url"]).path)
        assert (served.content, served.headers["x-content-type-options"]) == (b"# Plan", "nosniff")
        refused = await upload(bytes(MAX_BYTES + 2 * 1024 * 1024))
        assert (refused.status_code, refused.json()["error"]) == (413, "body_too_large")
