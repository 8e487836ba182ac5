"""Writes a document as DOCX (ECMA-376), ODT (OpenDocument 1.3) and RTF (1.9): paragraphs, lists, tabs and tables."""

import io
import zipfile
from xml.sax.saxutils import escape

from .model import Columns, PageBreak, Paragraph, Table, cell_paragraphs

HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(parts, stored=()):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            file.writestr(entry, text)
    return data.getvalue()


# DOCX

def docx(document):
    width = document.page[0] - 2 * document.margin
    body = docx_elements(document.elements, width)
    section = (f'<w:sectPr><w:pgSz w:w="{int(document.page[0] * 20)}" w:h="{int(document.page[1] * 20)}"/>'
               f'<w:pgMar w:top="{int(document.margin * 20)}" w:right="{int(document.margin * 20)}" '
               f'w:bottom="{int(document.margin * 20)}" w:left="{int(document.margin * 20)}"/></w:sectPr>')
    main = f'<w:document xmlns:w="{WORD}"><w:body>{body}{section}</w:body></w:document>'
    styles = (f'<w:styles xmlns:w="{WORD}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>'
              f'</w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/>'
              f'<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
              f'<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/></w:style></w:styles>')
    numbering = (f'<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>'
                 f'<w:lvlText w:val="\u2022"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>')
    types = ('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
             '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
             '<Default Extension="xml" ContentType="application/xml"/>'
             f'<Override PartName="/word/document.xml" ContentType="{TYPES}.document.main+xml"/>'
             f'<Override PartName="/word/styles.xml" ContentType="{TYPES}.styles+xml"/>'
             f'<Override PartName="/word/numbering.xml" ContentType="{TYPES}.numbering+xml"/></Types>')
    return archive({
        "[Content_Types].xml": HEADER + types,
        "_rels/.rels": HEADER + relations([("officeDocument", "word/document.xml")]),
        "word/document.xml": HEADER + main, "word/styles.xml": HEADER + styles, "word/numbering.xml": HEADER + numbering,
        "word/_rels/document.xml.rels": HEADER + relations([("styles", "styles.xml"), ("numbering", "numbering.xml")]),
    })


def relations(targets):
    listed = "".join(f'<Relationship Id="r{index}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
                     for index, (kind, target) in enumerate(targets, 1))
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{listed}</Relationships>'


def docx_elements(elements, width):
    out = []
    for element in elements:
        if isinstance(element, Paragraph):
            out.append(docx_paragraph(element, width))
        elif isinstance(element, PageBreak):
            out.append('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')
        elif isinstance(element, Table):
            rows = [[cell_paragraphs(cell) for cell in row] for row in element.rows]
            out.append(docx_table(rows, element.widths, width))
        elif isinstance(element, Columns):
            out.append(docx_table([[part for _, part in element.parts]], [share for share, _ in element.parts], width))
    return "".join(out)


def docx_table(rows, widths, width):
    shares = [width * share / sum(widths) for share in widths]
    grid = "".join(f'<w:gridCol w:w="{int(share * 20)}"/>' for share in shares)
    lines = []
    for row in rows:
        cells = "".join(
            f'<w:tc><w:tcPr><w:tcW w:w="{int(share * 20)}" w:type="dxa"/></w:tcPr>{docx_elements(cell, share) or "<w:p/>"}</w:tc>'
            for cell, share in zip(row, shares))
        lines.append(f"<w:tr>{cells}</w:tr>")
    return f'<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{"".join(lines)}</w:tbl>'


def docx_paragraph(p, width):
    properties = ""
    if p.heading:
        properties += '<w:pStyle w:val="Heading1"/>'
    if p.bullet:
        properties += '<w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    if p.right:
        properties += f'<w:tabs><w:tab w:val="right" w:pos="{int(width * 20)}"/></w:tabs>'
    if p.before:
        properties += f'<w:spacing w:before="{int(p.before * 20)}"/>'
    if p.align != "left":
        properties += f'<w:jc w:val="{p.align}"/>'
    style = f'<w:rPr>{"<w:b/>" if p.bold else ""}{"<w:i/>" if p.italic else ""}<w:sz w:val="{int(p.size * 2)}"/></w:rPr>'
    parts = "<w:br/>".join(f'<w:t xml:space="preserve">{escape(part)}</w:t>' for part in p.text.split("\n"))
    right = f'<w:r>{style}<w:tab/><w:t>{escape(p.right)}</w:t></w:r>' if p.right else ""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r>{style}{parts}</w:r>{right}</w:p>"


# ODT

ODF = "urn:oasis:names:tc:opendocument:xmlns"


def odt(document):
    names = " ".join(f'xmlns:{name}="{ODF}:{name}:1.0"' for name in ("office", "text", "table", "style"))
    styles = '<office:automatic-styles><style:style style:name="P1" style:family="paragraph"/></office:automatic-styles>'
    content = (f'<office:document-content {names} office:version="1.3">{styles}<office:body><office:text>'
               f"{odt_elements(document.elements, [0])}</office:text></office:body></office:document-content>")
    manifest = (f'<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0" manifest:version="1.3">'
                '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
                '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>')
    return archive({
        "mimetype": "application/vnd.oasis.opendocument.text", "content.xml": HEADER + content,
        "META-INF/manifest.xml": HEADER + manifest,
    }, stored=("mimetype",))


def odt_elements(elements, tables):
    out = []
    for element in elements:
        if isinstance(element, Paragraph):
            text = "<text:line-break/>".join(escape(part) for part in element.text.split("\n"))
            if element.right:
                text += f"<text:tab/>{escape(element.right)}"
            if element.heading:
                out.append(f'<text:h text:outline-level="1">{text}</text:h>')
            elif element.bullet:
                out.append(f"<text:list><text:list-item><text:p>{text}</text:p></text:list-item></text:list>")
            else:
                out.append(f'<text:p text:style-name="P1">{text}</text:p>')
        elif isinstance(element, (Table, Columns)):
            rows = ([[cell_paragraphs(cell) for cell in row] for row in element.rows] if isinstance(element, Table)
                    else [[part for _, part in element.parts]])
            tables[0] += 1
            cells = "".join("<table:table-row>" + "".join(
                f"<table:table-cell>{odt_elements(cell, tables)}</table:table-cell>" for cell in row) + "</table:table-row>"
                for row in rows)
            out.append(f'<table:table table:name="Table{tables[0]}"><table:table-column '
                       f'table:number-columns-repeated="{len(rows[0])}"/>{cells}</table:table>')
    return "".join(out)


# RTF

def rtf(document):
    body = rtf_elements(document.elements, document.page[0] - 2 * document.margin)
    return (r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Helvetica;}}{\info{\author Nobody}}" + "\n" + body + "}").encode("ascii")


def rtf_text(text):
    out = []
    for character in text:
        code = ord(character)
        if character in "\\{}":
            out.append("\\" + character)
        elif character == "\n":
            out.append("\\line ")
        elif code < 0x80:
            out.append(character)
        elif 0xA0 <= code <= 0xFF and code % 2:
            # Some writers use the code page, some Unicode.
            out.append(f"\\'{code:02x}")
        elif code < 0x10000:
            out.append(f"\\u{code if code < 0x8000 else code - 0x10000}?")
    return "".join(out)


def rtf_elements(elements, width, in_table=False):
    out = []
    for element in elements:
        if isinstance(element, Paragraph):
            bullet = r"{\pntext\f0 \'b7\tab}" if element.bullet else ""
            style = ("\\b" if element.bold else "") + ("\\i" if element.italic else "") + f"\\fs{int(element.size * 2)} "
            right = "\\tab " + rtf_text(element.right) if element.right else ""
            align = {"center": "\\qc", "right": "\\qr"}.get(element.align, "")
            tabs = f"\\tqr\\tx{int(width * 20)}" if element.right else ""
            table = "\\intbl" if in_table else ""
            out.append(f"\\pard{table}{align}{tabs}{bullet}{{{style}{rtf_text(element.text)}{right}}}\\par\n")
        elif isinstance(element, PageBreak):
            out.append("\\page\n")
        elif isinstance(element, Table):
            out += [rtf_row([cell_paragraphs(cell) for cell in row], element.widths, width) for row in element.rows]
        elif isinstance(element, Columns):
            out.append(rtf_row([part for _, part in element.parts], [share for share, _ in element.parts], width))
    return "".join(out)


def rtf_row(cells, widths, width):
    edges, edge = "", 0
    for share in widths:
        edge += width * share / sum(widths)
        edges += f"\\cellx{int(edge * 20)}"
    # The last paragraph of a cell ends with \cell instead of \par.
    content = "".join(rtf_elements(cell, width, in_table=True).removesuffix("\\par\n") + "\\cell\n" for cell in cells)
    return f"\\trowd{edges}\n{content}\\row\n"
