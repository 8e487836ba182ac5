/// A trailer for a document that lost its own (ISO 32000-1, 7.5.5), made from the remaining objects.
///
/// Poppler finds the objects of a file without cross-reference sections on its own, but only a trailer leads it to the
/// document catalogue. As in MuPDF, a search finds the catalogue. If the catalogue or its page tree is lost too, a new
/// tree lists the remaining pages in the file's order.
package struct RecoveredTrailer {
    /// The bytes to append to the file; first they close an object that the truncation left open.
    package let bytes: [UInt8]

    /// Decoding of object streams stops at about this many bytes: a bound on the cost of a hostile file.
    private static let maximumDecodedByteCount = 32 << 20

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The trailers to try in turn.
    ///
    /// There are none if neither a catalogue nor a page remains. If the objects may be encrypted, there is only a
    /// `startxref`: the encryption dictionary is lost with the trailer.
    package static func candidates(for file: [UInt8]) -> [RecoveredTrailer] {
        var objects = ObjectSearch()
        objects.read(file.span.bytes)
        var candidates: [RecoveredTrailer] = []
        // A file with a cross-reference stream may lack only its offset.
        if let offset = objects.crossReferenceStream {
            candidates.append(RecoveredTrailer(Array("\nstartxref\n\(offset)\n%%EOF\n".utf8)))
        }
        guard !objects.isEncrypted else { return candidates }
        let uncompressed = uncompressedObjects(of: file, in: &objects)
        guard let end = end(for: objects) else { return candidates }
        let bytes = Array("\nendstream\nendobj\n".utf8) + uncompressed + "\(end)\n%%EOF\n".utf8
        return candidates + [RecoveredTrailer(bytes)]
    }

    /// The objects of object streams, written as uncompressed objects: Poppler's search does not decode object streams.
    private static func uncompressedObjects(of file: [UInt8], in objects: inout ObjectSearch) -> [UInt8] {
        var text: [UInt8] = []
        var bytesLeft = maximumDecodedByteCount
        let streams = objects.objectStreams
        // Each stream ends at the start of the next: no byte is read for two streams.
        for (stream, end) in zip(streams, streams.dropFirst().map(\.start) + [file.count]) where bytesLeft > 0 {
            let decoded = ObjectStream(
                of: file, at: stream.start, before: end, atMost: min(bytesLeft, StreamFilter.maximumByteCount))
            guard let decoded else { continue }
            bytesLeft -= decoded.byteCount
            for (number, value) in decoded.objects where stream.start > objects.starts[number] ?? 0 {
                text += "\(number) 0 obj\n".utf8
                text += value.bytes
                text += "\nendobj\n".utf8
                objects.add(number, compressed: value)
            }
        }
        return text
    }

    /// The trailer, after a new catalogue and page tree if the file's own are lost.
    private static func end(for objects: ObjectSearch) -> String? {
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
