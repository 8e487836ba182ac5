import HTTPSyntax
import Media
import SignIn
import Synchronization
import TokenMaking

/// A provider in memory, with its own keys: it answers as the test wants.
final class FakeProvider: Sendable {
    static let name = "https://issuer.example/a"
    static let clientID = "compass client"

    struct State {
        /// The discovery document; the test changes it.
        var description = FakeProvider.description
        /// Members of the ID token that replace the good ones; a `null` omits one.
        var claims: [JSON.Member] = []
        /// Makes the ID token from its claims, unless the curve's key does.
        var sign: (@Sendable (JSON) async throws -> String)?
        /// Answers that replace the good ones, by the end of the address.
        var answers: [String: ProviderAnswer] = [:]
        var keys: [JSON] = []
        var requests: [ProviderRequest] = []
        fileprivate var codes: [String: (token: String, challenge: String?)] = [:]
    }

    let issuer = Issuer()
    let state = Mutex(State())

    init() { state.withLock { $0.keys = [issuer.publicKey()] } }

    static let description: [JSON.Member] = [
        .init("issuer", .string(name)), .init("authorization_endpoint", .string("\(name)/authorize?x=1")),
        .init("token_endpoint", .string("\(name)/token")), .init("userinfo_endpoint", .string("\(name)/userinfo")),
        .init("jwks_uri", .string("\(name)/keys")),
    ]

    /// Changes a member of the discovery document; `nil` removes it.
    func describe(_ key: String, _ value: JSON?) {
        state.withLock { state in
            state.description = state.description.filter { $0.key != key } + (value.map { [.init(key, $0)] } ?? [])
        }
    }

    func answer(_ end: String, _ status: Int, _ text: String) {
        state.withLock { $0.answers[end] = ProviderAnswer(status: status, body: Array(text.utf8)) }
    }

    /// How often an address was requested.
    func count(of end: String) -> Int { state.withLock { $0.requests.count { $0.address.hasSuffix(end) } } }

    // MARK: The person

    /// The person agrees. Returns the query of the address to which the provider sends them back.
    func agree(at address: String, second: Int64, more: String = "") async throws -> QueryItems {
        let items = QueryItems(String(address.split(separator: "?", maxSplits: 1)[1]))!
        var claims: [JSON.Member] = [
            .init("iss", .string(Self.name)), .init("sub", .string("subject")), .init("aud", .string(Self.clientID)),
            .init("iat", .integer(second)), .init("exp", .integer(second + 300)),
            .init("email", .string("Ada@Example.org")), .init("email_verified", .bool(true)),
            .init("name", .string("Ada")),
        ]
        if let nonce = items["nonce"] { claims.append(.init("nonce", .string(nonce))) }
        let (changes, sign) = state.withLock { ($0.claims, $0.sign) }
        let names = Set(changes.map(\.key))
        let all = JSON.object(claims.filter { !names.contains($0.key) } + changes.filter { $0.value != .null })
        let token = if let sign { try await sign(all) } else { try await issuer.token(Issuer.header(), all) }
        let code = "code/+ \(Int.random(in: 0...Int.max))"
        state.withLock { $0.codes[code] = (token, items["code_challenge"]) }
        let form = "code=\(PercentEncoding.encode(code))&state=\(items["state"]!)\(more)"
        return QueryItems(form)!
    }

    // MARK: The service

    /// The service's transport to this provider.
    var transport: SignInElsewhere.Transport { { request throws(ProviderFault) in try self.send(request) } }

    private func send(_ request: ProviderRequest) throws(ProviderFault) -> ProviderAnswer {
        state.withLock { state in
            state.requests.append(request)
            let path = String(request.address.dropFirst(Self.name.count))
            if let answer = state.answers[path] { return answer }
            switch path {
            case "/.well-known/openid-configuration": return Self.good(.object(state.description))
            case "/keys": return Self.good(.object([.init("keys", .array(state.keys))]))
            case "/token": return Self.tokens(request, &state)
            default: return ProviderAnswer(status: 404, body: [])
            }
        }
    }

    private static func tokens(_ request: ProviderRequest, _ state: inout State) -> ProviderAnswer {
        let form = QueryItems(request.form ?? "")!
        guard let (token, challenge) = state.codes.removeValue(forKey: form["code"] ?? ""),
            challenge == form["code_verifier"].map(CodeChallenge.text(of:)),
            form["redirect_uri"] == "https://service.example/auth/v1/callback"
        else { return ProviderAnswer(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8)) }
        return good(
            .object([.init("id_token", .string(token)), .init("access_token", .string("access"))]))
    }

    private static func good(_ json: JSON) -> ProviderAnswer {
        ProviderAnswer(status: 200, body: Array(json.text.utf8))
    }
}
