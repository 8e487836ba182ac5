internal import Formats
internal import Media

/// A knockout group (ISO 32000-1, 11.4.6) rewritten for Poppler: each object in such a group composites only with the
/// group's backdrop, not with the objects before it.
///
/// Poppler lets cairo knock out until a graphics state names a blend mode, even `Normal`: then the names are removed.
/// That is not enough if the group does blend, or if Splash draws the page, since Splash ignores `/K`. In these cases
/// each later, translucent area is clipped out of all objects before it. Objects that cannot be clipped out of others
/// (text, strokes, images, clipped areas) are painted over them.
enum KnockoutGroup {
    /// The form XObject rewritten, dictionary and content; `nil` if nothing would change or the form is not supported.
    static func form(_ number: Int, drawnBySplash: Bool, _ objects: inout IndirectObjects) throws(Failure) -> [UInt8]? {
        guard var (entries, _) = try objects.stream(number),
            var content = try objects.decodedData(ofStream: number),
            var resources = try objects.resolved(entries["/Resources"])?.dictionary,
            var group = try objects.resolved(entries["/Group"])?.dictionary,
            let states = try GraphicsStates(resources, &objects)
        else { return nil }
        if drawnBySplash || states.areBlending {
            guard let box = try objects.resolved(entries["/BBox"])?.elements?.compactMap(\.number), box.count == 4,
                let clipped = KnockoutMarks(in: content, states)?.clipped(content, within: PDFRectangle(box))
            else { return nil }
            content = clipped
            group["/K"] = nil
            entries["/Group"] = PDFObject(group)
        } else {
            guard states.nameBlendModes else { return nil }
            resources["/ExtGState"] = states.withoutBlendModes
            entries["/Resources"] = PDFObject(resources)
        }
        return entries.stream(content)
    }
}
