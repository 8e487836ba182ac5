package import Formats
package import Media

/// Whether a page embeds every font that it can use (ISO 32000-1, 9.9): if so, no font of the machine is needed.
///
/// All fonts that the resources name count, used or not, including the fonts of forms, patterns and soft masks. A font
/// that is damaged or hard to follow counts as missing.
package struct EmbeddedFonts {
    /// The number of objects that may still be read: the search must not take longer than loading the machine's fonts.
    private var objectsLeft = 64

    private static let maximumDepth = 4

    /// Whether the page at an index embeds its fonts; `false` if the document is damaged.
    package static func cover(page pageIndex: Int, of source: Source) throws(Failure) -> Bool {
        try ParsedDocument(source, for: pageIndex)?.findings.embedsItsFonts == true
    }

    /// Whether a page embeds its fonts.
    static func cover(_ page: PageTree.Page, _ objects: inout IndirectObjects) throws(Failure) -> Bool {
        var fonts = EmbeddedFonts()
        // Annotations and form fields have their own fonts.
        guard try fonts.isEmptyArray(page.entries["/Annots"], &objects),
            let resources = try fonts.resolved(page.attribute("/Resources"), &objects)?.dictionary
        else { return false }
        return try fonts.cover(resources, &objects, depth: 0)
    }

    private mutating func cover(
        _ resources: PDFDictionary, _ objects: inout IndirectObjects, depth: Int
    ) throws(Failure) -> Bool {
        guard depth <= Self.maximumDepth else { return false }
        guard let fonts = try entries(of: "/Font", resources, &objects),
            let states = try entries(of: "/ExtGState", resources, &objects),
            let forms = try entries(of: "/XObject", resources, &objects),
            let patterns = try entries(of: "/Pattern", resources, &objects)
        else { return false }
        for font in fonts {
            guard let font = try resolved(font, &objects)?.dictionary, try isEmbedded(font, &objects) else {
                return false
            }
        }
        for state in states {
            guard let state = try resolved(state, &objects)?.dictionary, state["/Font"] == nil else { return false }
            guard let mask = state["/SMask"], mask.name == nil else { continue }
            guard let form = try resolved(mask, &objects)?.dictionary?["/G"], try coversForm(form, &objects, depth)
            else {
                return false
            }
        }
        for part in forms + patterns {
            guard try coversForm(part, &objects, depth) else { return false }
        }
        return true
    }

    /// Whether the fonts of a form, a pattern or an image are embedded.
    private mutating func coversForm(
        _ object: PDFObject?, _ objects: inout IndirectObjects, _ depth: Int
    ) throws(Failure) -> Bool {
        guard let part = try resolved(object, &objects)?.dictionary else { return false }
        if part["/Subtype"]?.name == "/Image" || part["/PatternType"]?.integer == 2 { return true }
        // A form without resources uses the page's resources.
        guard let own = part["/Resources"] else { return true }
        guard let resources = try resolved(own, &objects)?.dictionary else { return false }
        return try cover(resources, &objects, depth: depth + 1)
    }

    private mutating func isEmbedded(_ font: PDFDictionary, _ objects: inout IndirectObjects) throws(Failure) -> Bool {
        var font = font
        if font["/Subtype"]?.name == "/Type0" {
            guard let descendant = try resolved(font["/DescendantFonts"], &objects)?.elements?.first,
                let inner = try resolved(descendant, &objects)?.dictionary
            else { return false }
            font = inner
        }
        guard let descriptor = try resolved(font["/FontDescriptor"], &objects)?.dictionary else { return false }
        for key in ["/FontFile", "/FontFile2", "/FontFile3"] {
            if descriptor[key]?.reference != nil { return try resolved(descriptor[key], &objects)?.dictionary != nil }
        }
        return false
    }

    private mutating func isEmptyArray(_ object: PDFObject?, _ objects: inout IndirectObjects) throws(Failure) -> Bool {
        guard let object else { return true }
        return try resolved(object, &objects)?.elements?.isEmpty == true
    }

    /// The resources of a category; `nil` if they cannot be read.
    private mutating func entries(
        of key: String, _ resources: PDFDictionary, _ objects: inout IndirectObjects
    ) throws(Failure) -> [PDFObject]? {
        guard let category = resources[key] else { return [] }
        return try resolved(category, &objects)?.dictionary?.entries.map(\.value)
    }

    /// The object to which a reference points; `nil` if too many objects have been read.
    private mutating func resolved(
        _ object: PDFObject?, _ objects: inout IndirectObjects
    ) throws(Failure) -> PDFObject? {
        if object?.reference != nil { objectsLeft -= 1 }
        return objectsLeft < 0 ? nil : try objects.resolved(object)
    }
}
