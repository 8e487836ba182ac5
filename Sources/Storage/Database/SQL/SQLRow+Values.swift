package import Media

/// The values in rows of documents.
extension SQLRow {
    /// An identity, in upper or lower case, or only in lower case, as this program writes it.
    package func id<Subject>(_ column: Int, inLowerCase: Bool = false) -> ID<Subject>? {
        guard let text = utf8(column) else { return nil }
        if inLowerCase, text.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) { return nil }
        return ID(utf8: text)
    }

    /// The identity of an object.
    package func object(_ column: Int) -> ObjectID? { text(column).flatMap(ObjectID.init(rawValue:)) }

    /// A SHA-256 from its hexadecimal digits.
    package func digest(_ column: Int) -> Digest? { utf8(column).flatMap { Digest(utf8: $0) } }

    /// A moment from its microseconds since 1970.
    package func instant(_ column: Int) -> Instant? { integer(column).map { Instant(microseconds: $0) } }

    /// A text as JSON; `nil` if it is not JSON.
    package func json(_ column: Int) -> JSON? { text(column).flatMap { try? JSON(parsing: Array($0.utf8)) } }

    /// The row's first column, as the log shows it; `?` for any value that is not text.
    package var words: String { text(0).map { String($0.prefix(60)) } ?? "?" }
}
