"""Cases of annotations, form fields and layers, as a viewer shows them on screen."""

import numpy

from case import Case
from measure import patches
from pdf import BLUE, GREEN, PDF, RED, WHITE, YELLOW, Sheet, document, fill
from pdfium import drawn
from reference import known

CELLS = patches(3, grid=(10, 10), core=.6)
BOX = (40, 60, 120, 80)
"""Where an annotation lies: left, bottom, width, height."""
RECT = "/Rect[40 60 160 140]"


def annotated(name, entries, seen=None, measure=CELLS, appearance=None, form="", shows=None, content="", extra="", page_entries="", **options):
    """A page with one annotation. `seen`: the colours painted over its rectangle, or nothing; `appearance`: its form's content,
    entries and box."""
    def write():
        pdf = PDF()
        appearances = ""
        if appearance:
            paint, matrix, box = appearance
            appearances = f"/AP<</N {pdf.form(paint, box, matrix)} 0 R>>"
        number = pdf.add(f"<</Type/Annot{RECT if '/Rect' not in entries else ''}{entries}{appearances}>>")
        if form:
            pdf.catalogue_entries = f"/AcroForm<</Fields[{number} 0 R]{form}>>"
        pdf.page(content, entries=f"/Annots[{number} 0 R]{page_entries}")
        return pdf.data()
    sheet = Sheet()
    for part, colour in seen or ():
        sheet.pixels(*part, colour)
    return Case(name, document(name, write), shows or known(sheet.picture), measure=measure, **options)


GREEN_FORM = (f"{fill(GREEN)}0 0 120 80 re f", "", (0, 0, 120, 80))
WHOLE = [(BOX, GREEN)]
BY_PDFIUM = lambda path: drawn(path, 600)
HELVETICA = "/DR<</Font<</H <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"


def flagged(name, flags, seen):
    return annotated(name, f"/Subtype/Stamp/F {flags}", seen, appearance=GREEN_FORM)


def stated(name, state, colour):
    """A checkbox whose appearance has a state on and one off."""
    def write():
        pdf = PDF()
        on = pdf.form(f"{fill(GREEN)}0 0 120 80 re f", (0, 0, 120, 80))
        off = pdf.form(f"{fill(YELLOW)}0 0 120 80 re f", (0, 0, 120, 80))
        number = pdf.add(f"<</Type/Annot/Subtype/Widget/FT/Btn/T(c)/F 4{RECT}/AS/{state}/V/{state}/AP<</N<</Yes {on} 0 R/Off {off} 0 R>>>>>>")
        pdf.catalogue_entries = f"/AcroForm<</Fields[{number} 0 R]>>"
        pdf.page("", entries=f"/Annots[{number} 0 R]")
        return pdf.data()
    sheet = Sheet().pixels(*BOX, colour)
    return Case(name, document(name, write), known(sheet.picture), measure=CELLS)


ANNOTATIONS = [
    flagged("an annotation with an appearance", 4, WHOLE),
    flagged("an annotation without flags", 0, WHOLE),
    flagged("a hidden annotation", 2, None),
    flagged("an annotation with NoView is not shown on screen", 32, None),
    flagged("an annotation with NoView and Print is not shown on screen", 36, None),
    flagged("an annotation that is printed only on screen too", 4 + 64, WHOLE),
    annotated("an appearance is fitted to its rectangle", "/Subtype/Stamp/F 4", [((40, 60, 60, 80), RED), ((100, 60, 60, 80), GREEN)],
              appearance=(f"{fill(RED)}100 100 10 20 re f {fill(GREEN)}110 100 10 20 re f", "", (100, 100, 120, 120))),
    annotated("an appearance is turned by its matrix", "/Subtype/Stamp/F 4", [((40, 100, 120, 40), GREEN), ((40, 60, 120, 40), RED)],
              appearance=(f"{fill(RED)}0 0 50 100 re f {fill(GREEN)}50 0 50 100 re f", "/Matrix[0 1 -1 0 0 0]", (0, 0, 100, 100))),
    annotated("an annotation on a turned page", "/Subtype/Stamp/F 4", appearance=GREEN_FORM, page_entries="/Rotate 90",
              shows=known(numpy.rot90(Sheet().pixels(*BOX, GREEN).picture, -1))),
    annotated("a highlight without an appearance",
              # Acrobat and Poppler round its ends, PDFium does not: they lie beside the page here.
              "/Subtype/Highlight/F 4/C[1 1 0]/Rect[0 60 200 140]/QuadPoints[0 140 200 140 0 60 200 60]", content="0.5 g 0 0 100 200 re f",
              shows=BY_PDFIUM, measure=patches(8, grid=(5, 5), core=.6)),
    annotated("a highlight whose appearance multiplies within a group",
              "/Subtype/Highlight/F 4/C[1 1 0]/QuadPoints[40 140 160 140 40 60 160 60]", content="0.5 g 0 0 100 200 re f",
              appearance=("/M gs 1 1 0 rg 0 0 120 80 re f",
                          "/Group<</S/Transparency>>/Resources<</ExtGState<</M<</BM/Multiply>>>>>>", (0, 0, 120, 80)),
              seen=[((0, 0, 100, 200), (128, 128, 128)), (BOX, (255, 255, 0)), ((40, 60, 60, 80), (128, 128, 0))]),
    annotated("a square without an appearance", "/Subtype/Square/F 4/C[1 0 0]/IC[0 1 0]/BS<</W 8>>", shows=BY_PDFIUM,
              measure=patches(6, grid=(10, 10))),
    annotated("ink without an appearance", "/Subtype/Ink/F 4/C[0 0 1]/BS<</W 8>>/InkList[[50 70 150 130]]", shows=BY_PDFIUM,
              measure=patches(6, grid=(10, 10))),
    annotated("a pop-up that is closed", "/Subtype/Popup/F 4/Open false", None),
    annotated("a link without a border", "/Subtype/Link/F 4/Border[0 0 0]", None),
    # ISO 32000-1, table 164 and Acrobat: a link has a black border of 1 point unless it says otherwise; PDFium and MuPDF draw none.
    annotated("a link's border", "/Subtype/Link/F 4/Border[0 0 6]/C[1 0 0]", [((37, 57, 126, 86), RED), ((43, 63, 114, 74), WHITE)],
              measure=patches(6, grid=(10, 10))),
]

FIELDS = [
    annotated("a text field with an appearance", "/Subtype/Widget/FT/Tx/T(t)/V(x)/F 4/DA(/H 12 Tf 0 g)", WHOLE, appearance=GREEN_FORM, form=HELVETICA),
    annotated("a text field without an appearance, /NeedAppearances", "/Subtype/Widget/FT/Tx/T(t)/V(WWWWWW)/F 4/DA(/H 24 Tf 0 g)",
              form=f"{HELVETICA}/NeedAppearances true", shows=BY_PDFIUM, measure=patches(12, grid=(5, 5))),
    annotated("a field's ground and border, without an appearance",
              "/Subtype/Widget/FT/Tx/T(t)/F 4/DA(/H 12 Tf 0 g)/MK<</BG[1 1 0]/BC[1 0 0]>>/BS<</W 8/S/S>>",
              [(BOX, (255, 0, 0)), ((48, 68, 104, 64), (255, 255, 0))], form=f"{HELVETICA}/NeedAppearances true",
              measure=patches(6, grid=(10, 10))),
    stated("a checkbox that is on", "Yes", GREEN), stated("a checkbox that is off", "Off", YELLOW),
    annotated("a hidden field", "/Subtype/Widget/FT/Tx/T(t)/V(x)/F 2/DA(/H 12 Tf 0 g)", None, appearance=GREEN_FORM, form=HELVETICA),
    annotated("a push button's ground", "/Subtype/Widget/FT/Btn/Ff 65536/T(b)/F 4/DA(/H 12 Tf 0 g)/MK<</BG[0 1 0]>>",
              [(BOX, (0, 255, 0))], form=f"{HELVETICA}/NeedAppearances true", measure=patches(6, grid=(10, 10))),
]


def layered(name, configuration, first, second, usage="", membership=None, mark="BDC"):
    """Two layers, red on the left and blue on the right; `first` and `second` say which is visible."""
    def write():
        pdf = PDF("1.5")
        one = pdf.add(f"<</Type/OCG/Name(one){usage}>>")
        two = pdf.add("<</Type/OCG/Name(two)>>")
        refer = lambda text: text.replace("{1}", f" {one} 0 R ").replace("{2}", f" {two} 0 R ")
        shown = pdf.add(refer(membership)) if membership else one
        pdf.catalogue_entries = refer("/OCProperties<</OCGs[{1}{2}]/D<<" + configuration + ">>>>")
        left, right = f"{fill(RED)}0 0 100 200 re f", f"{fill(BLUE)}100 0 100 200 re f"
        if mark == "BDC":
            pdf.page(f"/OC /A BDC {left} EMC /OC /B BDC {right} EMC", resources=f"/Properties<</A {shown} 0 R/B {two} 0 R>>")
        else:
            forms = [pdf.form(part, (0, 0, 200, 200), f"/OC {number} 0 R") for part, number in ((left, shown), (right, two))]
            pdf.page("/A Do /B Do", resources=f"/XObject<</A {forms[0]} 0 R/B {forms[1]} 0 R>>")
        return pdf.data()
    sheet = Sheet().pixels(0, 0, 100, 200, RED if first else WHITE).pixels(100, 0, 100, 200, BLUE if second else WHITE)
    return Case(name, document(name, write), known(sheet.picture), measure=CELLS)


VIEW_OFF = "/Usage<</View<</ViewState/OFF>>>>"
LAYERS = [
    layered("layers are shown unless they are off", "", True, True),
    layered("a layer that is off", "/OFF[{1}]", False, True),
    layered("a form in a layer that is off", "/OFF[{1}]", False, True, mark="Do"),
    layered("all layers off but one", "/BaseState/OFF/ON[{2}]", False, True),
    layered("a layer that its usage hides on screen, by /AS", "/AS[<</Event/View/Category[/View]/OCGs[{1}{2}]>>]", False, True, VIEW_OFF),
    layered("a layer's usage without /AS does not count", "", True, True, VIEW_OFF),
    layered("a layer that its usage hides in print is shown", "/AS[<</Event/Print/Category[/Print]/OCGs[{1}]>>]", True, True,
            "/Usage<</Print<</PrintState/OFF>>>>"),
    layered("a layer that is off and its usage shows on screen, by /AS", "/OFF[{1}]/AS[<</Event/View/Category[/View]/OCGs[{1}]>>]",
            True, True, "/Usage<</View<</ViewState/ON>>>>"),
    layered("a membership: any on", "/OFF[{1}]", True, True, membership="<</Type/OCMD/OCGs[{1}{2}]/P/AnyOn>>"),
    layered("a membership: all on", "/OFF[{1}]", False, True, membership="<</Type/OCMD/OCGs[{1}{2}]/P/AllOn>>"),
    layered("a membership by an expression", "/OFF[{1}]", True, True, membership="<</Type/OCMD/VE[/Not{1}]>>"),
]

CASES = ANNOTATIONS + FIELDS + LAYERS
