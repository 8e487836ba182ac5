"""PDF documents, written by hand so that every byte is known."""

from .manifest import run
from .picture import CORNERS, LOOK

LETTER = (612, 792)
COLOURS = ["0.86 0.12 0.12", "0.08 0.63 0.24", "0.12 0.24 0.82", "0.94 0.78 0.08"]


def make(samples):
    width, height = LETTER
    size = {"pageWidth": width, "pageHeight": height}
    one = document([page(card(width, height), width, height)], title="Recommendation")
    samples.write_file("page-1.pdf", one, "application/pdf", look=LOOK, pageCount=1, **size, title="Recommendation")
    samples.write_file(
        "Résumé von Zoë – Seite 1.pdf", one, "application/pdf", look=LOOK, pageCount=1, **size, title="Recommendation")
    numbered = [page(card(width, height) + number(n, width, height), width, height) for n in range(1, 25)]
    samples.write_file(
        "pages-24.pdf", document(numbered), "application/pdf", look=f"{LOOK}; page N shows N at the bottom", pageCount=24, **size)
    make_turned(samples)
    make_cropped(samples)
    make_illustrated(samples)
    make_blended(samples)
    make_encrypted(samples, one, size)
    junk = bytes(range(128, 256)) * 8
    samples.write_file("junk-before-header.pdf", junk[:1000] + one, "application/pdf", look=LOOK, pageCount=1, **size)


def make_turned(samples):
    """The content is turned the other way, so that /Rotate sets it upright in landscape."""
    width, height = LETTER
    shown = {"pageCount": 1, "pageWidth": height, "pageHeight": width}
    # A clockwise turn by 90 shows the left edge on top; so the card's top must lie along the left edge.
    left = f"q 0 1 -1 0 {width} 0 cm {card(height, width)} Q"
    samples.write_file(
        "rotate-90.pdf", document([page(left, width, height, "/Rotate 90")]), "application/pdf", look=f"{LOOK}; landscape", **shown)
    right = f"q 0 -1 1 0 0 {height} cm {card(height, width)} Q"
    samples.write_file(
        "rotate-270.pdf", document([page(right, width, height, "/Rotate 270")]), "application/pdf", look=f"{LOOK}; landscape", **shown)


def make_cropped(samples):
    content = f"0 g 0 0 612 792 re f q 1 0 0 1 100 200 cm {card(400, 300)} Q"
    cropped = document([page(content, *LETTER, "/CropBox[100 200 500 500]")])
    samples.write_file(
        "cropbox.pdf", cropped, "application/pdf", look=f"{LOOK}; no black margin", pageCount=1, pageWidth=400, pageHeight=300)


def make_illustrated(samples):
    photo = samples.path("orientation-1.jpg").read_bytes()
    picture = stream(f"/Type/XObject/Subtype/Image/Width 480/Height 320/ColorSpace/DeviceRGB/BitsPerComponent 8"
                     f"/Filter/DCTDecode", photo)
    content = "q 432 0 0 288 90 400 cm /I Do Q BT /F 24 Tf 90 350 Td (A photograph on a page) Tj ET"
    samples.write_file(
        "image.pdf", document([page(content, *LETTER, "", picture)]), "application/pdf",
        look="the F card in the upper half of a white page, a line of text under it", pageCount=1, pageWidth=612, pageHeight=792)


def make_blended(samples):
    """Blending on a page where nothing lies below: the page is a group of its own, and its paper is not part of it."""
    size = {"pageCount": 1, "pageWidth": 612, "pageHeight": 792}
    cover = "/Blended gs 0.91 0.31 0.55 rg 0 396 612 396 re f 0.96 0.58 0.2 rg 0 0 612 396 re f /Plain gs 1 g 186 296 240 200 re f"
    modes = "/ExtGState<</Blended<</BM/Color>>/Plain<</BM/Normal>>>>"
    samples.write_file(
        "cover-design.pdf", document([page(cover, *LETTER, resources=modes)]), "application/pdf",
        look="pink above, orange below, a white rectangle in the middle; blank in viewers that blend with the paper", **size)
    group = "/M gs 0.2 0.5 0.9 rg 106 296 250 250 re f 0.9 0.3 0.2 rg 256 196 250 250 re f"
    form = stream("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Group<</S/Transparency/I true>>"
                  "/Resources<</ExtGState<</M<</BM/Difference>>>>>>", group.encode())
    samples.write_file(
        "difference-group.pdf", document([page("/D gs /I Do", *LETTER, picture=form, resources="/ExtGState<</D<</BM/Difference>>>>")]),
        "application/pdf", look="a blue square and a red one on white, their difference where they overlap", **size)


def make_encrypted(samples, plain, size):
    source = samples.temporary("plain.pdf")
    source.write_bytes(plain)

    def encrypt(name, user, owner, *how):
        run("qpdf", "--allow-weak-crypto", "--static-id", "--static-aes-iv", "--encrypt", user, owner, *how, "--",
            source, samples.path(name))

    encrypt("password.pdf", "secret", "owner", 128, "--use-aes=y")
    samples.add("password.pdf", "application/pdf", "encrypted")
    encrypt("owner-password.pdf", "", "owner", 128, "--use-aes=y")
    samples.add("owner-password.pdf", "application/pdf", look=LOOK, pageCount=1, **size, title="Recommendation")


def card(width, height):
    """The card as page content: fields of colour, their corner at the origin."""
    unit = min(width, height) / 10
    left, bottom = width / 2 - 2 * unit, height / 2 - 3.5 * unit
    parts = [f"0.35 0.47 0.67 rg 0 0 {width} {height} re f 1 g"]
    for x, y, w, h in ((0, 0, 1.2, 7), (0, 5.8, 4, 1.2), (0, 3, 3.2, 1.2)):
        parts.append(f"{left + x * unit:g} {bottom + y * unit:g} {w * unit:g} {h * unit:g} re f")
    side = 1.8 * unit
    corners = ((0, height - side), (width - side, height - side), (0, 0), (width - side, 0))
    for colour, (x, y) in zip(COLOURS, corners):
        parts.append(f"{colour} rg {x:g} {y:g} {side:g} {side:g} re f")
    return " ".join(parts)


def number(value, width, height):
    return f" 1 g BT /F 72 Tf {width / 2 - 20 * len(str(value)):g} {height * 0.05:g} Td ({value}) Tj ET"


def page(content, width, height, extra="", picture=None, resources=""):
    """`picture` is an XObject that the content calls /I, `resources` what else it names."""
    return {"content": content, "box": (width, height), "extra": extra, "picture": picture, "resources": resources}


def stream(entries, data):
    return f"<<{entries}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"


def document(pages, title=None):
    """A document of pages, with a cross-reference table. Object 1 is the catalogue, 2 the page tree, 3 the font."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for item in pages:
        objects.append(stream("", item["content"].encode()))
        contents, resources = len(objects), "/Font<</F 3 0 R>>" + item["resources"]
        if item["picture"]:
            objects.append(item["picture"])
            resources += f"/XObject<</I {len(objects)} 0 R>>"
        box = "0 0 {} {}".format(*item["box"])
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]{item['extra']}/Contents {contents} 0 R"
                       f"/Resources<<{resources}>>>>".encode())
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>".encode()
    trailer = ""
    if title:
        objects.append(f"<</Title({title})>>".encode())
        trailer = f"/Info {len(objects)} 0 R"
    return assembled(objects, trailer)


def assembled(objects, trailer):
    data, offsets = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for index, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{index} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<</Size {len(objects) + 1}/Root 1 0 R{trailer}>>"
    return data + end.encode() + f"\nstartxref\n{len(data)}\n%%EOF\n".encode()
