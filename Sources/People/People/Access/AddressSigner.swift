public import Media

/// Signs addresses. For a limited time, the holder of one may read what it names, in the signer's name. Image and video
/// tags then need no header field. Nothing is stored.
public struct AddressSigner: Sendable {
    private let codes: KeyedCode

    /// Who signed an address, for whose thing, when, and until when.
    public struct Claim: Hashable, Sendable {
        /// The owner of the thing that it names.
        public let owner: ID<Person>
        /// The person who signed it.
        public let actor: ID<Person>
        /// The signer's `Standing.epoch` at that time.
        public let epoch: Int64
        /// The second since 1970 at which it was signed.
        public let start: Int64
        /// The second since 1970 at which it expires.
        public let end: Int64

        /// A claim with the content of a token.
        public init(owner: ID<Person>, actor: ID<Person>, epoch: Int64, start: Int64, end: Int64) {
            self.owner = owner
            self.actor = actor
            self.epoch = epoch
            self.start = start
            self.end = end
        }

        /// What the address opens, and in whose name: it allows viewing only.
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

    /// The token of an address: the claim, and an HMAC-SHA-256 code over the claim and the address, in hexadecimal
    /// digits.
    ///
    /// - Parameter address: path and query, exactly as they will be requested.
    public func token(_ claim: Claim, for address: String) -> String {
        let numbers = [claim.epoch, claim.start, claim.end].flatMap { KeyedCode.bytes(of: $0) }
        let body = claim.owner.bytes + claim.actor.bytes + numbers
        return Hex.string(body + codes.code(of: body + Array(address.utf8)))
    }

    /// The claim in a token, if the service made it for this address. The caller checks whether it has expired.
    public func claim(in token: String, for address: String) -> Claim? {
        let count = Self.bodyByteCount
        guard token.utf8.count == 2 * (count + KeyedCode.byteCount), let bytes = Hex.bytes(Array(token.utf8)),
            let owner = ID<Person>(bytes: Array(bytes[..<16])), let actor = ID<Person>(bytes: Array(bytes[16..<32]))
        else { return nil }
        guard codes.accepts(Array(bytes[count...]), of: bytes[..<count] + Array(address.utf8)) else { return nil }
        // The service signs only numbers that fit a time.
        return Claim(
            owner: owner, actor: actor, epoch: KeyedCode.number(of: bytes[32..<40]),
            start: KeyedCode.number(of: bytes[40..<48]), end: KeyedCode.number(of: bytes[48..<56]))
    }
}
