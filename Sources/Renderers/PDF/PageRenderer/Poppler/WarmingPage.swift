internal import CPoppler
internal import Media

/// A built-in page, drawn once before any file is opened: for it, Poppler, cairo, FreeType and fontconfig build their
/// tables and load their configuration, so that no child has to.
enum WarmingPage {
    static func draw() throws(Failure) {
        SystemFonts.load()
        let document = try PDFDocument(Array(text.utf8))
        // Poppler frees its settings and character maps when the last document closes.
        document.keepOpen()
        let page = try document.page(at: 0)
        let side = PixelSize(width: 72, height: 72)
        _ = try PageSurface(of: page, scaledTo: side, cutTo: PixelArea(x: 0, y: 0, size: side))
    }

    /// A word in a font that is not embedded. There is no cross-reference table: Poppler finds the objects on its own.
    private static let text = """
        %PDF-1.4
        1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
        2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
        3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources <</Font <</F 5 0 R>>>>>> endobj
        4 0 obj <</Length 34>> stream
        BT /F 12 Tf 9 36 Td (Compass) Tj ET
        endstream endobj
        5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
        trailer <</Root 1 0 R>>
        %%EOF
        """
}
