package import Formats
package import Media

/// A document whose page has smaller images: an incremental update replaces its large images by images decoded at a
/// reduced size.
///
/// Poppler decodes every image at full size, which takes most of the time of a scanned page. With the update it draws
/// the same page and all other contents from only as many samples as are visible.
package enum LighterDocument {
    /// Smaller images are not replaced: they take little time to decode.
    package static let leastPixelCount = 1 << 20

    /// The file with the update appended.
    ///
    /// - Parameters:
    ///   - page: the page's index.
    ///   - scale: pixels per point of the drawing.
    ///   - drawn: the whole page in pixels; `nil` if it is drawn at several sizes.
    ///   - threadCount: the number of threads that may decode an image.
    ///   - leastPixelCount: smaller images are not replaced.
    /// - Throws: `NotReducible` if no image can be replaced.
    package static func file(
        of source: Source, page: Int, scale: Double, drawn: PixelSize? = nil, threadCount: Int = 1,
        leastPixelCount: Int = leastPixelCount
    ) throws(NotReducible) -> UpdatedFile {
        let document = try NotReducible.unless { () throws(Failure) in try ParsedDocument(source, for: page) }
        guard let document else { throw NotReducible("damaged cross-reference sections") }
        return try file(
            of: source, document, scale: scale, drawn: drawn, threadCount: threadCount, leastPixelCount: leastPixelCount
        )
    }

    /// The file with the update appended; the update also has the changes that were found before.
    static func file(
        of source: Source, _ document: ParsedDocument, scale: Double, drawn size: PixelSize?, threadCount: Int,
        leastPixelCount: Int = leastPixelCount
    ) throws(NotReducible) -> UpdatedFile {
        guard document.objects.trailer["/Encrypt"] == nil else { throw NotReducible("encrypted") }
        guard let page = document.findings.page else { throw NotReducible("no such page") }
        var images = try DrawnImages(of: page, in: document.objects, leastPixelCount: leastPixelCount)
        var changes = document.findings.changes
        let repairCount = changes.count
        for (number, placement) in images.placements {
            let area =
                size.flatMap { document.findings.exactSize(of: placement, onPage: $0) }.map(ReducedImage.Area.exactly)
                ?? .about(width: placement.width * scale, height: placement.height * scale)
            // An image that cannot be reduced stays as it is.
            if let image = try? ReducedImage(
                images.streams[number]!, drawnOn: area, in: source, threadCount: threadCount, &images.objects)
            {
                changes.append((number, image.body[...]))
            }
        }
        guard changes.count > repairCount,
            let update = IncrementalUpdate(changes, of: document.objects, after: source.byteCount)
        else { throw NotReducible("no image that could be smaller") }
        return try NotReducible.unless { () throws(Failure) in try UpdatedFile(source, appending: update.bytes) }
    }
}

extension PageFindings {
    /// The size in pixels, along the image's own sides, of an image that covers the whole page; `nil` for other images.
    fileprivate func exactSize(of placement: DrawnImages.Placement, onPage page: PixelSize) -> PixelSize? {
        guard let shown, let upright = placement.upright else { return nil }
        let sides = shown.isOnItsSide ? (page.height, page.width) : (page.width, page.height)
        // An error of a fiftieth of a pixel is invisible.
        let pixel = min(shown.rectangle.width / Double(sides.0), shown.rectangle.height / Double(sides.1))
        guard upright.rectangle.isNear(shown.rectangle, within: pixel / 50) else { return nil }
        return upright.isOnItsSide
            ? PixelSize(width: sides.1, height: sides.0) : PixelSize(width: sides.0, height: sides.1)
    }
}
