internal import Media

/// A provider's discovery document (OpenID Connect Discovery 1.0, 3).
struct ProviderDescription: Hashable, Sendable {
    let authorizationEndpoint: ProviderAddress
    let tokenEndpoint: ProviderAddress
    let userEndpoint: ProviderAddress?
    let keySet: ProviderAddress
    /// How a client with a secret authenticates.
    let secretPlace: SecretPlace
    /// Whether each answer to an authorization request names its issuer (RFC 9207).
    let tellsIssuer: Bool

    /// Where a client's secret goes in a token request (OpenID Connect Core 1.0, 9).
    enum SecretPlace { case header, form }

    /// The address of an issuer's document.
    static func address(of issuer: String) -> ProviderAddress? {
        ProviderAddress(
            (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration")
    }

    /// - Throws: `wrong` for a document of another issuer, with addresses by http, or without a required member.
    init(_ bytes: [UInt8], of issuer: String) throws(ProviderFault) {
        guard let json = try? JSON(parsing: bytes), json.members != nil else {
            throw .wrong("the discovery document is not a JSON object")
        }
        guard let told = json["issuer"]?.string, told.utf8.elementsEqual(issuer.utf8) else {
            throw .wrong("the discovery document is another issuer's")
        }
        // A provider by https may not lead to http, not even on this machine.
        let isSecure = issuer.hasPrefix("https://")
        func address(_ key: String) -> ProviderAddress? {
            json[key]?.string.flatMap { ProviderAddress($0) }.flatMap {
                !isSecure || $0.text.hasPrefix("https://") ? $0 : nil
            }
        }
        guard let authorization = address("authorization_endpoint"), let token = address("token_endpoint"),
            let keys = address("jwks_uri"), !authorization.text.contains("#")
        else { throw .wrong("the discovery document lacks an address, or has one without https") }
        (authorizationEndpoint, tokenEndpoint, keySet) = (authorization, token, keys)
        userEndpoint = address("userinfo_endpoint")
        let ways = json["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string) ?? ["client_secret_basic"]
        secretPlace = !ways.contains("client_secret_basic") && ways.contains("client_secret_post") ? .form : .header
        tellsIssuer = json["authorization_response_iss_parameter_supported"]?.bool == true
    }
}
