internal import Formats
internal import Media
internal import Rendering

/// Walks over a JPEG's marker segments from its start (ITU-T T.81, clause B.1.1); bodies that nobody wants are not read.
struct SegmentReader {
    private let source: Source
    private var offset: Int64
    /// Bytes of the file that were read ahead.
    private var window: [UInt8] = []
    private var windowOffset: Int64 = 0

    struct Segment {
        /// The marker's second byte.
        let marker: UInt8
        /// Where the marker lies in the file.
        let offset: Int64
        /// Of what follows the length.
        let bodyCount: Int
    }

    init(_ source: Source) throws(Declined) {
        self.source = source
        offset = 2
        guard try bytes(at: 0, count: 2) == [0xFF, 0xD8] else { throw Declined("no start of image") }
    }

    /// From another place in the file on.
    init(_ source: Source, at offset: Int64) {
        self.source = source
        self.offset = offset
    }

    /// Goes on at another place in the file.
    mutating func move(to offset: Int64) { self.offset = offset }

    /// The segment that begins here; the next call goes on behind it.
    mutating func next() throws(Declined) -> Segment {
        var head = try bytes(at: offset, count: 4)
        let start = offset
        // Any marker may be preceded by fill bytes; a file of nothing else would take its whole time here.
        while head[0] == 0xFF, head[1] == 0xFF {
            guard offset - start < Self.mostFill else { throw Declined("fill bytes without end") }
            offset += 1
            head = try bytes(at: offset, count: 4)
        }
        guard head[0] == 0xFF else { throw Declined("bytes between segments") }
        if head[1] == 0xD9 { return Segment(marker: 0xD9, offset: offset, bodyCount: 0) }
        let length = Int(head[2]) << 8 | Int(head[3])
        guard length >= 2 else { throw Declined("a segment without length") }
        defer { offset += Int64(length) + 2 }
        return Segment(marker: head[1], offset: offset, bodyCount: length - 2)
    }

    private static let mostFill: Int64 = 64 << 10

    /// What the segment holds.
    mutating func body(of segment: Segment) throws(Declined) -> [UInt8] {
        try bytes(at: segment.offset + 4, count: segment.bodyCount)
    }

    /// Up to `count` bytes of what the segment holds.
    mutating func beginning(of segment: Segment, count: Int) throws(Declined) -> [UInt8] {
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
        guard start + count <= window.count else { throw Declined("broken off in its header") }
        return Array(window[start..<start + count])
    }
}
