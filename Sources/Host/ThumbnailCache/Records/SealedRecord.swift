internal import Hashing
package import Media

/// A JSON object in a file, sealed by a checksum: its last member `check` is the SHA-256 of all text before it.
///
/// A torn, truncated, extended or corrupted file is not a record. Without the check, one flipped bit could change a
/// width or a digest.
package enum SealedRecord {
    /// The maximum number of bytes of a record. Most have a few hundred; facts with a long title have a few thousand.
    static let longest = 64 << 10

    /// The maximum number of bytes of a text's record: the limits of `PageText` and `DocumentText`, written as JSON.
    static let longestText = 8 << 20

    /// The object's text with its check.
    ///
    /// - Precondition: an object with at least one member.
    package static func bytes(of object: JSON) -> [UInt8] {
        precondition(object.members?.isEmpty == false, "a record has members")
        return bytes(sealing: object.utf8)
    }

    /// An object's text with its check.
    ///
    /// - Parameter text: as `JSON` writes an object with at least one member.
    static func bytes(sealing text: [UInt8]) -> [UInt8] {
        var bytes = text
        bytes.removeLast()
        bytes += seal(of: bytes)
        return bytes
    }

    /// The object in these bytes; `nil` if they are not a complete record.
    package static func object(in bytes: [UInt8]) -> JSON? {
        let text = bytes.dropLast(sealByteCount)
        guard !text.isEmpty, bytes.suffix(sealByteCount).elementsEqual(seal(of: text)) else { return nil }
        return try? JSON(parsing: text + [UInt8(ascii: "}")])
    }

    private static let sealByteCount = seal(of: [UInt8]()).count

    private static func seal(of text: some Collection<UInt8>) -> [UInt8] {
        Array(", \"check\": \"\(SHA256.digest(of: text).hex)\"}\n".utf8)
    }
}
