internal import HTTPSyntax
internal import Hashing
internal import Linux
internal import Media
internal import People

/// Talks to one provider: sends people there, and asks who came back (OpenID Connect Core 1.0, 3.1).
struct ProviderClient: Sendable {
    let provider: OpenIDProvider
    /// The address to which the provider sends people back, byte by byte as it is registered there.
    private let redirect: String
    private let memory: ProviderMemory
    private let sending: ProviderMemory.Sending
    private let now: @Sendable () -> Instant

    /// The secrets of one sign-in, from its start to its end. Only the provider and this service learn the verifier.
    struct Secrets: Hashable {
        let state: String
        let nonce: String
        let verifier: String
        let begun: Instant
    }

    init(
        _ provider: OpenIDProvider, redirect: String, clock: @escaping @Sendable () -> Duration,
        now: @escaping @Sendable () -> Instant, sending: @escaping ProviderMemory.Sending
    ) {
        self.provider = provider
        self.redirect = redirect
        self.now = now
        self.sending = sending
        memory = ProviderMemory(provider.issuer, clock: clock, sending: sending)
    }

    /// The address at the provider to which a person is sent.
    func authorization(_ secrets: Secrets) async throws(ProviderFault) -> String {
        let endpoint = try await memory.knowledge().description.authorizationEndpoint.text
        var items = [
            ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", redirect),
            ("scope", provider.scopes.joined(separator: " ")), ("state", secrets.state),
        ]
        if provider.hasNonce { items.append(("nonce", secrets.nonce)) }
        if provider.hasCodeChallenge {
            items += [("code_challenge", CodeChallenge.text(of: secrets.verifier)), ("code_challenge_method", "S256")]
        }
        return endpoint + (endpoint.contains("?") ? "&" : "?") + Self.form(items)
    }

    /// The person who came back with a provider's answer.
    ///
    /// - Parameter answer: the query items that the provider has appended to the address to which it sends people back.
    func claim(by answer: QueryItems, _ secrets: Secrets) async throws(ProviderFault) -> IdentityClaim {
        let description = try await memory.knowledge().description
        // An attacker who mixes up two providers must not get one's code for the other (RFC 9207, 2.4).
        let issuers = answer.values(of: "iss")
        guard issuers.isEmpty && !description.tellsIssuer || issuers == [provider.issuer] else {
            throw .wrong("the answer is from another issuer")
        }
        if let error = answer["error"] { throw .declined(Self.word(error)) }
        let codes = answer.values(of: "code")
        guard codes.count == 1, (1...4096).contains(codes[0].utf8.count) else { throw .wrong("there is no code") }
        let tokens = try await tokens(for: codes[0], secrets.verifier, description)
        guard let text = tokens["id_token"]?.string else { throw .wrong("there is no ID token") }
        let claims = try await checked(text)
        let rule = IDTokenRule(
            issuer: provider.issuer, clientID: provider.clientID, nonce: provider.hasNonce ? secrets.nonce : nil,
            begun: secrets.begun)
        let subject = try rule.subject(in: claims, at: now())
        var person = claims
        if claims["email"] == nil, let endpoint = description.userEndpoint, let access = tokens["access_token"]?.string
        {
            person = try await user(by: access, endpoint, subject)
        }
        // Some providers send the Boolean as a text.
        let isConfirmed = person["email_verified"] == .bool(true) || person["email_verified"] == .string("true")
        return IdentityClaim(
            issuer: provider.issuer, subject: subject, provider: provider.name, address: person["email"]?.string,
            isConfirmed: isConfirmed, name: person["name"]?.string)
    }

    // MARK: Parts

    /// Exchanges the code (RFC 6749, 4.1.3).
    private func tokens(
        for code: String, _ verifier: String, _ description: ProviderDescription
    ) async throws(ProviderFault) -> JSON {
        var items = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect)]
        if provider.hasCodeChallenge { items.append(("code_verifier", verifier)) }
        var request = ProviderRequest(description.tokenEndpoint)
        switch (provider.clientSecret, description.secretPlace) {
        case (let secret?, .header):
            // Both parts are form-encoded first (RFC 6749, 2.3.1).
            let pair = PercentEncoding.encode(provider.clientID) + ":" + PercentEncoding.encode(secret)
            request.fields.append("Authorization: Basic \(Base64.encode(Array(pair.utf8)))")
        case (let secret?, .form): items += [("client_id", provider.clientID), ("client_secret", secret)]
        case (nil, _): items.append(("client_id", provider.clientID))
        }
        request.form = Self.form(items)
        let answer = try await sending(request)
        guard answer.status < 500 else { throw .away("the token request was answered with status \(answer.status)") }
        guard let json = try? JSON(parsing: answer.body), json.members != nil else {
            throw .wrong("the response to the token request, with status \(answer.status), is not a JSON object")
        }
        guard answer.status == 200 else {
            throw .wrong("the token request was refused: \(Self.word(json["error"]?.string ?? "\(answer.status)"))")
        }
        return json
    }

    /// The claims of a token, if one of the provider's keys has signed it by ES256 or RS256.
    private func checked(_ text: String) async throws(ProviderFault) -> JSON {
        let token: SignedToken
        do throws(TokenFault) { token = try SignedToken(text) } catch { throw .wrong("the ID token is malformed") }
        for isForKey in [false, true] {
            let keys = try await memory.knowledge(isForKey: isForKey).keys
            let candidates = TokenKeySet.candidates(for: token, among: keys)
            if candidates.isEmpty { continue }
            if candidates.contains(where: { $0.hasSigned(token) }) { return token.claims }
            break
        }
        throw .wrong("none of the provider's keys made the ID token's signature (alg \(Self.word(token.algorithm)))")
    }

    /// What the provider says about the person besides the token (OpenID Connect Core 1.0, 5.3).
    private func user(
        by token: String, _ endpoint: ProviderAddress, _ subject: String
    ) async throws(ProviderFault) -> JSON {
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .wrong("the access token is malformed")
        }
        var request = ProviderRequest(endpoint)
        request.fields.append("Authorization: Bearer \(token)")
        let answer = try await sending(request)
        guard answer.status == 200 else { throw .away("userinfo was answered with status \(answer.status)") }
        guard let json = try? JSON(parsing: answer.body), let told = json["sub"]?.string,
            told.utf8.elementsEqual(subject.utf8)
        else { throw .wrong("userinfo is about someone else") }
        return json
    }

    private static func form(_ items: [(String, String)]) -> String {
        items.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    /// A word of the provider's, in a form that is safe for the log.
    private static func word(_ text: String) -> String {
        String(text.prefix(64).map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) ? $0 : "?" })
    }
}

/// The challenge of a code's verifier, by the method S256 (RFC 7636, 4.2).
public enum CodeChallenge {
    /// The challenge: 43 letters, digits, `-` and `_`.
    public static func text(of verifier: String) -> String {
        Base64URL.encode(SHA256.digest(of: Array(verifier.utf8)).bytes)
    }

    /// Whether a text has the form of a challenge.
    public static func isChallenge(_ text: String) -> Bool {
        Base64URL.decode(Array(text.utf8))?.count == 32
    }
}
