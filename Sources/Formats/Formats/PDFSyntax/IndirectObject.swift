internal import Media

/// An indirect object in the body of a file (ISO 32000-1, 7.3.10): `12 0 obj …`, not compressed into an object stream.
struct IndirectObject {
    /// The object; for a stream, its dictionary.
    let value: PDFObject
    /// The offset of a stream's data; `nil` for every other object.
    private let dataOffset: Int64?

    /// Longer objects, and streams with longer encoded data, are not read.
    private static let maximumByteCount = 1 << 20

    /// Reads the object at an offset; `nil` if no object, or an object with another number, begins there.
    init?(_ source: Source, at offset: Int64, number: Int?) throws(Failure) {
        guard offset >= 0, offset < source.byteCount else { return nil }
        // Most objects are small. An incomplete object is read again with four times as many bytes.
        var byteCount = 4 << 10
        while byteCount <= Self.maximumByteCount {
            let bytes = try source.bytes(at: offset, count: byteCount)
            var scanner = PDFScanner(bytes[...])
            guard let found = scanner.nextObject()?.integer, found == number ?? found,
                scanner.nextObject()?.integer != nil, scanner.nextObject()?.isKeyword("obj") == true
            else { return nil }
            let value = scanner.nextObject()
            let keyword = scanner.nextObject()
            if let value, !scanner.isAtEnd || bytes.count < byteCount {
                let isStream = keyword?.isKeyword("stream") == true
                if isStream { scanner.skipEndOfLine() }
                self.value = value
                dataOffset = isStream ? offset + Int64(scanner.index) : nil
                return
            }
            guard bytes.count == byteCount else { return nil }
            byteCount *= 4
        }
        return nil
    }

    /// The offsets of a stream's encoded data; `nil` for every other object, and if `endstream` does not follow the
    /// data.
    func dataRange(in source: Source, byteCount: Int?) throws(Failure) -> Range<Int64>? {
        guard let dataOffset, let byteCount, byteCount >= 0, Int64(byteCount) <= source.byteCount - dataOffset else {
            return nil
        }
        let end = dataOffset + Int64(byteCount)
        var scanner = PDFScanner(try source.bytes(at: end, count: 16)[...])
        guard scanner.nextObject()?.isKeyword("endstream") == true else { return nil }
        return dataOffset..<end
    }

    /// A stream's decoded data; `nil` for every other object, for data that are too long, and for unsupported filters.
    ///
    /// - Parameters:
    ///   - byteCount: the length of the encoded data.
    ///   - maximum: decoding stops at about this many bytes.
    ///   - encodedMaximum: longer encoded data are not read.
    func decodedData(
        of source: Source, byteCount: Int?, atMost maximum: Int = StreamFilter.maximumByteCount,
        encodedAtMost encodedMaximum: Int = Self.maximumByteCount
    ) throws(Failure) -> [UInt8]? {
        guard let dataOffset, let byteCount, (1...encodedMaximum).contains(byteCount), let entries = value.dictionary
        else {
            return nil
        }
        return StreamFilter.decoded(try source.bytes(at: dataOffset, count: byteCount)[...], entries, atMost: maximum)
    }
}
