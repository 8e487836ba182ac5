internal import Media

/// A knockout group (ISO 32000-1, 11.4.6) in words that Poppler understands: in one, what is painted later stands alone on
/// what lies below the group.
///
/// Poppler has cairo replace what was painted before, till a graphics state names a blend mode: even `/BM/Normal` ends that, so it is
/// left out. Where the group does blend, or Splash draws it, which knows nothing of the kind, a translucent area that is
/// filled later is cut out of all that comes before it, by a clip; what cannot be cut out of others – letters, lines,
/// pictures, what is clipped itself – is painted over them.
enum KnockoutGroup {
    /// A form in such words, its dictionary and content; `nil` where nothing would change, or it is not plain.
    static func form(_ number: Int, drawnBySplash: Bool, _ objects: inout PDFObjects) throws(Failure) -> [UInt8]? {
        guard var (entries, _) = try objects.stream(number), var content = try objects.content(number),
            var resources = try objects.resolved(entries["/Resources"])?.dictionary,
            var group = try objects.resolved(entries["/Group"])?.dictionary,
            let states = try GraphicsStates(resources, &objects)
        else { return nil }
        if drawnBySplash || states.areBlending {
            guard let box = try objects.resolved(entries["/BBox"])?.elements?.compactMap(\.number), box.count == 4,
                let cut = KnockoutMarks(in: content, states)?.cut(content, within: PDFBox(box))
            else { return nil }
            content = cut
            group["/K"] = nil
            entries["/Group"] = group.piece
        } else {
            guard states.areNamingModes else { return nil }
            resources["/ExtGState"] = states.withoutModes
            entries["/Resources"] = resources.piece
        }
        return entries.stream(content)
    }
}
