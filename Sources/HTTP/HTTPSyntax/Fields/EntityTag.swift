/// The tag of a representation, `"abc"` or `W/"abc"` (RFC 9110, 8.8.3).
public struct EntityTag: Hashable, Sendable {
    /// Whether representations with this tag may differ in their bytes.
    public let isWeak: Bool
    /// The text between the quotes.
    public let opaque: String

    /// A tag that the program makes; the text is printable ASCII without quotes and spaces.
    public init(_ opaque: String, isWeak: Bool = false) {
        precondition(opaque.utf8.allSatisfy { Self.isTagByte($0) && $0 < 0x7F }, "no tag: \(opaque)")
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Parses a field's whole value; `nil` if it is not exactly one tag.
    public init?(parsing text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        self.init(&scanner)
        scanner.skipSpace()
        guard scanner.isAtEnd else { return nil }
    }

    init?(_ scanner: inout FieldScanner) {
        isWeak = scanner.take("W")
        if isWeak, !scanner.take("/") { return nil }
        guard scanner.take("\"") else { return nil }
        opaque = String(decoding: scanner.run(of: Self.isTagByte), as: UTF8.self)
        guard scanner.take("\"") else { return nil }
    }

    /// The tag as sent.
    public var text: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Whether both are strong and equal.
    public func equalsStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Whether both are equal, weak or strong.
    public func equalsWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    private static func isTagByte(_ byte: UInt8) -> Bool { byte == 0x21 || byte >= 0x23 && byte != 0x7F }
}

/// The value of `If-Match` or `If-None-Match`.
enum EntityTagList {
    /// `*`: any representation.
    case any
    /// The tags before the first syntax error.
    case tags([EntityTag])

    /// Keeps the tags before an error: an unreadable condition must not match more than was written.
    init(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        if scanner.take("*") {
            scanner.skipSpace()
            self = scanner.isAtEnd ? .any : .tags([])
            return
        }
        var tags: [EntityTag] = []
        _ = scanner.skipComma()
        while let tag = EntityTag(&scanner) {
            tags.append(tag)
            guard scanner.skipComma() else { break }
        }
        self = .tags(tags)
    }
}
