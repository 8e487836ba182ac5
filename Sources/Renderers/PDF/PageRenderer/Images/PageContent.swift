internal import Formats
internal import Media

/// A page's content streams, and the resources that they name.
struct PageContent {
    /// The page's resource dictionary (ISO 32000-1, 7.8.3).
    let resources: PDFDictionary
    /// The object numbers of the content streams, in order.
    private let streams: [Int]

    private static let maximumStreamCount = 64
    private static let maximumByteCount = 4 << 20

    init(of page: PageTree.Page, in objects: inout IndirectObjects) throws(NotReducible) {
        resources = try objects.resolvedForReduction(page.attribute("/Resources"))?.dictionary ?? PDFDictionary()
        let contents = page.entries["/Contents"]
        let parts = try objects.resolvedForReduction(contents)?.elements ?? [contents].compactMap { $0 }
        streams = parts.compactMap(\.reference)
        guard streams.count == parts.count, streams.count <= Self.maximumStreamCount else {
            throw NotReducible("unusual /Contents")
        }
    }

    /// The decoded streams, with white space after each.
    func bytes(in objects: IndirectObjects) throws(NotReducible) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in streams {
            let content = try NotReducible.unless { () throws(Failure) in
                try objects.decodedData(ofStream: number)
            }
            guard let content, bytes.count + content.count <= Self.maximumByteCount else {
                throw NotReducible("content streams that are long, or have another filter than Flate")
            }
            bytes += content
            bytes.append(10)
        }
        return bytes
    }
}

extension IndirectObjects {
    /// The object to which a reference points; any other object unchanged.
    mutating func resolvedForReduction(_ object: PDFObject?) throws(NotReducible) -> PDFObject? {
        do throws(Failure) {
            return try resolved(object)
        } catch {
            throw NotReducible(error.detail)
        }
    }
}
