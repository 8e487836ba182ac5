public import Media

/// A child's finding about the source: its first message if requested, sent before its library sees a byte.
public struct RenderRecognition: Hashable, Sendable {
    /// The facts that the signature readers found; `nil` if they do not recognise the source.
    public var facts: Facts?

    /// A recognition with these facts.
    public init(_ facts: Facts?) { self.facts = facts }
}

extension RenderRecognition: WireMessage {
    /// The recognition as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(facts) { $0.write($1) }
        return writer.bytes
    }

    /// Parses a recognition; facts are bounded as in an answer.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        facts = try reader.optional { reader throws(WireError) in try reader.facts() }
        try reader.finish()
    }
}
