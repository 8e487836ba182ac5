internal import Media

/// One cross-reference section of a file: a table with its trailer (ISO 32000-1, 7.5.4), or a cross-reference stream
/// (7.5.8).
struct CrossReferenceSection {
    /// The entries of the trailer, or of the stream's dictionary, which has the same entries.
    let trailer: PDFDictionary
    private let form: Form

    private enum Form {
        /// Entries of 20 bytes in the file itself; `offset` is the offset of a subsection's first entry.
        case table([(first: Int, count: Int, offset: Int64)])
        /// Entries of three fields in the stream's decoded data.
        case stream([UInt8], widths: [Int], [(first: Int, count: Int)])
    }

    private static let maximumSubsectionCount = 4096

    /// Reads the section at an offset of the file; `nil` if no section begins there.
    init?(_ source: Source, at offset: Int64) throws(Failure) {
        guard offset >= 0, offset < source.byteCount else { return nil }
        var scanner = PDFScanner(try source.bytes(at: offset, count: 16)[...])
        if scanner.nextObject()?.isKeyword("xref") == true {
            try self.init(tableIn: source, at: offset + Int64(scanner.index))
        } else {
            try self.init(streamIn: source, at: offset)
        }
    }

    /// - Parameter start: the offset after the keyword `xref`.
    private init?(tableIn source: Source, at start: Int64) throws(Failure) {
        var offset = start
        var subsections: [(first: Int, count: Int, offset: Int64)] = []
        while subsections.count < Self.maximumSubsectionCount {
            let bytes = try source.bytes(at: offset, count: 64)
            var scanner = PDFScanner(bytes[...])
            guard let object = scanner.nextObject() else { return nil }
            if object.isKeyword("trailer") {
                guard let trailer = try Self.trailer(source, at: offset + Int64(scanner.index)) else { return nil }
                self.trailer = trailer
                form = .table(subsections)
                return
            }
            guard let first = object.integer, let count = scanner.nextObject()?.integer, first >= 0,
                (0...10_000_000).contains(count)
            else { return nil }
            var entries = scanner.index
            while entries < bytes.count, bytes[entries].isWhiteSpace { entries += 1 }
            subsections.append((first, count, offset + Int64(entries)))
            offset += Int64(entries) + 20 * Int64(count)
        }
        return nil
    }

    private static func trailer(_ source: Source, at offset: Int64) throws(Failure) -> PDFDictionary? {
        var scanner = PDFScanner(try source.bytes(at: offset, count: 16 << 10)[...])
        return scanner.nextObject()?.dictionary
    }

    private init?(streamIn source: Source, at offset: Int64) throws(Failure) {
        guard let object = try IndirectObject(source, at: offset, number: nil), let entries = object.value.dictionary,
            entries["/Type"]?.name == "/XRef", let widths = entries["/W"]?.elements?.compactMap(\.integer),
            widths.count == 3, widths.allSatisfy((0...8).contains), let size = entries["/Size"]?.integer,
            let data = try object.decodedData(of: source, byteCount: entries["/Length"]?.integer)
        else { return nil }
        let numbers = entries["/Index"]?.elements?.compactMap(\.integer) ?? [0, size]
        guard numbers.count < 2 * Self.maximumSubsectionCount, numbers.allSatisfy((0...100_000_000).contains)
        else { return nil }
        trailer = entries
        form = .stream(
            data, widths: widths,
            stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) })
    }

    /// The entry of an object; `nil` if the section has no readable one.
    ///
    /// - Parameter source: the file that the section was read from.
    func entry(for number: Int, in source: Source) throws(Failure) -> CrossReferenceEntry? {
        switch form {
        case .table(let subsections):
            guard let subsection = subsections.first(where: { number >= $0.first && number - $0.first < $0.count })
            else {
                return nil
            }
            let offset = subsection.offset + 20 * Int64(number - subsection.first)
            return CrossReferenceEntry(try source.bytes(at: offset, count: 18))
        case .stream(let data, let widths, let subsections):
            var row = 0
            for subsection in subsections {
                if number >= subsection.first, number - subsection.first < subsection.count {
                    return CrossReferenceEntry(data, widths, row: row + number - subsection.first)
                }
                row += subsection.count
            }
            return nil
        }
    }
}
