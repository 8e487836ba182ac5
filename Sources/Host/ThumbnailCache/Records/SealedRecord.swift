internal import Hashing
package import Media

/// A JSON object in a file, sealed by a checksum: its last member `check` is the SHA-256 of all text before it.
///
/// A torn, cut, lengthened or decayed file is no record. Without the check, one flipped bit could change a width or a digest.
package enum SealedRecord {
    /// The most bytes of a record. Most have a few hundred; facts with a long title have a few thousand.
    static let longest = 64 << 10

    /// The most bytes of a record of a text: the bounds of `PageText` and `DocumentText`, spelt out in JSON.
    static let longestText = 8 << 20

    /// The object's text with its check.
    ///
    /// - Precondition: an object with one member at least.
    package static func bytes(of object: JSON) -> [UInt8] {
        precondition(object.members?.isEmpty == false, "a record has members")
        return bytes(sealing: object.utf8)
    }

    /// An object's text with its check.
    ///
    /// - Parameter text: as `JSON` writes an object with one member at least.
    static func bytes(sealing text: [UInt8]) -> [UInt8] {
        var bytes = text
        bytes.removeLast()
        bytes += seal(of: bytes)
        return bytes
    }

    /// The object in these bytes; `nil` where they are no whole record.
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
