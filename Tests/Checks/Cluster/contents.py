"""Files to upload: variants of samples/ with bytes of their own, pages with a look of their own, and files that no renderer can show."""

import hashlib
import os
import struct

# A page that no other content looks like, so that a picture at the wrong place is noticed; and a file that is not a page.
OWN_PAGE, BROKEN_PAGE = "own page", "broken page"
# Sample, type of document, and extension.
SHAPES = [
    ("page-1.pdf", "transcript", "pdf"), ("pages-24.pdf", "resume", "pdf"), ("rotate-90.pdf", "rec_letter", "pdf"),
    ("image.pdf", "questionnaire", "pdf"), ("h264.mp4", "highlight_video", "mp4"), ("rotate-90.mp4", "highlight_video", "mp4"),
    ("index-at-end.mp4", "highlight_video", "mp4"), ("stats.csv", "stats_sheet", "csv"), ("transcript.txt", "transcript", "txt"),
    ("resume.docx", "resume", "docx"), ("letter.doc", "questionnaire", "doc"),
    ("truncated.pdf", "rec_letter", "pdf"), ("password.pdf", "transcript", "pdf"),
    *[(OWN_PAGE, type, "pdf") for type in ("transcript", "resume", "rec_letter", "questionnaire") * 2],
    (BROKEN_PAGE, "transcript", "pdf"), (BROKEN_PAGE, "questionnaire", "pdf"),
]
# So that some uploads have several parts, and take a while.
LARGE_SHARE, LARGE_BYTE_COUNT = 0.02, 18 << 20
SHARED_SHARE = 0.12


class Content:
    def __init__(self, data, type, extension):
        self.bytes, self.type, self.extension = data, type, extension
        self.digest = hashlib.sha256(data).hexdigest()


class Contents:
    """Makes contents from a sequence of random numbers, and keeps each in a folder, for those who judge the pictures."""

    def __init__(self, samples, folder):
        self.folder, self.samples = folder, {}
        os.makedirs(folder)
        for name, _, _ in SHAPES:
            if name in (OWN_PAGE, BROKEN_PAGE):
                continue
            with open(os.path.join(samples, name), "rb") as file:
                self.samples[name] = file.read()
        self.shared, self.paths = [], {}

    def make(self, random, number, type=None, is_small=False):
        """The next content, of a type where one is given."""
        known = [content for content in self.shared[-40:] if type in (None, content.type)]
        if known and random.random() < SHARED_SHARE:
            return random.choice(known)
        name, of_type, extension = random.choice([shape for shape in SHAPES if type in (None, shape[1])])
        padding = LARGE_BYTE_COUNT if not is_small and extension == "mp4" and random.random() < LARGE_SHARE * 4 else 0
        if name == OWN_PAGE:
            data = own_page(number, random)
        elif name == BROKEN_PAGE:
            data = b"%PDF-1.4\n" + random.randbytes(3000).hex().encode()
        else:
            data = self.variant(self.samples[name], extension, number, random, padding)
        content = Content(data, of_type, extension)
        self.paths[content.digest] = path = os.path.join(self.folder, "%s.%s" % (content.digest, extension))
        with open(path, "wb") as file:
            file.write(content.bytes)
        if not padding:
            self.shared.append(content)
        return content

    @staticmethod
    def variant(data, extension, number, random, padding):
        mark = b"variant %s" % str(number).encode()
        if extension == "pdf":
            return data + b"\n% " + mark + b" " + random.randbytes(random.choice([8, 4000, 60_000])).hex().encode() + b"\n"
        if extension == "mp4":
            filler = mark + random.randbytes(padding or random.choice([8, 30_000]))
            return data + struct.pack(">I4s", 8 + len(filler), b"free") + filler
        if extension in ("csv", "txt"):
            return data + mark.replace(b" ", b",") + b"\n"
        if extension == "docx":
            # The comment of the archive: its length stands in the last two bytes of an archive without one.
            return data[:-2] + struct.pack("<H", len(mark)) + mark
        return data + bytes(-len(data) % 512) + mark.ljust(512, b"\0")


def own_page(number, random):
    """A page with its number, and rectangles of random places and colours."""
    marks = "".join("%.2f %.2f %.2f rg %d %d %d %d re f\n" % (
        *(random.random() for _ in range(3)), *(random.randrange(20, 300) for _ in range(4))) for _ in range(12))
    text = (marks + "BT /F1 60 Tf 0 g 20 250 Td (Page %d) Tj ET\n" % number).encode()
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
               b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text), b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    data, places = b"%PDF-1.4\n", []
    for index, content in enumerate(objects):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (index + 1, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (table, len(data))
