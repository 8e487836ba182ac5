public import Media

/// Signs addresses, so that whoever has one reads what it names for a time, as the person who has signed it: image and video tags
/// need no header field then. Nothing is stored.
public struct AddressSigner: Sendable {
    private let codes: KeyedCode

    /// For whom an address was signed, when, and until when.
    public struct Claim: Hashable, Sendable {
        /// Whose thing it names.
        public let owner: ID<Person>
        /// Who has signed it.
        public let actor: ID<Person>
        /// The signer's `Standing.epoch` at that time.
        public let epoch: Int64
        /// The second since 1970 at which it was signed.
        public let start: Int64
        /// The second since 1970 at which it ends.
        public let end: Int64

        /// What a token says.
        public init(owner: ID<Person>, actor: ID<Person>, epoch: Int64, start: Int64, end: Int64) {
            self.owner = owner
            self.actor = actor
            self.epoch = epoch
            self.start = start
            self.end = end
        }

        /// What the address opens, in whose name: things may be looked at by it.
        public var handedOut: HandedOut {
            HandedOut(
                owner: owner, actor: actor, issued: Instant(microseconds: start * 1_000_000), epoch: epoch,
                right: .view)
        }
    }

    /// Owner, signer and three numbers.
    private static let bodyByteCount = 2 * 16 + 3 * 8

    /// A signer with the service's secrets.
    public init(_ secrets: Secrets) { codes = KeyedCode(for: "signed addresses", secrets) }

    /// The token of an address: the claim, and a code (HMAC-SHA-256) over it and the address, in hexadecimal digits.
    ///
    /// - Parameter address: path and query, as they will be asked for.
    public func token(_ claim: Claim, for address: String) -> String {
        let numbers = [claim.epoch, claim.start, claim.end].flatMap { KeyedCode.bytes(of: $0) }
        let body = claim.owner.bytes + claim.actor.bytes + numbers
        return Hex.string(body + codes.code(of: body + Array(address.utf8)))
    }

    /// What a token says, if the service has made it for this address. Whether it has ended, the caller looks.
    public func claim(in token: String, for address: String) -> Claim? {
        let count = Self.bodyByteCount
        guard token.utf8.count == 2 * (count + KeyedCode.byteCount), let bytes = Hex.bytes(Array(token.utf8)),
            let owner = ID<Person>(bytes: Array(bytes[..<16])), let actor = ID<Person>(bytes: Array(bytes[16..<32]))
        else { return nil }
        guard codes.accepts(Array(bytes[count...]), of: bytes[..<count] + Array(address.utf8)) else { return nil }
        // A number that the service has signed is not too large for a time.
        return Claim(
            owner: owner, actor: actor, epoch: KeyedCode.number(of: bytes[32..<40]),
            start: KeyedCode.number(of: bytes[40..<48]), end: KeyedCode.number(of: bytes[48..<56]))
    }
}
