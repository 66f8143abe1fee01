"""Files of a room: which may be added, under which names, and how many."""

import pytest

from stateroom.core.attachments import (
    DOCX,
    MAX_BYTES,
    ROOM_BYTES,
    ROOM_FILES,
    SUFFIXES,
    XLS,
    Attachment,
    AttachmentStored,
    StoreAttachment,
    check,
    clean_name,
    said_type,
)
from stateroom.core.refusals import (
    AttachmentEmpty,
    AttachmentsFull,
    AttachmentTooLarge,
    AttachmentTypeNotAllowed,
    TooLong,
    UnknownAttachment,
)
from stateroom.testing.scenes import START, Scene


def storing(attachment_id="one", name="a.txt", mime="text/plain", size=3, **more):
    return StoreAttachment(attachment_id, name, mime, size, digest="d" * 64, **more)


def test_a_file_is_kept_with_who_brought_it_and_when():
    """All the facts of the wish, and those of the moment."""
    wish = storing(text_digest="t" * 64, text_chars=3, problem="encrypted", width=4, height=5)
    said = {name: getattr(wish, name) for name in StoreAttachment.__dataclass_fields__}
    kept = Attachment(**said, by="ann", uploaded_at=START)
    scene = Scene().when("ann", wish).then(AttachmentStored(kept))
    assert scene.room.attachments.find("one") == kept


def test_the_room_hears_of_a_file_by_its_message_only():
    """The entry is neither told nor a line of the transcript."""
    answer = Scene().when("ann", storing())
    assert (answer.told, answer["line"]) == ([], False)


def test_a_file_that_is_there_is_not_added_again():
    """Its id is drawn once; to say it twice changes nothing."""
    Scene(("ann", storing())).when("ann", storing()).then()


def test_files_are_listed_newest_first():
    """As they are looked for."""
    scene = Scene(*[("ann", storing(name)) for name in "abc"])
    assert [one.id for one in scene.room.attachments.newest()] == ["c", "b", "a"]


def test_an_unknown_file_is_refused_by_name():
    """Whoever asks for it sees what was asked for, within reason."""
    with pytest.raises(UnknownAttachment) as refused:
        Scene().room.attachments.find("x" * 1000)
    assert refused.value.facts == {"attachment": "x" * 200}


@pytest.mark.parametrize("mime", ["application/x-sh", "", "text/", "image/bmp", "TEXT/PLAIN"])
def test_other_types_are_refused(mime):
    """Only what AR §14 lists; the type has been brought into small letters before."""
    Scene().when("ann", storing(mime=mime)).then(AttachmentTypeNotAllowed, mime=mime or "unknown")


def test_the_types_are_those_of_the_protocol():
    """Sixteen of them (AR §14), and no ending means two types."""
    endings = [ending for some in SUFFIXES.values() for ending in some]
    assert (len(SUFFIXES), len(set(endings))) == (16, len(endings))


def test_an_empty_file_is_refused():
    """Nobody could do anything with it."""
    Scene().when("ann", storing(size=0)).then(AttachmentEmpty, name="a.txt")


def test_a_file_may_take_ten_mebibytes_and_not_a_byte_more():
    """10,485,760 (AR §14)."""
    assert MAX_BYTES == 10_485_760
    Scene().when("ann", storing(size=MAX_BYTES)).then(AttachmentStored)
    Scene().when("ann", storing(size=MAX_BYTES + 1)).then(AttachmentTooLarge, size=MAX_BYTES + 1)


def test_a_room_takes_two_hundred_files():
    """The next one is refused, and the refusal says how many there are."""
    scene = Scene(*[("ann", storing(str(number))) for number in range(ROOM_FILES)])
    scene.when("ann", storing("more")).then(AttachmentsFull, count=ROOM_FILES)


def test_a_room_takes_five_hundred_mebibytes():
    """Whatever fits is taken; the byte beyond is not."""
    scene = Scene(*[("ann", storing(str(number), size=MAX_BYTES)) for number in range(49)])
    left = ROOM_BYTES - 49 * MAX_BYTES
    scene.do("ann", storing("last", size=left - 1))
    scene.when("ann", storing("more", size=2)).then(AttachmentsFull, held=ROOM_BYTES - 1, size=2)
    scene.when("ann", storing("fits", size=1)).then(AttachmentStored)


def test_a_check_beforehand_says_the_same_as_the_rule():
    """So that no bytes are stored for a file that is not taken."""
    with pytest.raises(AttachmentEmpty):
        check(Scene().room.attachments, "a", "text/plain", 0)


def test_a_problem_is_a_few_words():
    """What a library says about a broken file is not kept whole."""
    Scene().when("ann", storing(problem="x" * 401)).then(TooLong)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a.txt", "a.txt"),
        ("../../etc/passwd", ".._.._etc_passwd"),
        ("C:\\x\\y.pdf", "C:_x_y.pdf"),
        (" a\0b\r\n\x1bc\x7f.txt ", "abc.txt"),
        ("gpj.\u202etxt", "gpj.txt"),
        ("\ud800a", "a"),
        ("u\u0308ber.txt", "über.txt"),
        ("", "file"),
        (" .. ", "file"),
        ("/", "_"),
        ("x" * 300 + ".tar", "x" * 196 + ".tar"),
        ("x" * 300, "x" * 200),
        ("." + "x" * 300, "." + "x" * 199),
        ("ä" * 300 + "." + "e" * 11, "ä" * 200),
    ],
)
def test_names_are_cleaned(given, kept):
    """No way out of a folder, nothing invisible, not too long; the ending survives (AR §14)."""
    assert clean_name(given) == kept
    assert clean_name(kept) == kept


def test_the_log_keeps_cleaned_names():
    """Whoever wishes: the rule does not rely on its caller."""
    assert Scene().when("ann", storing(name="a/b.txt"))["attachment"].name == "a_b.txt"


@pytest.mark.parametrize(
    ("mime", "name", "meant"),
    [
        ("Text/HTML; charset=utf-8", "a", "text/html"),
        ("", "a.MD", "text/markdown"),
        ("application/octet-stream", "a.b.docx", DOCX),
        ("application/octet-stream", "a.bin", "application/octet-stream"),
        ("application/octet-stream", "pdf.", "application/octet-stream"),
        (XLS, "numbers.csv", "text/csv"),
        (XLS, "numbers.xls", XLS),
        ("image/png", "a.txt", "image/png"),
        ("", "", ""),
    ],
)
def test_a_type_nobody_named_is_taken_from_the_name(mime, name, meant):
    """And only then: what is declared is what is checked."""
    assert said_type(mime, name) == meant
