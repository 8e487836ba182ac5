internal import Formats
internal import Media
internal import Rendering

/// A marker segment of a JPEG (ITU-T T.81, clause B.1.1.4).
struct MarkerSegment {
    /// The marker's second byte.
    let marker: UInt8
    /// The offset of the marker in the file.
    let offset: Int64
    /// The bytes that follow the segment's length.
    let bodyCount: Int
}

/// Reads a JPEG's marker segments one after another (ITU-T T.81, clause B.1.1); a body is read only on request.
struct MarkerSegmentReader {
    private let source: Source
    private var offset: Int64
    /// Bytes prefetched from the file.
    private var window: [UInt8] = []
    private var windowOffset: Int64 = 0

    init(_ source: Source) throws(Declined) {
        self.source = source
        offset = 2
        guard try bytes(at: 0, count: 2) == [0xFF, 0xD8] else { throw Declined("no start of image") }
    }

    /// Begins at an offset other than the start of the image.
    init(_ source: Source, at offset: Int64) {
        self.source = source
        self.offset = offset
    }

    /// Continues at another offset of the file.
    mutating func move(to offset: Int64) { self.offset = offset }

    /// Reads the marker and length at `offset`, and moves past the segment. Nothing follows EOI.
    mutating func next() throws(Declined) -> MarkerSegment {
        var head = try bytes(at: offset, count: 4)
        let start = offset
        // Fill bytes may precede any marker; the limit keeps a file with only fill bytes from using up the whole
        // deadline.
        while head[0] == 0xFF, head[1] == 0xFF {
            guard offset - start < Self.mostFill else { throw Declined("fill bytes without end") }
            offset += 1
            head = try bytes(at: offset, count: 4)
        }
        guard head[0] == 0xFF else { throw Declined("bytes between segments") }
        if head[1] == 0xD9 { return MarkerSegment(marker: 0xD9, offset: offset, bodyCount: 0) }
        let length = Int(head[2]) << 8 | Int(head[3])
        guard length >= 2 else { throw Declined("a segment without length") }
        defer { offset += Int64(length) + 2 }
        return MarkerSegment(marker: head[1], offset: offset, bodyCount: length - 2)
    }

    private static let mostFill: Int64 = 64 << 10

    /// The bytes after a segment's length field; the length includes the field.
    mutating func body(of segment: MarkerSegment) throws(Declined) -> [UInt8] {
        try bytes(at: segment.offset + 4, count: segment.bodyCount)
    }

    /// The first bytes of the segment's body, at most `count`.
    mutating func beginning(of segment: MarkerSegment, count: Int) throws(Declined) -> [UInt8] {
        try bytes(at: segment.offset + 4, count: min(count, segment.bodyCount))
    }

    private mutating func bytes(at place: Int64, count: Int) throws(Declined) -> [UInt8] {
        if place < windowOffset || place + Int64(count) > windowOffset + Int64(window.count) {
            do throws(Failure) {
                window = try source.bytes(at: place, count: max(count, 16 << 10))
            } catch {
                throw Declined(error.detail)
            }
            windowOffset = place
        }
        let start = Int(place - windowOffset)
        guard start + count <= window.count else { throw Declined("truncated in its header") }
        return Array(window[start..<start + count])
    }
}
