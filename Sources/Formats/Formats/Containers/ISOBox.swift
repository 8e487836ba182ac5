internal import Media

/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2), or an atom of QuickTime: four letters and a payload.
struct Box {
    let type: String
    /// Cut to where the box's parent ends.
    let payload: Range<Int64>
    /// Whether the box says that it goes on behind its parent's end.
    let isCut: Bool
}

/// Boxes that follow each other within a range of the file. Only their headers are read.
struct BoxWalk {
    private let source: BoundedSource
    private let end: Int64
    private var offset: Int64
    private var boxesLeft: Int

    /// Whether the walk ended where it should: at the range's end.
    private(set) var isComplete = false

    init(_ source: BoundedSource, in range: Range<Int64>, limit: Int) {
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
        boxesLeft = limit
    }

    /// The next box; `nil` at the end, behind a size that cannot be, and when the limit is reached.
    mutating func next() throws(Failure) -> Box? {
        // QuickTime may end a container with a size of zero in four bytes.
        if end - offset < 8 {
            isComplete = offset <= end
            return nil
        }
        guard boxesLeft > 0, let (size, headerSize, type) = try header(), size >= headerSize else { return nil }
        boxesLeft -= 1
        let start = offset
        let boxEnd = size > end - start ? end : start + size
        offset = boxEnd
        return Box(type: type, payload: min(start + headerSize, boxEnd)..<boxEnd, isCut: size > end - start)
    }

    private func header() throws(Failure) -> (size: Int64, headerSize: Int64, type: String)? {
        guard let header = try source.bytes(at: offset, count: 8), let size = header.big(UInt32.self, at: 0),
            let type = header.text(at: 4, count: 4)
        else { return nil }
        switch size {
        case 0: return (end - offset, 8, type)
        case 1:
            let long = try source.bytes(at: offset + 8, count: 8)?.big(UInt64.self, at: 0)
            return long.flatMap(Int64.init(exactly:)).map { ($0, 16, type) }
        default: return (Int64(size), 8, type)
        }
    }
}
