/// A child's request for bytes of a source that are not in the source's file yet.
public struct WindowRequest: Hashable, Sendable {
    /// The bytes that the child is about to read.
    public var range: Range<Int64>

    /// A request for these bytes.
    public init(_ range: Range<Int64>) { self.range = range }
}

/// The host's answer to a `WindowRequest`, sent once the bytes are in the file.
public struct WindowAnswer: Hashable, Sendable {
    /// The available bytes: they begin at or before the request, and may end before or after its end. `nil` if they are
    /// not available: the task has then failed, whatever the child reports.
    public var present: Range<Int64>?

    /// An answer with these bytes.
    public init(_ present: Range<Int64>?) { self.present = present }
}

extension WindowRequest: WireMessage {
    /// The request as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(range)
        return writer.bytes
    }

    /// Parses a request; the range is not empty.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        range = try reader.byteRange()
        try reader.finish()
    }
}

extension WindowAnswer: WireMessage {
    /// The answer as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(present) { $0.write($1) }
        return writer.bytes
    }

    /// Parses an answer; the range is not empty.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        present = try reader.optional { reader throws(WireError) in try reader.byteRange() }
        try reader.finish()
    }
}

extension WireWriter {
    mutating func write(_ range: Range<Int64>) {
        write(range.lowerBound)
        write(range.upperBound)
    }
}

extension WireReader {
    mutating func byteRange() throws(WireError) -> Range<Int64> {
        let (start, end) = (try integer(Int64.self), try integer(Int64.self))
        guard 0 <= start, start < end else { throw failure("range of bytes") }
        return start..<end
    }
}
