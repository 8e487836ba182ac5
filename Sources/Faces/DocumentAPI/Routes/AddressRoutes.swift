internal import Documents
internal import HTTPServing
internal import Hummingbird
internal import HummingbirdCore
internal import Library
internal import Linux
internal import Media
internal import People

/// Addresses that can be handed on: signed, for a limited time, for files, thumbnails, pages, pictures and frames.
extension DocumentAPI {
    var addressRoutes: [Route] {
        // Nothing is stored, so nothing changes.
        [Route("POST", "/api/addresses", isChange: false, signAddresses)]
    }

    private static let mostAddresses = 200

    @Sendable
    private func signAddresses(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let json = try await request.jsonObject(context, keys: ["addresses", "seconds"])
        guard let texts = json["addresses"]?.array?.map(\.string), (1...Self.mostAddresses).contains(texts.count) else {
            throw RequestError(
                message: "addresses must be a list of 1 to \(Self.mostAddresses) addresses.", field: "addresses")
        }
        let seconds = json["seconds"] == nil ? 3600 : json["seconds"]?.integer ?? 0
        guard (1...longestSignature).contains(seconds) else {
            throw RequestError(message: "seconds must be a number from 1 to \(longestSignature).", field: "seconds")
        }
        let addresses = try texts.map { text throws(RequestError) in
            guard let address = text.flatMap({ SignedAddress(plain: $0) }) else {
                throw RequestError(
                    message:
                        "Only addresses of files, thumbnails, pages, pictures and frames of /api/documents can be signed.",
                    field: "addresses")
            }
            return address
        }
        let caller = context.person
        let claim = try await work.run {
            for id in Set(addresses.map(\.document)) { _ = try library.store.document(id, of: caller.owner) }
            return try newClaim(of: caller, seconds: seconds)
        }
        return try .data(
            .object([
                "addresses": .array(
                    addresses.map { .string($0.text(with: signer.token(claim, for: $0.plain))) }),
                "expires_at": .string(Instant(microseconds: claim.end * 1_000_000).description),
            ]))
    }

    /// The claim in the token of a caller's addresses. Blocks.
    private func newClaim(of caller: Caller, seconds: Int64) throws(AccessError) -> AddressSigner.Claim {
        let now = Instant.now
        let start = now.microseconds / 1_000_000
        let epoch = try authenticator.handedOut(by: caller, needing: .view, at: now)?.epoch ?? 0
        return AddressSigner.Claim(
            owner: caller.owner, actor: caller.actor, epoch: epoch, start: start, end: start + seconds)
    }

    /// Who has signed the request's address; `nil` if it has no token.
    ///
    /// - Throws: `invalid` if it was changed, or if its signer may no longer see the thing; `expired`.
    func signer(of request: Request) async throws -> Caller? {
        guard let address = SignedAddress(request.uri), let token = address.token else { return nil }
        guard let claim = signer.claim(in: token, for: address.plain) else { throw AccessError.invalid }
        guard Time.wall / 1_000_000_000 < min(claim.end, claim.start + longestSignature) else {
            throw AccessError.expired
        }
        guard try await authenticator.stands(claim.handedOut) else { throw AccessError.invalid }
        return Caller(owner: claim.owner, actor: claim.actor, right: .view)
    }
}

/// The parts of an address that may be signed.
struct SignedAddress {
    let document: ID<Document>
    /// Path and query without token and person.
    let plain: String
    let token: String?

    /// The parts of a request's address; `nil` for an address that is never signed.
    init?(_ address: URI) {
        let path = address.path
        guard let document = PictureAddress(path: path)?.id ?? Self.document(ofFile: path) else { return nil }
        self.document = document
        let items = (address.query ?? "").split(separator: "&")
        token = items.first { $0.hasPrefix("token=") }.map { String($0.dropFirst(6)) }
        let rest = items.filter { !$0.hasPrefix("token=") && !$0.hasPrefix("person=") }.joined(separator: "&")
        plain = rest.isEmpty ? path : "\(path)?\(rest)"
    }

    /// The document whose file a path names.
    private static func document(ofFile path: String) -> ID<Document>? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "api", parts[2] == "documents", parts[4] == "file" else { return nil }
        return ID<Document>(parts[3])
    }

    /// An address without a token.
    init?(plain text: String) {
        guard text.hasPrefix("/"), text.utf8.count <= 2000,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 })
        else { return nil }
        self.init(URI(text))
        guard token == nil else { return nil }
    }

    /// The address with a token.
    func text(with token: String) -> String { "\(plain)\(plain.contains("?") ? "&" : "?")token=\(token)" }
}
