/// Objects packed together into a stream (ISO 32000-1, 7.5.7).
struct PDFObjectStream {
    private let bytes: [UInt8]
    /// Where each object begins, in the stream's order.
    private let places: [(number: Int, place: Int)]

    /// - Parameter bytes: the stream's data, unpacked.
    init?(_ bytes: [UInt8], _ entries: PDFDictionary) {
        guard entries["/Type"]?.name == "/ObjStm", let count = entries["/N"]?.integer, count > 0,
            let first = entries["/First"]?.integer, (0...bytes.count).contains(first)
        else { return nil }
        var scanner = PDFScanner(bytes[..<first])
        var places: [(Int, Int)] = []
        while places.count < count, let number = scanner.value()?.integer, let offset = scanner.value()?.integer {
            if offset >= 0, offset < bytes.count - first { places.append((number, first + offset)) }
        }
        self.bytes = bytes
        self.places = places
    }

    /// Reads a stream that lies open in a file, as far as the file goes.
    ///
    /// - Parameter place: where its dictionary begins.
    init?(of file: borrowing RawSpan, at place: Int) {
        let head = Self.bytes(of: file, place, count: 16 << 10)
        var scanner = PDFScanner(head[...])
        guard let entries = scanner.value()?.dictionary, scanner.value()?.bytes.elementsEqual("stream".utf8) == true
        else {
            return nil
        }
        scanner.skipEndOfLine()
        // What inflates says itself where it ends.
        let data = Self.bytes(of: file, place + scanner.place, count: entries["/Length"]?.integer ?? Self.longestPacked)
        guard let bytes = PDFStream.decoded(data[...], entries) else { return nil }
        self.init(bytes, entries)
    }

    private static let longestPacked = 1 << 20

    private static func bytes(of file: borrowing RawSpan, _ place: Int, count: Int) -> [UInt8] {
        let end = min(file.byteCount, place + max(0, min(count, longestPacked)))
        return (place..<max(place, end)).map { file.unsafeLoadUnaligned(fromByteOffset: $0, as: UInt8.self) }
    }

    /// The objects and their numbers, in the stream's order, as far as they are whole.
    var objects: [(number: Int, value: PDFPiece)] {
        places.compactMap { number, place in
            var scanner = PDFScanner(bytes[place...])
            return scanner.value().map { (number, $0) }
        }
    }

    /// An object by its number.
    func object(_ number: Int) -> PDFPiece? {
        guard let place = places.first(where: { $0.number == number })?.place else { return nil }
        var scanner = PDFScanner(bytes[place...])
        return scanner.value()
    }
}
