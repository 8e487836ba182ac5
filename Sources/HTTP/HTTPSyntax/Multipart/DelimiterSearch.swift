/// Finds a form's delimiter in its bytes with the Boyer-Moore-Horspool algorithm.
///
/// It examines about one byte per delimiter length, so that large files pass at memory speed.
struct DelimiterSearch {
    let delimiter: [UInt8]
    /// The distance to advance, by the byte under the delimiter's last one.
    private let skips: [Int]

    init(_ delimiter: [UInt8]) {
        precondition(!delimiter.isEmpty)
        var skips = [Int](repeating: delimiter.count, count: 256)
        for (index, byte) in delimiter.dropLast().enumerated() { skips[Int(byte)] = delimiter.count - 1 - index }
        self.delimiter = delimiter
        self.skips = skips
    }

    /// The first place where the delimiter begins.
    func firstPlace(in bytes: ArraySlice<UInt8>) -> Int? {
        let span = bytes.span
        let last = delimiter.count - 1
        var place = last
        while place < span.count {
            let byte = span[place]
            if byte == delimiter[last], isDelimiter(span, at: place - last) {
                return bytes.startIndex + place - last
            }
            place += skips[Int(byte)]
        }
        return nil
    }

    private func isDelimiter(_ span: Span<UInt8>, at start: Int) -> Bool {
        for (index, byte) in delimiter.enumerated() where span[start + index] != byte { return false }
        return true
    }

    /// The length of the longest suffix of `bytes` that may be the delimiter's beginning.
    func beginningAtEnd(of bytes: ArraySlice<UInt8>) -> Int {
        for count in (1..<delimiter.count).reversed() where count <= bytes.count {
            if bytes.suffix(count).elementsEqual(delimiter.prefix(count)) { return count }
        }
        return 0
    }
}
