package import Media

/// A token in the compact form (RFC 7515, 7.1), parsed, but not verified yet.
package struct SignedToken {
    /// The header's word for the algorithm that the token claims to be signed with.
    package let algorithm: String
    /// The key that it claims to be signed with.
    package let keyName: String?
    /// An object without duplicate members.
    package let claims: JSON
    /// The bytes that the signature covers.
    package let message: [UInt8]
    /// The bytes that should be their signature.
    package let signature: [UInt8]

    /// A longer token is not parsed.
    static let mostByteCount = 16 << 10

    /// - Throws: `malformed` for a text that RFC 7515 and RFC 7519 do not allow, or whose header demands an unknown
    ///   extension.
    package init(_ text: String) throws(TokenFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.mostByteCount else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), let algorithm = header["alg"]?.string, header["crit"] == nil,
            Self.isToken(header["typ"]), Self.isName(header["kid"])
        else { throw .malformed }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        keyName = header["kid"]?.string
        message = Array(bytes[..<parts[1].endIndex])
    }

    /// The object in a part. Two readers could accept different ones of two members with the same name.
    private static func object(_ part: ArraySlice<UInt8>) -> JSON? {
        guard let bytes = Base64URL.decode(part), let json = try? JSON(parsing: bytes), let members = json.members,
            Set(members.map(\.key)).count == members.count
        else { return nil }
        return json
    }

    /// Whether the type is an access token's: absent, `JWT`, or the type of RFC 9068.
    private static func isToken(_ type: JSON?) -> Bool {
        guard let type else { return true }
        return ["jwt", "at+jwt", "application/at+jwt"].contains(type.string?.lowercased())
    }

    private static func isName(_ name: JSON?) -> Bool { name.map { $0.string != nil } ?? true }
}
