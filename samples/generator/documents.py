"""Office files and text: shown by their icons."""

import io
import struct
import zipfile

HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OPEN_XML = "application/vnd.openxmlformats-officedocument"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def make(samples):
    samples.write_file("resume.docx", word(), f"{OPEN_XML}.wordprocessingml.document", "icon")
    samples.write_file("stats.xlsx", excel(), f"{OPEN_XML}.spreadsheetml.sheet", "icon")
    samples.write_file("talk.pptx", power_point(), f"{OPEN_XML}.presentationml.presentation", "icon")
    samples.write_file("letter.doc", compound("WordDocument", 0x20906), "application/msword", "icon")
    samples.write_file("stats.xls", compound("Workbook", 0x20820), "application/vnd.ms-excel", "icon")
    samples.write_file(
        "locked.docx", compound("EncryptedPackage", None), "application/x-ooxml-protected", "icon", encrypted=True)
    samples.write_file("letter.rtf", rb"{\rtf1\ansi{\fonttbl\f0 Helvetica;}\f0\fs24 A letter.\par}", "text/rtf", "icon")
    samples.write_file("stats.csv", b"name,goals,assists\nMia,12,7\nNoah,9,11\nZara,15,4\n", "text/csv", "icon")
    samples.write_file("transcript.txt", "Zoë: Mathematics A, Français A−\n".encode(), "text/plain", "icon")
    samples.write_file("transcript-utf16.txt", "\ufeffZoë: Mathematics A\n".encode("utf-16-le"), "text/plain", "icon")


def package(parts, main, kind, content_types):
    """An Open XML package: its content types and relations, then the parts."""
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{OPEN_XML}.{type}"/>' for name, type in content_types.items())
    types = ('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
             '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
             f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>')
    files = {"[Content_Types].xml": types, "_rels/.rels": relations([("officeDocument", main)]), **parts}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, HEADER + text)
    return data.getvalue()


def relations(targets):
    listed = "".join(f'<Relationship Id="r{index}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
                     for index, (kind, target) in enumerate(targets, 1))
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{listed}</Relationships>'


def word():
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    text = f'<w:document xmlns:w="{name}"><w:body><w:p><w:r><w:t>A résumé.</w:t></w:r></w:p></w:body></w:document>'
    return package({"word/document.xml": text}, "word/document.xml", "word",
                   {"word/document.xml": "wordprocessingml.document.main+xml"})


def excel():
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    book = (f'<workbook xmlns="{name}" xmlns:r="{RELATIONS}"><sheets><sheet name="Stats" sheetId="1" r:id="r1"/></sheets></workbook>')
    sheet = f'<worksheet xmlns="{name}"><sheetData><row r="1"><c r="A1"><v>12</v></c></row></sheetData></worksheet>'
    parts = {"xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": relations([("worksheet", "worksheets/sheet1.xml")]),
             "xl/worksheets/sheet1.xml": sheet}
    return package(parts, "xl/workbook.xml", "xl", {
        "xl/workbook.xml": "spreadsheetml.sheet.main+xml", "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet+xml"})


def power_point():
    name = "http://schemas.openxmlformats.org/presentationml/2006/main"
    text = f'<p:presentation xmlns:p="{name}"><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    return package({"ppt/presentation.xml": text}, "ppt/presentation.xml", "ppt",
                   {"ppt/presentation.xml": "presentationml.presentation.main+xml"})


FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(name, class_number):
    """An OLE file (MS-CFB) with one stream of 4,096 bytes, which hold no document: enough to tell what it claims to be.

    Sectors: 0 the allocation table, 1 the directory, 2…9 the stream.
    """
    table = [TABLE, END] + list(range(3, 10)) + [END]
    header = struct.pack("<8s16sHHHHH6xIIIIIIIII", bytes.fromhex("d0cf11e0a1b11ae1"), bytes(16), 0x3E, 3, 0xFFFE, 9, 6,
                         0, 1, 1, 0, 4096, END, 0, END, 0)
    header += struct.pack("<109I", 0, *[FREE] * 108)
    allocation = struct.pack("<128I", *table, *[FREE] * (128 - len(table)))
    root = entry("Root Entry", 5, END, 0, child=1, class_number=class_number)
    directory = root + entry(name, 2, 2, 4096) + 2 * entry("", 0, 0, 0)
    return header + allocation + directory + stream_start(name).ljust(4096, b"\0")


def stream_start(name):
    """What the stream begins with in real files: Word's identifier, Excel's first record."""
    return {"WordDocument": b"\xec\xa5\xc1\0", "Workbook": b"\x09\x08\x10\0\0\x06\x05\0"}.get(name, b"")


def entry(name, kind, start, size, child=FREE, class_number=None):
    text = (name + "\0").encode("utf-16-le") if name else b""
    identifier = struct.pack("<IIII", class_number, 0, 0xC0, 0x46000000) if class_number else bytes(16)
    return struct.pack("<64sHBBIII16sIQQIQ", text, len(text), kind, 1, FREE, FREE, child, identifier, 0, 0, 0, start, size)
