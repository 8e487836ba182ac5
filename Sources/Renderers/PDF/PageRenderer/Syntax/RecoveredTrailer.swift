/// The end that a document lost: a trailer, made from the objects that are left of a file cut off before its own.
///
/// Poppler finds the objects of a file without a cross-reference table by itself, but not its catalogue: only a trailer names
/// it (ISO 32000-1, 7.5.5). MuPDF looks for the catalogue as this does; and where that or its page tree is lost too,
/// the pages that are left make a new tree, in the file's order.
package struct RecoveredTrailer {
    /// What has to follow the file's bytes. An object that the cut left open is closed first.
    package let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What to try, one after the other; nothing where nothing is left to open: no catalogue and no page, or those that are
    /// left may be encrypted. How a document is encrypted is lost with its trailer.
    package static func candidates(for file: [UInt8]) -> [RecoveredTrailer] {
        var objects = PDFObjectScan()
        objects.read(file.span.bytes)
        var candidates: [RecoveredTrailer] = []
        // A file with object streams has its table in a stream too. If that is left, its place alone is missing.
        if let place = objects.tablePlace {
            candidates.append(RecoveredTrailer(Array("\nstartxref\n\(place)\n%%EOF\n".utf8)))
        }
        guard !objects.isEncrypted else { return candidates }
        let unpacked = unpackedObjects(of: file, in: &objects)
        guard let end = end(for: objects) else { return candidates }
        let bytes = Array("\nendstream\nendobj\n".utf8) + unpacked + "\(end)\n%%EOF\n".utf8
        return candidates + [RecoveredTrailer(bytes)]
    }

    /// More than this is not unpacked: a bound on what a hostile file costs.
    private static let longestUnpacked = 32 << 20

    /// What lies in object streams, which Poppler's own search does not open, as objects of their own.
    private static func unpackedObjects(of file: [UInt8], in objects: inout PDFObjectScan) -> [UInt8] {
        var text: [UInt8] = []
        var readable = longestUnpacked
        let streams = objects.objectStreams
        // Each ends before the next begins, so that no byte is read for two of them.
        for (stream, end) in zip(streams, streams.dropFirst().map(\.place) + [file.count]) where readable > 0 {
            let packed = PDFObjectStream(
                of: file, at: stream.place, before: end, atMost: min(readable, PDFStream.longest))
            guard let packed else { continue }
            readable -= packed.byteCount
            for (number, value) in packed.objects where stream.place > objects.places[number] ?? 0 {
                text += "\(number) 0 obj\n".utf8
                text += value.bytes
                text += "\nendobj\n".utf8
                objects.add(number, packed: value)
            }
        }
        return text
    }

    private static func end(for objects: PDFObjectScan) -> String? {
        let free = objects.largestNumber + 1
        if let catalogue = objects.catalogue, let tree = catalogue.tree, objects.trees.contains(tree) {
            return "trailer\n<</Size \(free)/Root \(catalogue.number) 0 R>>"
        }
        guard !objects.pages.isEmpty else { return nil }
        let kids = objects.pages.map { "\($0) 0 R" }.joined(separator: " ")
        return """
            \(free) 0 obj
            <</Type/Pages/Kids[\(kids)]/Count \(objects.pages.count)>>
            endobj
            \(free + 1) 0 obj
            <</Type/Catalog/Pages \(free) 0 R>>
            endobj
            trailer
            <</Size \(free + 2)/Root \(free + 1) 0 R>>
            """
    }
}
