internal import Media

/// What a page draws, and what its content names.
struct PageContent {
    /// What `Do` may name (ISO 32000-1, 7.8.3).
    let resources: PDFDictionary
    /// The numbers of the streams of its content, one behind the other.
    private let streams: [Int]

    private static let mostStreams = 64
    private static let longest = 4 << 20

    init(of page: PDFPageTree.Page, in objects: inout PDFObjects) throws(NotPlain) {
        resources = try objects.plain(page.attribute("/Resources"))?.dictionary ?? PDFDictionary(entries: [])
        let contents = page.entries["/Contents"]
        let parts = try objects.plain(contents)?.elements ?? [contents].compactMap { $0 }
        streams = parts.compactMap(\.reference)
        guard streams.count == parts.count, streams.count <= Self.mostStreams else { throw NotPlain("odd contents") }
    }

    func bytes(in objects: PDFObjects) throws(NotPlain) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in streams {
            let content = try NotPlain.unless { () throws(Failure) in try objects.content(number) }
            guard let content, bytes.count + content.count <= Self.longest else {
                throw NotPlain("contents that are long, or packed in another way than by Flate")
            }
            bytes += content
            bytes.append(10)
        }
        return bytes
    }
}

extension PDFObjects {
    /// What a value stands for.
    mutating func plain(_ piece: PDFPiece?) throws(NotPlain) -> PDFPiece? {
        do throws(Failure) {
            return try resolved(piece)
        } catch {
            throw NotPlain(error.detail)
        }
    }
}
