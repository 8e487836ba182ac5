internal import Formats
internal import Media
internal import Rendering

/// One part of a file's cross-reference table, in either of its forms.
struct PDFSection {
    /// The trailer's entries, or those of the stream, which hold the same.
    let trailer: PDFDictionary
    private let form: Form

    private enum Form {
        /// Rows of 20 bytes in the file itself; `place` is that of the first.
        case table([(first: Int, count: Int, place: Int64)])
        case stream([UInt8], widths: [Int], [(first: Int, count: Int)])
    }

    /// Where an object lies.
    enum Place {
        case at(Int64)
        case packed(stream: Int, index: Int)
        case free
    }

    private static let mostParts = 4096

    /// `nil` where no part of a table lies at the place.
    init?(_ source: Source, at place: Int64) throws(Failure) {
        guard place >= 0, place < source.byteCount else { return nil }
        var scanner = PDFScanner(try source.bytes(at: place, count: 16)[...])
        if scanner.value()?.bytes.elementsEqual("xref".utf8) == true {
            try self.init(tableIn: source, after: place + Int64(scanner.place))
        } else {
            try self.init(streamIn: source, at: place)
        }
    }

    private init?(tableIn source: Source, after start: Int64) throws(Failure) {
        var place = start
        var parts: [(first: Int, count: Int, place: Int64)] = []
        while parts.count < Self.mostParts {
            let bytes = try source.bytes(at: place, count: 64)
            var scanner = PDFScanner(bytes[...])
            guard let word = scanner.value() else { return nil }
            if word.bytes.elementsEqual("trailer".utf8) {
                guard let trailer = try Self.trailer(source, at: place + Int64(scanner.place)) else { return nil }
                self.trailer = trailer
                form = .table(parts)
                return
            }
            guard let first = word.integer, let count = scanner.value()?.integer, first >= 0,
                (0...10_000_000).contains(count)
            else { return nil }
            var rows = scanner.place
            while rows < bytes.count, bytes[rows].isWhiteSpace { rows += 1 }
            parts.append((first, count, place + Int64(rows)))
            place += Int64(rows) + 20 * Int64(count)
        }
        return nil
    }

    private static func trailer(_ source: Source, at place: Int64) throws(Failure) -> PDFDictionary? {
        var scanner = PDFScanner(try source.bytes(at: place, count: 16 << 10)[...])
        return scanner.value()?.dictionary
    }

    private init?(streamIn source: Source, at place: Int64) throws(Failure) {
        guard let object = try PDFObject(source, at: place, number: nil), let entries = object.value.dictionary,
            entries["/Type"]?.name == "/XRef", let widths = entries["/W"]?.elements?.compactMap(\.integer),
            widths.count == 3, widths.allSatisfy((0...8).contains), let size = entries["/Size"]?.integer,
            let data = try object.data(of: source, byteCount: entries["/Length"]?.integer)
        else { return nil }
        let numbers = entries["/Index"]?.elements?.compactMap(\.integer) ?? [0, size]
        guard numbers.count < 2 * Self.mostParts, numbers.allSatisfy((0...100_000_000).contains) else { return nil }
        trailer = entries
        form = .stream(
            data, widths: widths,
            stride(from: 0, to: numbers.count - 1, by: 2).map {
                (numbers[$0], numbers[$0 + 1])
            })
    }

    /// Where an object lies; `nil` where this part says nothing of it.
    func place(of number: Int, in source: Source) throws(Failure) -> Place? {
        switch form {
        case .table(let parts):
            guard let part = parts.first(where: { number >= $0.first && number - $0.first < $0.count }) else {
                return nil
            }
            return Self.place(try source.bytes(at: part.place + 20 * Int64(number - part.first), count: 18))
        case .stream(let data, let widths, let parts):
            var row = 0
            for part in parts {
                if number >= part.first, number - part.first < part.count {
                    return Self.place(data, widths, row + number - part.first)
                }
                row += part.count
            }
            return nil
        }
    }

    /// `0000000016 00000 n` (ISO 32000-1, 7.5.4).
    private static func place(_ row: [UInt8]) -> Place? {
        guard row.count == 18, row[10] == 32, row[16] == 32 else { return nil }
        let digits = row[..<10].compactMap(\.digit)
        guard digits.count == 10 else { return nil }
        return row[17] == UInt8(ascii: "n") ? .at(digits.reduce(0) { $0 * 10 + Int64($1) }) : .free
    }

    /// ISO 32000-1, table 18.
    private static func place(_ data: [UInt8], _ widths: [Int], _ row: Int) -> Place? {
        var start = row * widths.reduce(0, +)
        guard start + widths.reduce(0, +) <= data.count else { return nil }
        let fields = widths.map { width -> UInt64 in
            defer { start += width }
            return data[start..<start + width].reduce(0) { $0 << 8 | UInt64($1) }
        }
        switch widths[0] == 0 ? 1 : fields[0] {
        case 0: return .free
        case 1: return Int64(exactly: fields[1]).map { .at($0) }
        case 2: return .packed(stream: Int(truncatingIfNeeded: fields[1]), index: Int(truncatingIfNeeded: fields[2]))
        default: return nil
        }
    }
}
