package import Formats
package import Media
internal import Rendering

/// A document whose page has smaller pictures: an update puts pictures decoded at a reduced size into the place of its own.
///
/// Poppler unpacks every picture whole, which is what a scanned page's time goes to. This way it draws the same page, with
/// everything else that a page may have, from as many samples as show.
package enum LighterDocument {
    /// Smaller pictures cost little to unpack.
    package static let leastPixelCount = 1 << 20

    /// The file with such an update.
    ///
    /// - Parameters:
    ///   - page: the page's index.
    ///   - scale: pixels a point that it is drawn with.
    ///   - drawn: the whole page in pixels; `nil` where it is drawn more than once.
    ///   - threadCount: how many threads may work on it.
    ///   - leastPixelCount: of pictures that are looked at.
    /// - Throws: where there is nothing to make lighter, or the document is not plain.
    package static func file(
        of source: Source, page: Int, scale: Double, drawn: PixelSize? = nil, threadCount: Int = 1,
        leastPixelCount: Int = leastPixelCount
    ) throws(NotPlain) -> UpdatedFile {
        let tables = try NotPlain.unless { () throws(Failure) in try PDFTables(source, for: page) }
        guard let tables else { throw NotPlain("no tables of objects") }
        return try file(
            of: source, tables, scale: scale, drawn: drawn, threadCount: threadCount, leastPixelCount: leastPixelCount)
    }

    static func file(
        of source: Source, _ tables: PDFTables, scale: Double, drawn size: PixelSize?, threadCount: Int,
        leastPixelCount: Int = leastPixelCount
    ) throws(NotPlain) -> UpdatedFile {
        guard tables.objects.trailer["/Encrypt"] == nil else { throw NotPlain("encrypted") }
        guard let page = tables.findings.page else { throw NotPlain("no such page") }
        var drawn = try DrawnPictures(of: page, in: tables.objects, leastPixelCount: leastPixelCount)
        var changes = tables.findings.changes
        let repairCount = changes.count
        for (number, drawing) in drawn.drawings {
            let area =
                size.flatMap { tables.findings.exactSize(of: drawing, onPage: $0) }.map(ReducedPicture.Area.exactly)
                ?? .about(width: drawing.width * scale, height: drawing.height * scale)
            // What cannot be reduced stays as it is.
            if let picture = try? ReducedPicture(
                drawn.streams[number]!, drawnOn: area, in: source, threadCount: threadCount, &drawn.objects)
            {
                changes.append((number, picture.written[...]))
            }
        }
        guard changes.count > repairCount, let update = PDFUpdate(changes, of: tables.objects, after: source.byteCount)
        else { throw NotPlain("no picture that could be smaller") }
        return try NotPlain.unless { () throws(Failure) in try UpdatedFile(source, adding: update.bytes) }
    }
}

extension PDFFindings {
    /// The pixels that a picture is drawn on where it covers the whole page; its own width may be the page's height.
    fileprivate func exactSize(of drawing: DrawnPictures.Drawing, onPage page: PixelSize) -> PixelSize? {
        guard let shown, let upright = drawing.upright else { return nil }
        let sides = shown.isOnItsSide ? (page.height, page.width) : (page.width, page.height)
        // A fiftieth of a pixel shows nowhere.
        let pixel = min(shown.box.width / Double(sides.0), shown.box.height / Double(sides.1))
        guard upright.box.isNear(shown.box, within: pixel / 50) else { return nil }
        return upright.isOnItsSide
            ? PixelSize(width: sides.1, height: sides.0) : PixelSize(width: sides.0, height: sides.1)
    }
}

/// Why a page's pictures are left to Poppler as they are: only what is plain and sound is taken.
package struct NotPlain: Error {
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    /// The value, or why there is none.
    static func unless<Value>(_ body: () throws(Failure) -> Value) throws(NotPlain) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw NotPlain(error.detail)
        }
    }
}
