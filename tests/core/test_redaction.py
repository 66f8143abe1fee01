"""What is hidden, what is left alone, and that hiding is done once.

The samples are put together from parts, so that no scanner takes this file for a leak.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateroom.core.redaction import _TOKENS, REDACTED, in_value, secrets, tokens

DASHES = "-" * 5
BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7"
JWT = "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0In0." + "SflKxwRJSMeKKF2QT4fw"
A = "a1B2c3D4e5F6g7H8"


def pem(kind, body=BODY):
    return f"{DASHES}BEGIN {kind}PRIVATE KEY{DASHES}\n{body}\n{DASHES}END {kind}PRIVATE KEY{DASHES}"


WHOLE = [
    *(pem(kind) for kind in ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ")),
    pem("RSA ", f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AA\n\n{BODY}"),
    pem("").replace("\n", "\\n"),
    f"{DASHES}BEGIN PGP PRIVATE KEY BLOCK{DASHES}\n\n{BODY}\n{DASHES}END PGP PRIVATE KEY BLOCK{DASHES}",
    f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n{BODY}",
    JWT,
    "sk" + "-" + A,
    "sk" + "-ant-api03-" + A + "_" + A,
    "sk" + "-proj-" + A,
    *(f"{kind}_{mode}_{A}" for kind in ("sk", "rk") for mode in ("live", "test")),
    "whsec" + "_" + A,
    *("gh" + kind + "_" + A + "abcd" for kind in "pousr"),
    "github" + "_pat_" + A + "_" + A,
    "glpat" + "-" + A + "abcd.01.x1y2",
    *("xox" + kind + "-123456789012-" + A for kind in "abeoprs"),
    "xapp" + "-1-" + A,
    "AK" + "IA" + "ABCDEFGHIJKLMNOP",
    "AS" + "IA" + "ABCDEFGHIJKLMNOP",
    "AI" + "za" + "Sy" + "D" * 33,
    "ya29" + "." + A + A,
    "GOCSPX" + "-" + A + "abcd",
    "SG" + "." + A + "." + A,
    *(kind + "_" + A + A + "abcd" for kind in ("npm", "hf", "r8", "gsk", "ntn", "lin_api", "dckr_pat")),
    *(kind + "-" + A + A + A for kind in ("pypi", "xai", "pplx")),
    "dop" + "_v1_" + "0f" * 32,
    "shpat" + "_" + "0f" * 16,
    "sbp" + "_" + "0f" * 20,
    "sb" + "_secret_" + A + "abcd",
    "hvs" + "." + A + A,
    "tskey" + "-auth-" + A,
    "AGE-SECRET" + "-KEY-1" + "Q" * 50,
    "123456789" + ":AA" + A + "abcd",
]
AROUND = ["{}", "x {} y", "({})", '{{"k":"{}"}}', "a\\n{}\\n", "a\n{}\n", "KEY={},", "`{}`", "{}.", "v={}&w=1", "{}: x"]


@pytest.mark.parametrize("secret", WHOLE)
@pytest.mark.parametrize("around", AROUND)
def test_a_secret_known_by_its_shape_is_hidden_as_a_whole(secret, around):
    """Wherever it stands in a text, and nothing around it is touched."""
    assert tokens(around.format(secret)) == (around.format(REDACTED), 1)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"Authorization: Bearer {A}", f"Authorization: Bearer {REDACTED}"),
        ("authorization: basic dXNlcjpwYXNz==", f"authorization: basic {REDACTED}"),
        (f'curl -H "Authorization: Bearer {A}" x', f'curl -H "Authorization: Bearer {REDACTED}" x'),
        (f'{{"Authorization": "Bearer {A}"}}', f'{{"Authorization": "Bearer {REDACTED}"}}'),
        (f'{{\\"Authorization\\": \\"Token {A}\\"}}', f'{{\\"Authorization\\": \\"Token {REDACTED}\\"}}'),
        (f"Authorization: Bearer {JWT}", f"Authorization: Bearer {REDACTED}"),
        ("https://ann:pa@ss:w@host/x", f"https://{REDACTED}@host/x"),
        ("postgres://ann:pw@db:5432/x", f"postgres://{REDACTED}@db:5432/x"),
        ("redis://:pw@cache", f"redis://{REDACTED}@cache"),
        (f"https://x:{'ghp' + '_' + A}abcd@github.com", f"https://{REDACTED}@github.com"),
        (f"https://api.telegram.org/bot123456789{':AA'}{A}abcd/x", f"https://api.telegram.org/bot{REDACTED}/x"),
        (f"https://hooks.slack.com/services/T00000000/B0000000/{A}", f"https://hooks.slack.com/services/{REDACTED}"),
        (f"https://discord.com/api/webhooks/123456789/{A}", f"https://discord.com/api/webhooks/{REDACTED}"),
    ],
)
def test_only_the_secret_part_is_hidden(text, left):
    """What says where a secret belongs stays."""
    assert tokens(text) == (left, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the task-manager-of-the-whole-team",
        "risk-assessment-of-the-whole-plan",
        "sk-short",
        "https://example.com/a?b=c@d",
        "https://ann@host/x",
        "http://host:8080/x and ann@host",
        "postgres://{user}:{password}@host",
        "https://${USER}:${PASS}@host",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer ${TOKEN}",
        f"it begins with {DASHES}BEGIN PRIVATE KEY{DASHES} as you know",
        f"{DASHES}BEGIN PUBLIC KEY{DASHES}\n{BODY}\n{DASHES}END PUBLIC KEY{DASHES}",
        "d4f7c2e1-9a55-4f1e-8f0e-123456789abc",
        "eyJ is how they begin; eyJhbGciOiJI.short.x",
        "AKIA and ASIA and AKIAABCDEFGHIJKLMNOPQ",
        "password: hunter2",
        "12:AA",
        f"12345678901234567:AA{A}abcd",
    ],
)
def test_what_only_looks_a_little_like_a_secret_stays(text):
    """Work is full of words with hyphens, addresses, placeholders and examples."""
    assert tokens(text) == (text, 0)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("password: hunter2", f"password: {REDACTED}"),
        ("PASSWORD=hunter2 x", f"PASSWORD={REDACTED} x"),
        ("db_passwd = 'hunter2'", f"db_passwd = '{REDACTED}'"),
        ("pwd:x, y", f"pwd:{REDACTED}, y"),
        ('{"client_secret": "x"}', f'{{"client_secret": "{REDACTED}"}}'),
        ('{\\"access_token\\": \\"x\\"}', f'{{\\"access_token\\": \\"{REDACTED}\\"}}'),
        ("TUNNELSECRET=x", f"TUNNELSECRET={REDACTED}"),
        ("tunnelSecret: x", f"tunnelSecret: {REDACTED}"),
        ("MY_SECRET_KEY_2=x", f"MY_SECRET_KEY_2={REDACTED}"),
        *((f"{key}: x", f"{key}: {REDACTED}") for key in ("apikey", "api_key", "API-Key", "API key", "accessKey")),
        ("private_key: x", f"private_key: {REDACTED}"),
        ("token := x", f"token := {REDACTED}"),
        ("token => x", f"token => {REDACTED}"),
        ("token: yes", f"token: {REDACTED}"),
        ("token: `x`", f"token: `{REDACTED}`"),
        ('password: "incomplete', f'password: "{REDACTED}'),
        ("password: a\\b", f"password: {REDACTED}"),
    ],
)
def test_what_is_called_a_secret_is_hidden_in_talk(text, left):
    """The value goes, its name stays; wrong guesses are the price (AR §17.1). Other texts keep it."""
    assert secrets(text) == (left, 1)
    assert tokens(text) == (text, 0)


@pytest.mark.parametrize(
    "text",
    [
        "rotate the token",
        "password:",
        'password: ""',
        "token:\nnext line",
        "max_tokens: 4096",
        "tokenizer: bert",
        f"token: {REDACTED}",
        f'"password": "{REDACTED}"',
        f"Authorization: Bearer {REDACTED}",
        f"https://{REDACTED}@host",
        REDACTED,
    ],
)
def test_where_nothing_is_to_hide_nothing_is_counted(text):
    """No value, a count, or what is hidden already."""
    assert secrets(text) == (text, 0)


def test_each_hidden_secret_counts():
    """Tokens and named values together."""
    text = f"{JWT} {'sk' + '-' + A} password: x"
    assert tokens(text) == (f"{REDACTED} {REDACTED} password: x", 2)
    assert secrets(text) == (f"{REDACTED} {REDACTED} password: {REDACTED}", 3)


PIECES = [
    *(DASHES, f"{DASHES}BEGIN PRIVATE KEY{DASHES}", f"{DASHES}END PRIVATE KEY{DASHES}", "A" * 16, "-", "_", ".", ":"),
    *("sk" + "-", "gh" + "p_", "AK" + "IA", "AI" + "za", "ey" + "J", "a" * 12, "B" * 20, "9" * 8, ":AA", "SG" + "."),
    *("authorization", ": ", "bearer ", "Basic ", "://", "http://", "@", "/", "ann", "token", "password", "api_key"),
    *(REDACTED, "[", "]", "{", '"', "'", " ", "\n", "\\n", "\\", ",", "é", "://hooks.slack.com/services/", "=>", "="),
]
TALK = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@pytest.mark.parametrize(("hide", "inner"), [(tokens, f"x sk{'-' * 30} "), (secrets, f"x token={DASHES} ")])
def test_what_hiding_uncovers_is_hidden_too(hide, inner):
    """A secret with another in it that cuts it in two, so that only hiding the other shows it."""
    text = f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n{inner}\n{BODY}\n{DASHES}END PRIVATE KEY{DASHES}"
    assert hide(text) == (REDACTED, 2)


@given(TALK)
def test_hiding_twice_is_hiding_once(text):
    """A second time there is nothing left to hide."""
    for hide in (tokens, secrets):
        hidden, _ = hide(text)
        assert hide(hidden) == (hidden, 0)


@given(TALK)
def test_the_count_says_whether_anything_was_hidden(text):
    """And every secret hidden leaves its sign."""
    for hide in (tokens, secrets):
        hidden, count = hide(text)
        assert (count == 0) == (hidden == text)
        assert hidden.count(REDACTED) <= text.count(REDACTED) + count


@given(TALK)
def test_the_quick_look_overlooks_nothing(text):
    """Texts are searched only if a look at rare characters finds a hint; where there is a token there is a hint."""
    assert (tokens(text)[1] > 0) == bool(_TOKENS.search(text))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "fine", JWT, f"x {JWT} y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_is_redacted_wherever_a_string_stands(value):
    """As its text would be, and the value itself is not changed."""
    before = json.dumps(value)
    redacted, count = in_value(value)
    assert json.dumps(redacted) == before.replace(JWT, REDACTED)
    assert count == before.count(JWT)
    assert json.dumps(value) == before
    assert count or redacted is value


def test_what_holds_no_secret_is_shared():
    """Only what leads to a secret is copied; names of fields stay as they are."""
    value = {"clean": {"deep": [1]}, "list": [["x"], JWT], JWT: None}
    redacted, count = in_value(value)
    assert (redacted, count) == ({"clean": {"deep": [1]}, "list": [["x"], REDACTED], JWT: None}, 1)
    assert redacted["clean"] is value["clean"]
    assert redacted["list"][0] is value["list"][0]


def test_no_depth_hurts():
    """Deep nesting is refused elsewhere; here it is walked."""
    value = JWT
    for _ in range(50_000):
        value = [value]
    redacted, count = in_value(value)
    for _ in range(50_000):
        redacted = redacted.pop()
    assert (redacted, count) == (REDACTED, 1)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        *("ey" + "J", "ey" + "Jaaaaaaaa.", "ey" + "J\\n", "sk" + "-a ", "AK" + "IA", "a", "1", "x_", "-", " ", "\\n"),
        *("://a:", "://@", "http://a:b", "authorization: bearer ", "authorization", "token", "token:=", 'password" '),
        *(f"{DASHES}BEGIN PRIVATE KEY{DASHES}", f"{DASHES}BEGIN PRIVATE KEY{DASHES}token={DASHES}", "1234567" + ":AA"),
        *(
            WHOLE[0],
            JWT,
            "SG" + "." + A + ".",
            "PRIVATE KEY",
            DASHES + "BEGIN ",
            f"{DASHES}BEGIN PRIVATE KEY{DASHES}" + A,
        ),
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(piece):
    """Long texts are searched in good time, which anything quadratic would not be."""
    text = f"{JWT} {piece * (300_000 // len(piece))}"
    for hide in (tokens, secrets):
        assert hide(text)[1] > 0
