internal import Formats
internal import Media
internal import Rendering

/// One object that lies open in a file: `12 0 obj …`.
struct PDFObject {
    let value: PDFPiece
    /// Where the data of a stream begin; `nil` for what is none.
    private let dataPlace: Int64?

    /// Larger ones than this are not looked at.
    private static let longest = 1 << 20

    /// Reads the object at a place; `nil` where another one lies there, or none.
    init?(_ source: Source, at place: Int64, number: Int?) throws(Failure) {
        guard place >= 0, place < source.byteCount else { return nil }
        // Most are small; what has no end yet is read again in larger pieces.
        var byteCount = 4 << 10
        while byteCount <= Self.longest {
            let bytes = try source.bytes(at: place, count: byteCount)
            var scanner = PDFScanner(bytes[...])
            guard let found = scanner.value()?.integer, found == number ?? found, scanner.value()?.integer != nil,
                scanner.value()?.bytes.elementsEqual("obj".utf8) == true
            else { return nil }
            let value = scanner.value()
            let keyword = scanner.value()
            if let value, !scanner.isAtEnd || bytes.count < byteCount {
                let isStream = keyword?.bytes.elementsEqual("stream".utf8) == true
                if isStream { scanner.skipEndOfLine() }
                self.value = value
                dataPlace = isStream ? place + Int64(scanner.place) : nil
                return
            }
            guard bytes.count == byteCount else { return nil }
            byteCount *= 4
        }
        return nil
    }

    /// Where a stream's data lie, which have to end where they say; `nil` for what is no stream.
    func dataRange(in source: Source, byteCount: Int?) throws(Failure) -> Range<Int64>? {
        guard let dataPlace, let byteCount, byteCount >= 0, Int64(byteCount) <= source.byteCount - dataPlace else {
            return nil
        }
        let end = dataPlace + Int64(byteCount)
        var scanner = PDFScanner(try source.bytes(at: end, count: 16)[...])
        guard scanner.value()?.bytes.elementsEqual("endstream".utf8) == true else { return nil }
        return dataPlace..<end
    }

    /// A stream's data, unpacked; `nil` for what is no stream, or too long.
    ///
    /// - Parameters:
    ///   - longest: it is unpacked to about so much.
    ///   - longestPacked: longer ones are not read.
    func data(
        of source: Source, byteCount: Int?, atMost longest: Int = PDFStream.longest,
        packedAtMost longestPacked: Int = Self.longest
    ) throws(Failure) -> [UInt8]? {
        guard let dataPlace, let byteCount, (1...longestPacked).contains(byteCount), let entries = value.dictionary
        else {
            return nil
        }
        return PDFStream.decoded(try source.bytes(at: dataPlace, count: byteCount)[...], entries, atMost: longest)
    }
}
