/// An object stream: compressed objects after a list of their numbers and offsets (ISO 32000-1, 7.5.7).
struct ObjectStream {
    private let bytes: [UInt8]
    /// The number and offset of each object in the stream's order; −1 is an offset outside the stream.
    private let offsets: [(number: Int, offset: Int)]
    private lazy var indices = Dictionary(zip(numbers, 0...), uniquingKeysWith: { first, _ in first })

    /// Longer encoded stream data in a damaged file are not read.
    private static let maximumEncodedLength = 1 << 20

    /// - Parameter bytes: the stream's decoded data.
    init?(_ bytes: [UInt8], _ entries: PDFDictionary) {
        guard entries["/Type"]?.name == "/ObjStm", let count = entries["/N"]?.integer, count > 0,
            let first = entries["/First"]?.integer, (0...bytes.count).contains(first)
        else { return nil }
        var scanner = PDFScanner(bytes[..<first])
        var offsets: [(Int, Int)] = []
        while offsets.count < count, let number = scanner.nextObject()?.integer,
            let offset = scanner.nextObject()?.integer
        {
            // An object outside the stream is kept, because the indices of later objects count it.
            offsets.append((number, offset < 0 ? -1 : first &+ offset))
        }
        self.bytes = bytes
        self.offsets = offsets
    }

    /// Reads an object stream of a damaged file, as far as its data reach.
    ///
    /// - Parameters:
    ///   - start: the index of its dictionary.
    ///   - end: the index of the next object stream, or the file's end.
    ///   - maximum: decoding stops at about this many bytes.
    init?(of file: [UInt8], at start: Int, before end: Int, atMost maximum: Int) {
        var scanner = PDFScanner(file[start..<min(end, start + (16 << 10))])
        guard let entries = scanner.nextObject()?.dictionary, scanner.nextObject()?.isKeyword("stream") == true else {
            return nil
        }
        scanner.skipEndOfLine()
        // Without /Length, the end of the Flate data ends the stream.
        let byteCount = max(0, min(entries["/Length"]?.integer ?? Self.maximumEncodedLength, Self.maximumEncodedLength))
        let data = file[scanner.index..<min(end, scanner.index + byteCount)]
        guard let bytes = StreamFilter.decoded(data, entries, atMost: maximum) else { return nil }
        self.init(bytes, entries)
    }

    /// The length of the decoded data.
    var byteCount: Int { bytes.count }

    /// The object numbers, in the stream's order.
    var numbers: [Int] { offsets.map(\.number) }

    /// The complete objects with their numbers, in the stream's order.
    ///
    /// The objects of a hostile stream may overlap: reading stops after four times the stream's bytes.
    var objects: [(number: Int, value: PDFObject)] {
        var found: [(Int, PDFObject)] = []
        var bytesLeft = 4 * bytes.count
        for (number, offset) in offsets where bytes.indices.contains(offset) && bytesLeft > 0 {
            var scanner = PDFScanner(bytes[offset...])
            if let value = scanner.nextObject() { found.append((number, value)) }
            bytesLeft -= scanner.index - offset
        }
        return found
    }

    /// The index of an object: the expected index or, if the stream has another object there, the first with the
    /// number.
    mutating func index(of number: Int, expectedAt index: Int) -> Int? {
        if offsets.indices.contains(index), offsets[index].number == number { return index }
        return indices[number]
    }

    /// The object at an index; `nil` if its offset is outside the stream.
    subscript(index: Int) -> PDFObject? {
        guard bytes.indices.contains(offsets[index].offset) else { return nil }
        var scanner = PDFScanner(bytes[offsets[index].offset...])
        return scanner.nextObject()
    }
}
