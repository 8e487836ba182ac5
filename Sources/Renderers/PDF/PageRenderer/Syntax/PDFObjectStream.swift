/// Objects packed together into a stream (ISO 32000-1, 7.5.7).
struct PDFObjectStream {
    private let bytes: [UInt8]
    /// Where each object should begin, in the stream's order.
    private let places: [(number: Int, place: Int)]

    /// - Parameter bytes: the stream's data, unpacked.
    init?(_ bytes: [UInt8], _ entries: PDFDictionary) {
        guard entries["/Type"]?.name == "/ObjStm", let count = entries["/N"]?.integer, count > 0,
            let first = entries["/First"]?.integer, (0...bytes.count).contains(first)
        else { return nil }
        var scanner = PDFScanner(bytes[..<first])
        var places: [(Int, Int)] = []
        while places.count < count, let number = scanner.value()?.integer, let offset = scanner.value()?.integer {
            // Kept where it lies nowhere too: the index of those that follow counts it.
            places.append((number, offset < 0 ? -1 : first &+ offset))
        }
        self.bytes = bytes
        self.places = places
    }

    /// Reads a stream that lies open in a file, as far as the file goes.
    ///
    /// - Parameters:
    ///   - place: where its dictionary begins.
    ///   - end: where it has to have ended: with the file, or the beginning of the next one.
    ///   - longest: about so much is unpacked, no more.
    init?(of file: [UInt8], at place: Int, before end: Int, atMost longest: Int) {
        var scanner = PDFScanner(file[place..<min(end, place + (16 << 10))])
        guard let entries = scanner.value()?.dictionary, scanner.value()?.bytes.elementsEqual("stream".utf8) == true
        else {
            return nil
        }
        scanner.skipEndOfLine()
        // What inflates says itself where it ends.
        let byteCount = max(0, min(entries["/Length"]?.integer ?? Self.longestPacked, Self.longestPacked))
        let data = file[scanner.place..<min(end, scanner.place + byteCount)]
        guard let bytes = PDFStream.decoded(data, entries, atMost: longest) else { return nil }
        self.init(bytes, entries)
    }

    private static let longestPacked = 1 << 20

    /// Bytes that it holds, unpacked.
    var byteCount: Int { bytes.count }

    /// The numbers of its objects, in the stream's order.
    var numbers: [Int] { places.map(\.number) }

    /// The objects and their numbers, in the stream's order, as far as they are whole.
    ///
    /// Objects may overlap in a hostile stream: what is read for all of them is a few times the stream, no more.
    var objects: [(number: Int, value: PDFPiece)] {
        var found: [(Int, PDFPiece)] = []
        var readable = 4 * bytes.count
        for (number, place) in places where bytes.indices.contains(place) && readable > 0 {
            var scanner = PDFScanner(bytes[place...])
            if let value = scanner.value() { found.append((number, value)) }
            readable -= scanner.place - place
        }
        return found
    }

    /// The index of an object by its number: the one that a table names, or, where another object lies there, the first.
    mutating func index(of number: Int, expectedAt index: Int) -> Int? {
        if places.indices.contains(index), places[index].number == number { return index }
        return indices[number]
    }

    private lazy var indices = Dictionary(zip(numbers, 0...), uniquingKeysWith: { first, _ in first })

    /// The object at an index of the stream's.
    subscript(index: Int) -> PDFPiece? {
        guard bytes.indices.contains(places[index].place) else { return nil }
        var scanner = PDFScanner(bytes[places[index].place...])
        return scanner.value()
    }
}
