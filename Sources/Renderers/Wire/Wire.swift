/// The protocol between host and renderers: its version and bounds.
///
/// On the control socket (descriptor 3 of a renderer) the host sends `RenderRequest`s, each with three descriptors: the
/// source, a sealed memory file for pixels, and this task's reply socket. If the source is remote, a fourth is the
/// socket on which the child sends `WindowRequest`s and gets `WindowAnswer`s. The renderer answers with
/// `RendererReport`s.
///
/// On the reply socket the child sends a `RenderRecognition` if requested, one `RenderAnswer`, then `RenderNotes` if
/// requested, and exits. A renderer with a single task becomes its child: the control socket closes, and the host reaps
/// the process itself.
public enum Wire {
    /// The first byte of every message. Both sides come from one build: another version means a mixed installation.
    public static let version: UInt8 = 9

    /// The largest message, in bytes.
    public static let longestMessage = 32 << 10

    /// The longest text in a message, in bytes of UTF-8.
    public static let longestText = 2048

    /// The most items of a list in a message.
    public static let longestList = 64

    /// The largest text in a task's memory, in bytes: `PageText`'s bounds with the words' places, and `DocumentText`'s.
    public static let longestPageText = 4 << 20
}

/// A value that is sent over a socket as one message.
public protocol WireMessage: Sendable {
    /// Parses a message from a process that may have been taken over: every length, count and value is checked.
    init(parsing bytes: [UInt8]) throws(WireError)
    /// The message, version first.
    var bytes: [UInt8] { get }
}

extension WireReader {
    /// A reader after the version, which it has checked.
    init(versioned bytes: [UInt8]) throws(WireError) {
        self.init(bytes)
        guard try integer(UInt8.self) == Wire.version else { throw failure("protocol version") }
    }
}

extension WireWriter {
    /// A writer after the version.
    static func versioned() -> WireWriter {
        var writer = WireWriter()
        writer.write(Wire.version)
        return writer
    }
}
