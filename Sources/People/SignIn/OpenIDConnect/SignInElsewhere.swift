public import HTTPServing
public import HTTPSyntax
internal import Hashing
internal import Linux
public import Media
public import People

/// Signs people in with other providers (OpenID Connect): sends them there, and finishes the sign-in when they come
/// back.
///
/// A begun sign-in is in the store of accounts, so any process may finish it. It is found by two secrets: one in the
/// address to which the provider sends the person back (`state`), and one in the browser's cookie. So nobody can finish
/// what another browser has begun.
public final class SignInElsewhere: Sendable {
    /// The providers in the order of the operator's list.
    public let providers: [OpenIDProvider]
    /// The address of this service, without a path: `https://documents.example.org`.
    public let address: String
    private let clients: [String: ProviderClient]
    private let desk: AccountDesk
    private let origins: AllowedOrigins
    private let redirects: RedirectAddresses
    private let work: BlockingPool
    private let now: @Sendable () -> Instant
    private let report: @Sendable (_ provider: String, SignInFault, _ reason: String) -> Void
    /// Each begun sign-in takes room in the store, and may cause a request to a provider.
    private let meter = RequestMeter(perMinute: 60)

    /// Sends a request to a provider; blocks.
    public typealias Transport = @Sendable (ProviderRequest) throws(ProviderFault) -> ProviderAnswer

    /// Time limit for a client to exchange its code.
    static let codeTime = Duration.seconds(300)

    /// The result for a person who comes back.
    public enum Outcome: Sendable {
        /// A browser's session has begun, and a screen is shown next.
        case signedIn(AccountDesk.Grant, path: String)
        /// A provider was connected to the person's account.
        case connected(ID<Person>, provider: String)
        /// A client gets a code, which the address contains.
        case coded(ID<Person>, address: String)
        /// A client gets the tokens of a session, after `#` of the address.
        case granted(AccountDesk.Grant, address: String)
        /// It failed. The purpose is unknown if no begun sign-in was found.
        case failed(SignInFault, SignInPurpose?, provider: String)
    }

    /// - Parameters:
    ///   - address: the address of this service, without a path. Providers send people back to `/auth/v1/callback`
    ///     there.
    ///   - origins: the origins to whose pages codes may go, besides the service's own.
    ///   - redirects: further addresses to which codes may go; only these may receive tokens themselves.
    ///   - work: runs calls of the store.
    ///   - requests: runs requests to providers, a few at once.
    ///   - clock: monotonic; `nil` for the machine's.
    ///   - now: the clock; `nil` for the machine's.
    ///   - report: called with the reason for each failure.
    public init(
        _ providers: [OpenIDProvider], _ desk: AccountDesk, address: String, origins: AllowedOrigins,
        redirects: RedirectAddresses = RedirectAddresses("")!, work: BlockingPool, requests: BlockingPool,
        clock: (@Sendable () -> Duration)? = nil, now: (@Sendable () -> Instant)? = nil,
        transport: @escaping Transport = ProviderTransport.send,
        report: @escaping @Sendable (_ provider: String, SignInFault, _ reason: String) -> Void
    ) {
        (self.providers, self.desk, self.address, self.origins) = (providers, desk, address, origins)
        (self.redirects, self.work, self.report) = (redirects, work, report)
        let now = now ?? { Instant(microseconds: Time.wall / 1000) }
        self.now = now
        let sending: ProviderMemory.Sending = { request async throws(ProviderFault) in
            do {
                return try await requests.run { try transport(request) }
            } catch let fault as ProviderFault {
                throw fault
            } catch ServingError.overloaded {
                throw .busy
            } catch {
                throw .away("\(error)")
            }
        }
        clients = Dictionary(
            uniqueKeysWithValues: providers.map { provider in
                let client = ProviderClient(
                    provider, redirect: "\(address)/auth/v1/callback", clock: clock ?? { Time.monotonic }, now: now,
                    sending: sending)
                return (provider.name, client)
            })
    }

    /// A provider's entry in the list.
    public func provider(_ name: String) -> OpenIDProvider? { clients[name]?.provider }

    /// A new secret for a browser that has none, or for anything else: 256 bits in 64 digits.
    public static func makeSecret() -> String { Hex.string([UInt8].random(count: 32)) }

    /// Whether a cookie's value has the form of such a secret.
    public static func isSecret(_ text: String) -> Bool { text.utf8.count == 64 && Hex.bytes(Array(text.utf8)) != nil }

    // MARK: There

    /// The address at a provider to which a person is sent.
    ///
    /// - Parameters:
    ///   - browser: the secret in the browser's cookie.
    ///   - client: the address that the request comes from, for a rate limit of begun sign-ins.
    public func begin(
        _ name: String, _ purpose: SignInPurpose, browser: String, client: String
    ) async throws(SignInFault) -> String {
        guard let provider = clients[name] else { throw .unknown }
        guard meter.wait(for: client, at: Time.monotonic) == nil else { throw .busy }
        let now = now()
        let secrets = ProviderClient.Secrets(
            state: Self.makeSecret(), nonce: Self.makeSecret(), verifier: Self.makeSecret(), begun: now)
        do {
            let address = try await provider.authorization(secrets)
            let ticket = AccountTicket(
                name: Self.ticketName("flow", secrets.state, browser),
                content: SignInFlow(provider: name, purpose: purpose, secrets: secrets).json, end: now + SignInFlow.time
            )
            try await work.run { [desk] in try desk.store.addTicket(ticket, at: now) }
            return address
        } catch {
            throw told(error, name)
        }
    }

    // MARK: Back

    /// Finishes a begun sign-in, by the query items that the provider has appended to the address.
    ///
    /// - Parameters:
    ///   - browser: the secret in the browser's cookie; `nil` if it sends none.
    ///   - program: the program's name in the list of sessions.
    public func end(_ answer: QueryItems, browser: String?, program: String) async -> Outcome {
        let states = answer.values(of: "state")
        guard states.count == 1, let browser, Self.isSecret(browser) else { return .failed(.ended, nil, provider: "") }
        let name = Self.ticketName("flow", states[0], browser)
        do {
            guard let ticket = try await work.run({ [desk] in try desk.store.takeTicket(name) }),
                let flow = SignInFlow(ticket.content, state: states[0])
            else { return .failed(.ended, nil, provider: "") }
            do {
                guard now() < ticket.end else { throw SignInFault.ended }
                guard let provider = clients[flow.provider] else { throw SignInFault.unknown }
                let claim = try await provider.claim(by: answer, flow.secrets)
                return try await outcome(of: claim, flow, program)
            } catch {
                return .failed(told(error, flow.provider), flow.purpose, provider: flow.provider)
            }
        } catch {
            return .failed(told(error, ""), nil, provider: "")
        }
    }

    private func outcome(
        of claim: IdentityClaim, _ flow: SignInFlow, _ program: String
    ) async throws -> Outcome {
        let (desk, label) = (desk, clients[flow.provider]?.provider.label ?? flow.provider)
        switch flow.purpose {
        case .screen(let path):
            let grant = try await work.run {
                let identity = try desk.identity(by: claim)
                return try desk.signIn(by: identity.id, of: identity.person, program: program, inBrowser: true)
            }
            return .signedIn(grant, path: path)
        case .connection(let person, let session):
            try await work.run {
                guard let going = try desk.store.session(session), going.person == person else {
                    throw SignInFault.left
                }
                try desk.connect(claim, to: person, label: label)
            }
            return .connected(person, provider: flow.provider)
        case .client(let address, let challenge):
            let (code, now) = (Self.makeSecret(), now())
            let person = try await work.run {
                let identity = try desk.identity(by: claim)
                let content = JSON.object([
                    "identity": .string(identity.id.text), "person": .string(identity.person.text),
                    "challenge": .string(challenge),
                ])
                try desk.store.addTicket(
                    AccountTicket(name: Self.ticketName("code", code), content: content, end: now + Self.codeTime),
                    at: now)
                return identity.person
            }
            return .coded(person, address: Self.address(address, with: [("code", code)]))
        case .implicit(let address):
            let grant = try await work.run {
                let identity = try desk.identity(by: claim)
                return try desk.signIn(by: identity.id, of: identity.person, program: program)
            }
            return .granted(grant, address: address)
        }
    }

    /// Why a client gets no session for a code.
    public enum CodeFault: Error, Hashable, Sendable {
        /// The code was exchanged before, or is not one.
        case unknown
        /// The code has expired.
        case ended
        /// The verifier does not match the challenge.
        case badVerifier
    }

    /// The session of a client that began with a challenge, for its code and the challenge's verifier. A code is valid
    /// for one attempt.
    ///
    /// - Throws: `CodeFault`; `AccountError` if the account is closed.
    public func exchange(_ code: String, verifier: String, program: String) async throws -> AccountDesk.Grant {
        let (desk, moment) = (desk, now())
        return try await work.run {
            guard let ticket = try desk.store.takeTicket(Self.ticketName("code", code)),
                let identity = ticket.content["identity"]?.string.flatMap({ ID<AccountIdentity>($0) }),
                let person = ticket.content["person"]?.string.flatMap({ ID<Person>($0) }),
                let challenge = ticket.content["challenge"]?.string
            else { throw CodeFault.unknown }
            guard moment < ticket.end else { throw CodeFault.ended }
            guard CodeChallenge.text(of: verifier) == challenge else { throw CodeFault.badVerifier }
            return try desk.signIn(by: identity, of: person, program: program)
        }
    }

    // MARK: Addresses

    /// Where a client's person goes afterwards: the requested address if it is of the service, of an allowed origin, or
    /// in the list of addresses; otherwise the service's own.
    public func returnAddress(_ wish: String?) -> String {
        guard let wish, wish.utf8.count <= 2000, wish.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            redirects.includes(wish) || origins.includes(address: wish)
                || AllowedOrigins(address)?.includes(address: wish) == true
        else { return "\(address)/" }
        return wish
    }

    /// The address that a client requests, if tokens themselves may go there.
    public func implicitAddress(_ wish: String?) -> String? { wish.flatMap { redirects.includes($0) ? $0 : nil } }

    /// An address with further items in its query, and without the part after `#`.
    public static func address(_ address: String, with items: [(String, String)]) -> String {
        let base = address.prefix { $0 != "#" }
        return "\(base)\(base.contains("?") ? "&" : "?")\(text(of: items))"
    }

    /// An address with items after `#`, which browsers send to no server.
    public static func address(_ address: String, withFragment items: [(String, String)]) -> String {
        "\(address.prefix { $0 != "#" })#\(text(of: items))"
    }

    private static func text(of items: [(String, String)]) -> String {
        items.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    /// The path of one of the service's screens, with its query and fragment; `/documents` for anything else.
    ///
    /// A browser may read a host from a path with a backslash or an empty part. An empty part may also appear when it
    /// removes the parts `.` and `..` (RFC 3986, 5.2.4; also written `%2e`). No screen has such a path.
    public static func screenPath(_ wish: String?) -> String {
        guard let wish, wish.utf8.count <= 2000,
            wish.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return "/documents" }
        let parts = wish.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
        let isRoot = parts.count > 1 && parts[0].isEmpty
        let hasEmpty = parts.dropFirst().dropLast().contains { $0.isEmpty }
        let hasDots = parts.contains { [".", ".."].contains($0.lowercased().replacing("%2e", with: ".")) }
        return isRoot && !hasEmpty && !hasDots ? wish : "/documents"
    }

    // MARK: Parts

    private static func ticketName(_ parts: String...) -> String {
        SHA256.digest(of: Array(parts.joined(separator: " ").utf8)).hex
    }

    /// What a person is told; the log gets more.
    private func told(_ error: any Error, _ provider: String) -> SignInFault {
        let fault: SignInFault =
            switch error {
            case let fault as SignInFault: fault
            case let fault as ProviderFault: SignInFault(fault)
            case let error as AccountError: SignInFault(error)
            case ServingError.overloaded: .busy
            default: .unavailable
            }
        report(provider, fault, "\(error)")
        return fault
    }
}
