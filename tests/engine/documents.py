"""Files to attach: honest ones of every type, and such as mean harm."""

import io
import struct
import zipfile
import zlib

import docx
import openpyxl
from pypdf import PdfReader, PdfWriter

from stateroom.core.attachments import DOCX, XLS, XLSX

COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
ENCRYPTED_OFFICE = COMPOUND_FILE + b"\0" * 504 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION_LAUGHS = (
    f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">{LAUGHS}]><svg><text>&l9;</text></svg>'.encode()
)
REACHES_OUT = b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg><text>&x;</text></svg>'
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg"><title>A box</title><style>no</style>'
    b"<text>in <tspan>it</tspan></text></svg>"
)
HTML = (
    b"<title>Plan</title><script>alert(1)</script><p>Ship <b>it</b> &amp; rest"
    b"<table><tr><td>one<td>two<tr><td>three</table>"
)


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page, made by hand."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, text in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        page = f"/Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * n} 0 R"
        objects += [f"<< /Type /Page {page} >>", f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream"]
    made, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size {len(places) + 1} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}{end}".encode()


def encrypted_pdf(password: str) -> bytes:
    writer, made = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("the secret")))), io.BytesIO()
    writer.encrypt(password, "owner", algorithm="RC4-128")
    writer.write(made)
    return made.getvalue()


def word(*paragraphs: str, table: list[list[str]] | None = None) -> bytes:
    document, made = docx.Document(), io.BytesIO()
    for text in paragraphs:
        document.add_paragraph(text)
    if table:
        grid = document.add_table(len(table), len(table[0]))
        for row, cells in enumerate(table):
            for column, text in enumerate(cells):
                grid.cell(row, column).text = text
    document.save(made)
    return made.getvalue()


def workbook(*rows: list[object], sheets: int = 1) -> bytes:
    book, made = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for number in range(1, sheets):
        book.create_sheet(f"more {number}")
    book.save(made)
    return made.getvalue()


def archive(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return made.getvalue()


def with_part(document: bytes, name: str, data: bytes) -> bytes:
    """An office document with one part replaced or added."""
    with zipfile.ZipFile(io.BytesIO(document)) as packed:
        return archive({part: packed.read(part) for part in packed.namelist()} | {name: data})


def zeros(mebibytes: int) -> bytes:
    """That many mebibytes of zeros, packed: a thousandth of it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * mebibytes + packer.flush()


def packed(name: str, data: bytes, size: int, *, flags: int = 0, times: int = 1) -> bytes:
    """An archive whose `times` files are the same packed bytes, said to unpack to `size` bytes."""
    title = name.encode()
    facts = (20, flags, 8, 0, 0, 0, len(data), size, len(title), 0)
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, *facts) + title + data
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, *facts, 0, 0, 0, 0, 0) + title
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, times, times, len(entry) * times, len(local), 0)
    return local + entry * times + end


def bomb() -> bytes:
    """A gibibyte of zeros in a megabyte."""
    return packed("zeros", zeros(1024), 2**30)


HONEST: dict[str, tuple[str, bytes]] = {
    "image/png": ("p.png", b"\x89PNG\r\n\x1a\n rest"),
    "image/jpeg": ("p.jpeg", b"\xff\xd8\xff\xe0 rest"),
    "image/jpg": ("p.jpg", b"\xff\xd8\xff\xe1 rest"),
    "image/webp": ("p.webp", b"RIFF\x10\0\0\0WEBPVP8 "),
    "image/gif": ("p.gif", b"GIF89a\1\0\1\0 rest"),
    "image/svg+xml": ("p.svg", SVG),
    "application/pdf": ("d.pdf", pdf("Hello PDF")),
    "text/plain": ("t.txt", b"plain\n\n\n words"),
    "text/markdown": ("t.md", "# Über  \n".encode()),
    "text/csv": ("t.csv", b"a,b\n1,2\n"),
    "text/html": ("t.html", HTML),
    "application/json": ("t.json", b'{"a": [1, null]}'),
    "application/zip": ("a.zip", archive({"a.txt": b"inside"})),
    XLS: ("old.xls", COMPOUND_FILE + b"\0" * 504),
    DOCX: ("d.docx", word("Hello Word", table=[["a", "b"], ["c", "d"]])),
    XLSX: ("d.xlsx", workbook(["n", 1], [None, "two", 2.5])),
}
"""One file of each type of AR §14."""
TEXTS = {
    "image/svg+xml": "A box\nin it",
    "application/pdf": "Hello PDF",
    "text/plain": "plain\n\n\n words",
    "text/markdown": "# Über  \n",
    "text/csv": "a,b\n1,2\n",
    "text/html": "Plan\nShip it & rest\none two\nthree",
    "application/json": '{"a": [1, null]}',
    "application/zip": "a.txt\t6",
    DOCX: "Hello Word\na\tb\nc\td",
    XLSX: "# Sheet\nn\t1\n\ttwo\t2.5",
}
"""What is read in them; in the others there is nothing to read."""
