internal import Media

/// Recognises packages of Pages, Numbers and Keynote, from 2009 (XML) and since 2013 (`.iwa` archives).
enum AppleDocument {
    private static let pages = MediaType(rawValue: "application/vnd.apple.pages")
    private static let numbers = MediaType(rawValue: "application/vnd.apple.numbers")
    private static let keynote = MediaType(rawValue: "application/vnd.apple.keynote")

    /// The media type of a package; `nil` if it is none of the three.
    static func mediaType(of parts: PackageParts, _ source: BoundedSource) throws(Failure) -> MediaType? {
        if parts["index.apxl"] != nil { return keynote }
        if let index = parts["index.xml"], let text = try index.content(in: source, limit: 4096) {
            return byRoot(MarkupOpening(text).root)
        }
        guard let document = parts["index/document.iwa"] else { return nil }
        if slides.contains(where: parts.hasName(beginningWith:)) { return keynote }
        return try document.content(in: source, limit: 64).flatMap(byRootObject)
    }

    private static let slides = ["index/slide", "index/masterslide", "index/templateslide"]

    private static func byRoot(_ root: MarkupTag?) -> MediaType? {
        switch root?.name {
        case "sl:document": pages
        case "ls:document": numbers
        case "key:presentation": keynote
        default: nil
        }
    }

    /// The type by the first object of an archive.
    ///
    /// An archive is a chunk header, Snappy's length and literal tag, then a Protocol Buffers message: field 1 is the
    /// object's number 1, and field 2 holds its type in a field 1. The root object has type 10000 in Pages, 1 in
    /// Numbers.
    private static func byRootObject(_ archive: Bytes) -> MediaType? {
        let pagesRoot: [UInt8] = [0x90, 0x4E]
        for offset in 4..<24 where archive.has([0x08, 0x01, 0x12], at: offset) && archive[offset + 4] == 0x08 {
            return archive.has(pagesRoot, at: offset + 5) ? pages : archive[offset + 5] == 1 ? numbers : nil
        }
        return nil
    }
}
