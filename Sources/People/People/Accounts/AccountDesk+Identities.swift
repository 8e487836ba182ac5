public import Media

/// What persons do with another provider: sign in, connect it to their account, disconnect it.
extension AccountDesk {
    /// The identity that a provider's claim is about; the first claim makes an account for it.
    ///
    /// A claim is never connected to an account by an equal address: the address in the account may be somebody else's.
    /// - Throws: `taken` if another account has the address; `noAddress` if the provider gives none, and
    ///   `unprovenAddress` if it does not vouch for it.
    public func identity(by claim: IdentityClaim) throws(AccountError) -> AccountIdentity {
        if let known = try store.identity(claim.subject, of: claim.issuer) { return try renewed(known, by: claim) }
        guard let text = claim.address, let address = MailAddress(text) else { throw .noAddress }
        guard claim.isConfirmed else { throw .unprovenAddress }
        let now = now()
        let account = Account(
            id: .make(at: now), address: address, metadata: .object(["name": Self.name(claim.name)]), isDisabled: false,
            confirmed: now, created: now, updated: now)
        let identity = claim.identity(of: account.id, at: now)
        do throws(AccountError) {
            try store.addAccount(account, signingInBy: identity)
            return identity
        } catch .identityTaken {
            // The same person has signed in from another tab at the same time.
            guard let known = try store.identity(claim.subject, of: claim.issuer) else { throw .identityTaken }
            return known
        }
    }

    private func renewed(_ known: AccountIdentity, by claim: IdentityClaim) throws(AccountError) -> AccountIdentity {
        var identity = known
        (identity.provider, identity.address) = (claim.provider, claim.address ?? known.address)
        if identity != known { try store.changeIdentity(identity) }
        return identity
    }

    /// Begins a session of a person who signed in with a provider.
    ///
    /// - Throws: `badCredentials` if the account is disabled, or the identity was disconnected meanwhile.
    public func signIn(
        by identity: ID<AccountIdentity>, of person: ID<Person>, program: String = "", inBrowser: Bool = false
    ) throws(AccountError) -> Grant {
        let session = AccountSession(
            of: person, at: now(), program: program, inBrowser: inBrowser, method: .provider)
        try store.addSession(session, identity: identity)
        return grant(try account(person), session)
    }

    /// Lets a signed-in person sign in with a provider too, and sends a mail about it to their address.
    ///
    /// - Parameter label: what people call the provider.
    /// - Throws: `identityTaken` if it belongs to another account.
    public func connect(_ claim: IdentityClaim, to person: ID<Person>, label: String) throws(AccountError) {
        if let known = try store.identity(claim.subject, of: claim.issuer) {
            guard known.person == person else { throw .identityTaken }
            _ = try renewed(known, by: claim)
            return
        }
        let account = try account(person)
        try store.addIdentity(claim.identity(of: person, at: now()))
        post?.send(.connected(provider: label), to: account.address)
    }

    /// Removes a person's identity with a provider. Sessions continue.
    ///
    /// - Throws: `notFound`; `lastWay` if the person could no longer sign in.
    public func disconnect(_ identity: ID<AccountIdentity>, of person: ID<Person>) throws(AccountError) {
        try store.removeIdentity(identity, of: person)
    }

    /// A name as the screens accept it; `nil` if there is none.
    private static func name(_ text: String?) -> JSON? {
        let words = (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(100)
        let isPlain = !words.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return words.isEmpty || !isPlain || words.utf8.count > 400 ? nil : .string(String(words))
    }
}
