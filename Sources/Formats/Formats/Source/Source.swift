public import Linux
public import Media

/// The bytes of an open file or of a part of it, read by offset, never by path.
///
/// The bytes of a remote source are fetched into its file on demand.
public struct Source: Sendable {
    /// The open file.
    public let descriptor: Descriptor

    /// The number of bytes when the source was created.
    public let byteCount: Int64

    /// The offset of the source in the file.
    private let start: Int64

    /// Fetches bytes into the file; `nil` if they are all there.
    private let window: (any SourceWindow)?

    /// The whole of a file.
    ///
    /// - Parameter window: fetches missing bytes into the file.
    /// - Throws: the kernel's error if the file's status cannot be read.
    public init(_ descriptor: Descriptor, window: (any SourceWindow)? = nil) throws(SystemError) {
        self.init(descriptor, start: 0, byteCount: try descriptor.status().byteCount, window)
    }

    private init(_ descriptor: Descriptor, start: Int64, byteCount: Int64, _ window: (any SourceWindow)?) {
        self.descriptor = descriptor
        self.start = start
        self.byteCount = byteCount
        self.window = window
    }

    /// Whether all bytes are in the file, so that it may be mapped or passed to a library.
    public var isComplete: Bool { window == nil }

    /// A part as its own source, such as a picture within a document; its offsets count from its beginning.
    public func part(_ range: Range<Int64>) -> Source {
        precondition(0 <= range.lowerBound && range.upperBound <= byteCount, "the part lies within the source")
        return Source(descriptor, start: start + range.lowerBound, byteCount: Int64(range.count), window)
    }

    /// Up to `count` bytes at `offset`; fewer only at the end.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    public func bytes(at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            let count = min(count, available(at: offset))
            try bring(count, at: offset)
            return try descriptor.bytes(at: start + offset, count: count)
        } catch {
            throw Failure(.corrupt, detail: "\(error)")
        }
    }

    /// Fills `buffer` from `offset` and returns the number of bytes read.
    ///
    /// - Throws: the kernel's error.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, available(at: offset))])
        try bring(part.count, at: offset)
        return try descriptor.read(into: part, at: start + offset)
    }

    private func bring(_ count: Int, at offset: Int64) throws(SystemError) {
        guard let window, count > 0, offset >= 0 else { return }
        let (end, overflows) = (start + offset).addingReportingOverflow(Int64(count))
        try window.require(start + offset..<(overflows ? .max : end))
    }

    /// The bytes readable at an offset. A whole file has no limit here: it may have grown since.
    private func available(at offset: Int64) -> Int {
        start == 0 ? Int.max : Int(max(0, byteCount - offset))
    }
}
