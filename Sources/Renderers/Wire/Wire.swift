/// The protocol between host and renderers: its version and bounds.
///
/// Control socket (descriptor 3 of a renderer): the host sends `RenderRequest`s, each with three descriptors (the source,
/// a sealed memory file for pixels, the reply socket of this job); the renderer sends `RendererReport`s. On its reply
/// socket the child sends a `RenderRecognition` where it was asked for, one `RenderAnswer`, then `RenderNotes` where they
/// were asked for, and exits. A renderer with an only job becomes its child: the control socket closes, and the host sees
/// the end by itself.
public enum Wire {
    /// The first byte of every message: both sides come from one build, so a difference is a mixed installation.
    public static let version: UInt8 = 4

    /// No message is longer, in bytes.
    public static let longestMessage = 32 << 10

    /// No text in a message is longer, in bytes.
    public static let longestText = 2048

    /// No list in a message is longer.
    public static let longestList = 64
}

/// A message that is bytes on a socket.
public protocol WireMessage: Sendable {
    init(parsing bytes: [UInt8]) throws(WireError)
    var bytes: [UInt8] { get }
}

extension WireReader {
    /// Reads a message's first byte.
    init(versioned bytes: [UInt8]) throws(WireError) {
        self.init(bytes)
        guard try integer(UInt8.self) == Wire.version else { throw failure("protocol version") }
    }
}

extension WireWriter {
    /// A message that begins with the version.
    static func versioned() -> WireWriter {
        var writer = WireWriter()
        writer.write(Wire.version)
        return writer
    }
}
