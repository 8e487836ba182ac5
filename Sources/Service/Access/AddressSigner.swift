public import Documents
internal import Media

/// Signs addresses, so that whoever has one reads what it names for a time, as the person who has signed it: image and video tags
/// need no header field then. Nothing is stored.
public struct AddressSigner: Sendable {
    private let codes: KeyedCode

    /// For whom an address was signed, and until when.
    public struct Claim: Hashable, Sendable {
        /// Whose thing it names.
        public let owner: ID<Person>
        /// Who has signed it.
        public let actor: ID<Person>
        /// The second since 1970 at which it ends.
        public let end: Int64

        /// What a token says.
        public init(owner: ID<Person>, actor: ID<Person>, end: Int64) {
            self.owner = owner
            self.actor = actor
            self.end = end
        }
    }

    /// A signer with the service's secrets.
    public init(_ secrets: Secrets) { codes = KeyedCode(for: "signed addresses", secrets) }

    /// The token of an address: the claim, and a code (HMAC-SHA-256) over it and the address, in hexadecimal digits.
    ///
    /// - Parameter address: path and query, as they will be asked for.
    public func token(_ claim: Claim, for address: String) -> String {
        let body = claim.owner.bytes + claim.actor.bytes + KeyedCode.bytes(of: claim.end)
        return Hex.string(body + codes.code(of: body + Array(address.utf8)))
    }

    /// What a token says, if the service has made it for this address. Whether it has ended, the caller looks.
    public func claim(in token: String, for address: String) -> Claim? {
        guard token.utf8.count == 144, let bytes = Hex.bytes(Array(token.utf8)),
            let owner = ID<Person>(bytes: Array(bytes[..<16])), let actor = ID<Person>(bytes: Array(bytes[16..<32]))
        else { return nil }
        guard codes.accepts(Array(bytes[40...]), of: bytes[..<40] + Array(address.utf8)) else { return nil }
        return Claim(owner: owner, actor: actor, end: KeyedCode.number(of: bytes[32..<40]))
    }
}
