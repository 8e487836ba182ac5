public import Media
public import People

/// The purpose for which a person goes to a provider.
public enum SignInPurpose: Hashable, Sendable {
    /// A browser's session, and then a screen: a path of this service.
    case screen(path: String)
    /// A further way to sign in for a person, while the session lasts.
    case connection(ID<Person>, ID<AccountSession>)
    /// A session of tokens for a client of the app's wire, which gets a code at its own address.
    case client(address: String, challenge: String)
    /// The same for a client without a challenge: it gets the tokens themselves, after `#` of an address of the
    /// operator's list.
    case implicit(address: String)
}

/// A begun sign-in with a provider, as the store keeps it.
struct SignInFlow: Hashable {
    let provider: String
    let purpose: SignInPurpose
    let secrets: ProviderClient.Secrets

    /// Time limit of a sign-in.
    static let time = Duration.seconds(600)

    var json: JSON {
        let begun = JSON.integer(secrets.begun.microseconds)
        var members: [JSON.Member] = [
            .init("provider", .string(provider)), .init("nonce", .string(secrets.nonce)),
            .init("verifier", .string(secrets.verifier)), .init("begun", begun),
        ]
        switch purpose {
        case .screen(let path): members.append(.init("path", .string(path)))
        case .connection(let person, let session):
            members += [.init("person", .string(person.text)), .init("session", .string(session.text))]
        case .client(let address, let challenge):
            members += [.init("address", .string(address)), .init("challenge", .string(challenge))]
        case .implicit(let address): members.append(.init("implicit", .string(address)))
        }
        return .object(members)
    }

    init(provider: String, purpose: SignInPurpose, secrets: ProviderClient.Secrets) {
        self.provider = provider
        self.purpose = purpose
        self.secrets = secrets
    }

    /// - Parameter state: the value that the provider has returned.
    init?(_ json: JSON, state: String) {
        guard let provider = json["provider"]?.string, let nonce = json["nonce"]?.string,
            let verifier = json["verifier"]?.string, let begun = json["begun"]?.integer
        else { return nil }
        self.provider = provider
        secrets = ProviderClient.Secrets(
            state: state, nonce: nonce, verifier: verifier, begun: Instant(microseconds: begun))
        if let path = json["path"]?.string {
            purpose = .screen(path: path)
        } else if let person = json["person"]?.string.flatMap({ ID<Person>($0) }),
            let session = json["session"]?.string.flatMap({ ID<AccountSession>($0) })
        {
            purpose = .connection(person, session)
        } else if let address = json["address"]?.string, let challenge = json["challenge"]?.string {
            purpose = .client(address: address, challenge: challenge)
        } else if let address = json["implicit"]?.string {
            purpose = .implicit(address: address)
        } else {
            return nil
        }
    }
}
