internal import HTTPTypes
internal import Hummingbird
internal import Linux
internal import Media
internal import People
internal import SignIn

/// Sign-in with other providers: the way there and back, for clients of Supabase and for the screens.
extension AuthWire {
    /// Sends a client's person to a provider. The client continues by PKCE, whose verifier only it has. Without PKCE it
    /// gets the tokens themselves, at an address that the operator has listed.
    func authorize(_ request: AuthRequest) async throws -> Response {
        guard let elsewhere, let name = request.parameter("provider"), elsewhere.provider(name) != nil else {
            throw AuthError.invalid("Unsupported provider: provider is not enabled")
        }
        let purpose = try Self.purpose(request, elsewhere)
        guard let browser = request.browser else { throw AuthError.invalid("Signing in needs an address with https") }
        do throws(SignInFault) {
            let there = try await elsewhere.begin(name, purpose, browser: browser.secret, client: request.client)
            var response = Response.passing(to: there)
            response.headers.append(HTTPField(name: .setCookie, value: browser.setting))
            return response
        } catch {
            return .passing(to: Self.address(error, purpose, provider: name))
        }
    }

    private static func purpose(
        _ request: AuthRequest, _ elsewhere: SignInElsewhere
    ) throws(AuthError) -> SignInPurpose {
        let wish = request.parameter("redirect_to")
        if let challenge = request.parameter("code_challenge"), !challenge.isEmpty {
            guard CodeChallenge.isChallenge(challenge),
                request.parameter("code_challenge_method")?.lowercased() == "s256"
            else { throw .invalid("code_challenge has to be of code_challenge_method s256") }
            return .client(address: elsewhere.returnAddress(wish), challenge: challenge)
        }
        guard let address = elsewhere.implicitAddress(wish) else {
            throw .invalid(
                "code_challenge with code_challenge_method s256 is required, unless redirect_to is an address that this service lists"
            )
        }
        return .implicit(address: address)
    }

    /// The address to which providers send people back.
    func callback(_ request: AuthRequest) async throws -> Response {
        guard let elsewhere else { throw AuthError.notFound }
        let outcome = await elsewhere.end(request.items, browser: request.browser?.sent, program: request.program)
        switch outcome {
        case .signedIn(let grant, let path):
            guard let field = await giveSession(grant, request) else {
                return .passing(to: Self.address(.ended, .screen(path: path), provider: ""))
            }
            request.subject.note(actor: grant.account.id)
            var response = Response.passing(to: path)
            response.headers.append(field)
            return response
        case .connected(let person, let provider):
            request.subject.note(actor: person)
            request.subject.note(owner: person, things: AuditThings(connectedProvider: provider))
            return .passing(to: SignInElsewhere.address("/account", with: [("connected", provider)]))
        case .coded(let person, let address):
            request.subject.note(actor: person)
            return .passing(to: address)
        case .granted(let grant, let address):
            request.subject.note(actor: grant.account.id)
            let token = try await tokens.sign(grant, at: Instant(microseconds: Time.wall / 1000))
            return .passing(to: SignInElsewhere.address(address, withFragment: Self.items(token, grant)))
        case .failed(let fault, let purpose, let provider):
            return .passing(to: Self.address(fault, purpose, provider: provider))
        }
    }

    /// The items of a session that GoTrue puts after `#`, in its order.
    private static func items(
        _ token: (text: String, expiry: Int64), _ grant: AccountDesk.Grant
    ) -> [(String, String)] {
        [
            ("access_token", token.text), ("expires_at", "\(token.expiry)"),
            ("expires_in", "\(AccessTokens.lifetime.components.seconds)"), ("refresh_token", grant.refreshToken),
            ("token_type", "bearer"),
        ]
    }

    /// The session for the code with which a person has come back.
    func exchange(_ request: AuthRequest) async throws -> AccountDesk.Grant {
        let body = try await request.object()
        guard let elsewhere, let code = body["auth_code"]?.string, let verifier = body["code_verifier"]?.string else {
            throw AuthError.invalid("invalid request: both auth code and code verifier should be non-empty")
        }
        return try await elsewhere.exchange(code, verifier: verifier, program: request.program)
    }

    /// The address at which a person learns of the failure, and can try again.
    private static func address(_ fault: SignInFault, _ purpose: SignInPurpose?, provider: String) -> String {
        let items = [("fault", fault.rawValue), ("provider", provider)]
        switch purpose {
        case .client(let address, _):
            return SignInElsewhere.address(address, with: told(fault))
        case .implicit(let address): return SignInElsewhere.address(address, withFragment: told(fault))
        case .connection: return SignInElsewhere.address("/account", with: items)
        case .screen(let path): return SignInElsewhere.address("/signin", with: items + [("next", path)])
        case nil: return SignInElsewhere.address("/signin", with: items)
        }
    }

    private static func told(_ fault: SignInFault) -> [(String, String)] {
        let (error, code, text) = words(fault)
        return [("error", error), ("error_code", code), ("error_description", text)]
    }

    /// What a client is told: in GoTrue's words, if it has any for the fault.
    private static func words(_ fault: SignInFault) -> (error: String, code: String, text: String) {
        switch fault {
        case .cancelled: ("access_denied", "provider_declined", "The person has not agreed at the provider")
        case .ended, .left: ("invalid_request", "bad_oauth_state", "OAuth state is unknown, used, or has expired")
        case .taken: ("access_denied", "email_exists", "An account has this email: sign in with its password first")
        case .address: ("access_denied", "email_address_not_provided", "The provider tells no email address")
        case .unproven: ("access_denied", "provider_email_needs_verification", "Unverified email with the provider")
        case .other: ("access_denied", "identity_already_exists", "Identity is already linked to another user")
        case .closed: ("access_denied", "user_banned", "User is banned")
        case .busy: ("temporarily_unavailable", "over_request_rate_limit", "Too many attempts. Try again in a minute.")
        case .unknown, .refused: ("server_error", "bad_oauth_callback", "The provider's answer cannot be used")
        case .away, .unavailable: ("server_error", "unexpected_failure", "The provider does not answer")
        }
    }
}

extension AuthError {
    init(_ fault: SignInElsewhere.CodeFault) {
        switch fault {
        case .unknown: self.init(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
        case .ended: self.init(422, "flow_state_expired", "invalid flow state, flow state has expired")
        case .badVerifier:
            self.init(400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
        }
    }
}

extension Response {
    /// Redirects a browser; the response must not be cached.
    fileprivate static func passing(to address: String) -> Response {
        Response(status: .found, headers: [.location: address, .cacheControl: "no-store"])
    }
}
