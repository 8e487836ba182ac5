internal import Media
package import Rendering

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
    ///   - leastPixelCount: of pictures that are looked at.
    /// - Throws: where there is nothing to make lighter, or the document is not plain.
    package static func file(
        of source: Source, page: Int, scale: Double, leastPixelCount: Int = leastPixelCount
    ) throws(NotPlain) -> UpdatedFile {
        let tables = try NotPlain.unless { () throws(Failure) in try PDFTables(source, for: page) }
        guard let tables else { throw NotPlain("no tables of objects") }
        return try file(of: source, tables, scale: scale, leastPixelCount: leastPixelCount)
    }

    static func file(
        of source: Source, _ tables: PDFTables, scale: Double, leastPixelCount: Int = leastPixelCount
    ) throws(NotPlain) -> UpdatedFile {
        guard tables.objects.trailer["/Encrypt"] == nil else { throw NotPlain("encrypted") }
        guard let page = tables.findings.page else { throw NotPlain("no such page") }
        var drawn = try DrawnPictures(of: page, in: tables.objects, leastPixelCount: leastPixelCount)
        var changes = tables.findings.changes
        let repairCount = changes.count
        for (number, size) in drawn.sizes {
            let pixels = (width: size.width * scale, height: size.height * scale)
            // What cannot be reduced stays as it is.
            if let picture = try? ReducedPicture(drawn.streams[number]!, drawnOn: pixels, in: source, &drawn.objects) {
                changes.append((number, picture.written[...]))
            }
        }
        guard changes.count > repairCount, let update = PDFUpdate(changes, of: tables.objects, after: source.byteCount)
        else { throw NotPlain("no picture that could be smaller") }
        return try NotPlain.unless { () throws(Failure) in try UpdatedFile(source, adding: update.bytes) }
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
