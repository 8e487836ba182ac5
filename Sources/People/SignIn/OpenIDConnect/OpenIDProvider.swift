internal import HTTPSyntax
internal import Media

/// A provider with which people may sign in: one entry of the operator's list.
public struct OpenIDProvider: Hashable, Sendable {
    /// The name in addresses and in the app's wire: `linkedin`.
    public let name: String
    /// The name that people read: `LinkedIn`.
    public let label: String
    /// As `iss`, byte by byte; its discovery document is below this address.
    public let issuer: String
    /// The ID of this service at the provider.
    public let clientID: String
    /// `nil` for a public client, which authenticates by PKCE alone.
    public let clientSecret: String?
    /// The scopes to request, with `openid` among them.
    public let scopes: [String]
    /// Whether ID tokens return `nonce`; LinkedIn's do not.
    public let hasNonce: Bool
    /// Whether the provider accepts PKCE (RFC 7636); with it, LinkedIn refuses the token request of a client with a
    /// secret.
    public let hasCodeChallenge: Bool

    /// Why a list of providers cannot be used.
    public struct ListFault: Error, CustomStringConvertible {
        /// One sentence, for the operator.
        public let description: String
    }

    private static let keys: Set = [
        "name", "label", "issuer", "client_id", "client_secret_file", "scopes", "nonce", "pkce",
    ]
    private static let mostCount = 20

    /// Reads a list: `{"providers": [{"name", "label", "issuer", "client_id", …}]}`.
    ///
    /// - Parameter secret: the text of the file that an entry names.
    /// - Throws: `ListFault`, and what `secret` throws.
    public static func list(in bytes: [UInt8], secret: (_ path: String) throws -> String) throws -> [OpenIDProvider] {
        guard let json = try? JSON(parsing: bytes), let entries = json["providers"]?.array, json.members?.count == 1,
            entries.count <= mostCount
        else { throw ListFault(description: "it must be an object with a list “providers” of at most \(mostCount)") }
        let providers = try entries.map { try OpenIDProvider($0, secret: secret) }
        guard Set(providers.map(\.name)).count == providers.count else {
            throw ListFault(description: "two providers have the same name")
        }
        return providers
    }

    private init(_ json: JSON, secret: (String) throws -> String) throws {
        guard let members = json.members, let name = json["name"]?.string, Self.isName(name) else {
            throw ListFault(
                description: "each provider needs a name of letters a to z, digits and _, other than email and phone")
        }
        func fault(_ text: String) -> ListFault { ListFault(description: "provider \(name): \(text)") }
        if let unknown = members.first(where: { !Self.keys.contains($0.key) }) {
            throw fault("“\(unknown.key)” is unknown; the keys are \(Self.keys.sorted().joined(separator: ", "))")
        }
        func text(_ key: String) throws -> String {
            guard let text = json[key]?.string, (1...1000).contains(text.utf8.count) else {
                throw fault("“\(key)” is missing or not a string")
            }
            return text
        }
        func truth(_ key: String) throws -> Bool {
            guard let value = json[key] else { return true }
            guard let value = value.bool else { throw fault("“\(key)” must be true or false") }
            return value
        }
        self.name = name
        label = try text("label")
        issuer = try text("issuer")
        guard let address = ProviderAddress(issuer), !address.hasQuery else {
            throw fault("“issuer” must be an https address, or an http address of this machine, without a query")
        }
        clientID = try text("client_id")
        let wanted = json["scopes"] == nil ? "openid email profile" : try text("scopes")
        scopes = wanted.split(separator: " ").map(String.init)
        guard scopes.contains("openid") else { throw fault("“scopes” must contain openid") }
        hasNonce = try truth("nonce")
        hasCodeChallenge = try truth("pkce")
        clientSecret = json["client_secret_file"] == nil ? nil : try secret(text("client_secret_file"))
        guard clientSecret != nil || hasCodeChallenge else { throw fault("without a secret “pkce” cannot be false") }
    }

    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !["email", "phone"].contains(text)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}

/// An address that may be requested from a provider: by https; by http if the host is this machine, for tests.
struct ProviderAddress: Hashable {
    let text: String
    /// Whether the host is this machine, so that nobody is on the way.
    let isLoopback: Bool

    /// Whether something follows `?` or `#`.
    var hasQuery: Bool { text.contains { "?#".contains($0) } }

    /// - Returns: `nil` for another scheme, a user or password, spaces, and characters that addresses must encode.
    init?(_ text: String) {
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://"), text.utf8.count <= 2000,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let authority = text.dropFirst(isSecure ? 8 : 7).prefix { !"/?#".contains($0) }
        guard let host = HostName(authority), isSecure || host.isLoopback else { return nil }
        self.text = text
        isLoopback = host.isLoopback
    }
}
