public import Media

/// What a child says the source is: its first message where it was asked, sent before its library has seen a byte.
public struct RenderRecognition: Hashable, Sendable {
    /// Media type, kind, size, and what else the readers can tell; `nil` where they do not know the source.
    public var facts: Facts?

    public init(_ facts: Facts?) { self.facts = facts }
}

extension RenderRecognition: WireMessage {
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(facts) { $0.write($1) }
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        facts = try reader.optional { reader throws(WireError) in try reader.facts() }
        try reader.finish()
    }
}
