package import Formats
package import Media
internal import Rendering

/// Whether a page brings every font that it can draw with (ISO 32000-1, 9.9): then no font of the machine is looked for.
///
/// All that its resources name is looked at, used or not, and forms, patterns and masks with theirs. What is not plain counts
/// as a font that is missing.
package struct EmbeddedFonts {
    /// How many objects are looked at: finding the machine's fonts takes no longer.
    private var objectsLeft = 64

    private static let deepest = 4

    /// Whether the file's own tables let one tell that for a page by its index, and it is so.
    package static func cover(page pageIndex: Int, of source: Source) throws(Failure) -> Bool {
        try PDFTables(source, for: pageIndex)?.findings.bringsItsFonts == true
    }

    static func cover(_ page: PDFPageTree.Page, _ objects: inout PDFObjects) throws(Failure) -> Bool {
        var fonts = EmbeddedFonts()
        // Annotations and form fields have fonts of their own.
        guard try fonts.hasNothing(page.entries["/Annots"], &objects),
            let resources = try fonts.look(page.attribute("/Resources"), &objects)?.dictionary
        else { return false }
        return try fonts.cover(resources, &objects, depth: 0)
    }

    private mutating func cover(
        _ resources: PDFDictionary, _ objects: inout PDFObjects, depth: Int
    ) throws(Failure) -> Bool {
        guard depth <= Self.deepest else { return false }
        guard let fonts = try entries(of: "/Font", resources, &objects),
            let states = try entries(of: "/ExtGState", resources, &objects),
            let forms = try entries(of: "/XObject", resources, &objects),
            let patterns = try entries(of: "/Pattern", resources, &objects)
        else { return false }
        for font in fonts {
            guard let font = try look(font, &objects)?.dictionary, try isEmbedded(font, &objects) else { return false }
        }
        for state in states {
            guard let state = try look(state, &objects)?.dictionary, state["/Font"] == nil else { return false }
            guard let mask = state["/SMask"], mask.name == nil else { continue }
            guard let form = try look(mask, &objects)?.dictionary?["/G"], try coversForm(form, &objects, depth) else {
                return false
            }
        }
        for part in forms + patterns {
            guard try coversForm(part, &objects, depth) else { return false }
        }
        return true
    }

    /// Whether a form, a pattern or a picture draws with fonts that the file brings.
    private mutating func coversForm(
        _ piece: PDFPiece?, _ objects: inout PDFObjects, _ depth: Int
    ) throws(Failure) -> Bool {
        guard let part = try look(piece, &objects)?.dictionary else { return false }
        if part["/Subtype"]?.name == "/Image" || part["/PatternType"]?.integer == 2 { return true }
        // A form without resources uses the page's.
        guard let own = part["/Resources"] else { return true }
        guard let resources = try look(own, &objects)?.dictionary else { return false }
        return try cover(resources, &objects, depth: depth + 1)
    }

    private mutating func isEmbedded(_ font: PDFDictionary, _ objects: inout PDFObjects) throws(Failure) -> Bool {
        var font = font
        if font["/Subtype"]?.name == "/Type0" {
            guard let descendant = try look(font["/DescendantFonts"], &objects)?.elements?.first,
                let inner = try look(descendant, &objects)?.dictionary
            else { return false }
            font = inner
        }
        guard let descriptor = try look(font["/FontDescriptor"], &objects)?.dictionary else { return false }
        for key in ["/FontFile", "/FontFile2", "/FontFile3"] {
            if descriptor[key]?.reference != nil { return try look(descriptor[key], &objects)?.dictionary != nil }
        }
        return false
    }

    private mutating func hasNothing(_ piece: PDFPiece?, _ objects: inout PDFObjects) throws(Failure) -> Bool {
        guard let piece else { return true }
        return try look(piece, &objects)?.elements?.isEmpty == true
    }

    /// What resources of a kind there are; `nil` where that cannot be seen.
    private mutating func entries(
        of key: String, _ resources: PDFDictionary, _ objects: inout PDFObjects
    ) throws(Failure) -> [PDFPiece]? {
        guard let piece = resources[key] else { return [] }
        return try look(piece, &objects)?.dictionary?.entries.map(\.value)
    }

    /// What a value stands for; `nil` where too much was looked at already.
    private mutating func look(_ piece: PDFPiece?, _ objects: inout PDFObjects) throws(Failure) -> PDFPiece? {
        if piece?.reference != nil { objectsLeft -= 1 }
        return objectsLeft < 0 ? nil : try objects.resolved(piece)
    }
}
