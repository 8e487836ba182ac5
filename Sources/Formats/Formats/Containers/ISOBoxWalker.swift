package import Media

/// Iterates over the boxes in a range of a file: MP4, QuickTime, HEIF and AVIF.
///
/// It reads only headers, at most `limit` of them. Sizes are hostile: a size smaller than the header ends the walk, a
/// size that exceeds the range is truncated.
package struct ISOBoxWalker {
    private let source: BoundedSource
    private let end: Int64
    private var offset: Int64
    private var boxesLeft: Int

    /// Whether the walk reached the end of the range.
    package private(set) var isComplete = false

    /// - Parameters:
    ///   - range: a box's payload without the fields that precede its children; `nil` for the whole file.
    ///   - limit: the most boxes to visit.
    package init(_ source: BoundedSource, in range: Range<Int64>? = nil, limit: Int = 1000) {
        let range = range ?? 0..<source.byteCount
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
        boxesLeft = limit
    }

    /// The next box; `nil` at the end of the range, at an impossible size, and at the limit.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    package mutating func next() throws(Failure) -> ISOBox? {
        // QuickTime may end a container with four zero bytes.
        if end - offset < 8 {
            isComplete = offset <= end
            return nil
        }
        guard boxesLeft > 0, let (size, headerSize, type) = try header(), size >= headerSize else { return nil }
        boxesLeft -= 1
        let start = offset
        let boxEnd = size > end - start ? end : start + size
        offset = boxEnd
        return ISOBox(type: type, payload: min(start + headerSize, boxEnd)..<boxEnd, isCut: size > end - start)
    }

    /// The next complete box of a type.
    ///
    /// - Throws: as `next()`.
    package mutating func next(_ type: String) throws(Failure) -> ISOBox? {
        while let box = try next() {
            if box.type == type && !box.isCut { return box }
        }
        return nil
    }

    private func header() throws(Failure) -> (size: Int64, headerSize: Int64, type: String)? {
        guard let header = try source.bytes(at: offset, count: 8), let size = header.big(UInt32.self, at: 0),
            let type = header.text(at: 4, count: 4)
        else { return nil }
        switch size {
        // The last box of the file, without a size.
        case 0: return (end - offset, 8, type)
        // `largesize` follows the type.
        case 1:
            let large = try source.bytes(at: offset + 8, count: 8)?.big(UInt64.self, at: 0)
            return large.flatMap(Int64.init(exactly:)).map { ($0, 16, type) }
        default: return (Int64(size), 8, type)
        }
    }
}
