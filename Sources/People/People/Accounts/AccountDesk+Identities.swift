public import Media

/// What persons do by a provider elsewhere: sign in, connect it to their account, disconnect it.
extension AccountDesk {
    /// The way to sign in that a provider's claim is about; at the first time an account is made for it.
    ///
    /// A claim is never connected to an account because both have the same address: the one in the account may be somebody else's.
    /// - Throws: `taken` where another account has the address; `noAddress`, `unprovenAddress` where the provider does not tell one, or
    ///   does not vouch for it.
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
            // The same person has signed in by another tab in this moment.
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

    /// Begins a session.
    ///
    /// - Throws: `badCredentials` where the account is disabled, or the way to sign in was disconnected meanwhile.
    public func signIn(
        by identity: ID<AccountIdentity>, of person: ID<Person>, program: String = "", inBrowser: Bool = false
    ) throws(AccountError) -> Grant {
        let session = AccountSession(
            of: person, at: now(), program: program, inBrowser: inBrowser, method: .provider)
        try store.addSession(session, identity: identity)
        return grant(try account(person), session)
    }

    /// Lets a person who has signed in sign in by a provider too. Their address is written of it.
    ///
    /// - Parameter label: what people call the provider.
    /// - Throws: `identityTaken` where it is another account's.
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

    /// Ends a person's way to sign in. Sessions go on.
    ///
    /// - Throws: `notFound`; `lastWay` where the person could not sign in any more.
    public func disconnect(_ identity: ID<AccountIdentity>, of person: ID<Person>) throws(AccountError) {
        try store.removeIdentity(identity, of: person)
    }

    /// A name as the screens take it; `nil` for none.
    private static func name(_ text: String?) -> JSON? {
        let words = (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(100)
        let isPlain = !words.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return words.isEmpty || !isPlain || words.utf8.count > 400 ? nil : .string(String(words))
    }
}
