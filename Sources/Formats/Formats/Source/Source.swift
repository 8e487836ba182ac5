public import Linux
public import Media

/// The source as a child sees it: bytes at offsets of an open file, never a path.
public struct Source: Sendable {
    public let descriptor: Descriptor
    public let byteCount: Int64
    /// Where in the file it begins.
    private let start: Int64

    public init(_ descriptor: Descriptor) throws(SystemError) {
        self.init(descriptor, start: 0, byteCount: try descriptor.status().byteCount)
    }

    private init(_ descriptor: Descriptor, start: Int64, byteCount: Int64) {
        self.descriptor = descriptor
        self.start = start
        self.byteCount = byteCount
    }

    /// A part of it as a source of its own: a picture within a document. Offsets count from the part's beginning.
    public func part(_ range: Range<Int64>) -> Source {
        precondition(0 <= range.lowerBound && range.upperBound <= byteCount, "the part lies within the source")
        return Source(descriptor, start: start + range.lowerBound, byteCount: Int64(range.count))
    }

    /// Up to `count` bytes at `offset`; fewer only at the end. A file that cannot be read is a `corrupt` failure.
    public func bytes(at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try descriptor.bytes(at: start + offset, count: min(count, available(at: offset)))
        } catch {
            throw Failure(.corrupt, detail: "\(error)")
        }
    }

    /// Fills `buffer` from `offset`; returns how many bytes there were.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, available(at: offset))])
        return try descriptor.read(into: part, at: start + offset)
    }

    /// How many bytes follow at an offset. The size of a whole file is the kernel's to say: it may have grown.
    private func available(at offset: Int64) -> Int {
        start == 0 ? Int.max : Int(max(0, byteCount - offset))
    }
}
