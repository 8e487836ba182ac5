internal import Media

/// What persons prove by a mailed link: that the address is theirs, and so is the account.
extension AccountDesk {
    /// Whether people get links by mail.
    public var sendsMail: Bool { post != nil }
    /// How long a link can set a new password.
    public static let resetTime = Duration.seconds(3600)
    /// How long a link can confirm an address.
    public static let confirmationTime = Duration.seconds(7 * 86_400)

    /// Sends a link that sets a new password, if an account has the address. The caller does not learn whether one has.
    ///
    /// - Throws: `tooManyAttempts` if the client has requested too many; `noMail`.
    public func requestReset(_ address: String, client: String) throws(AccountError) {
        guard let post else { throw .noMail }
        try letters.count(.reset, from: client)
        guard let address = MailAddress(address), let found = try store.account(at: address),
            !found.account.isDisabled, letters.admits(.reset, to: address, from: client)
        else { return }
        let end = (now() + Self.resetTime).microseconds / 1_000_000
        post.send(.reset(token: resets.text(of: found.account.id, end, state: found.hash.text)), to: address)
    }

    /// Sets a new password by a mailed link, ends all sessions, and begins one.
    ///
    /// The link proves that the address is the person's, so the address counts as confirmed.
    /// - Throws: `badPassword`; `unknownLink` for a link that was used, is too old, or is not one.
    public func resetPassword(
        by token: String, to password: String, program: String = "", inBrowser: Bool = false
    ) throws(AccountError) -> Grant {
        try rule.check(password)
        let now = now()
        guard let claim = resets.claim(of: token), let found = try store.account(claim.id),
            !found.account.isDisabled, resets.accepts(claim, state: found.hash.text),
            now.microseconds / 1_000_000 < claim.number
        else { throw .unknownLink }
        let id = claim.id
        let hash = try PasswordHash(of: password)
        guard try store.resetPassword(of: id, from: found.hash, to: hash, at: now) else { throw .unknownLink }
        post?.send(.passwordChanged, to: found.account.address)
        let session = AccountSession(of: id, at: now, program: program, inBrowser: inBrowser)
        try store.addSession(session, hash: hash)
        return grant(try account(id), session)
    }

    /// Records, by a mailed link, that the address is the person's.
    ///
    /// - Throws: `unknownLink` for a link that is too old, or is not one. A used link confirms again.
    public func confirm(by token: String) throws(AccountError) -> Account {
        let now = now()
        guard let claim = confirmations.claim(of: token), let found = try store.account(claim.id),
            confirmations.accepts(claim, state: found.account.address.text),
            now.microseconds / 1_000_000 < claim.number
        else { throw .unknownLink }
        if found.account.confirmed == nil { try store.confirm(claim.id, at: now) }
        return try account(claim.id)
    }

    /// Sends the link that confirms an account's address, unless one was sent recently.
    func sendConfirmation(to account: Account, client: String) {
        guard let post, letters.admits(.signUp, to: account.address, from: client) else { return }
        let end = (now() + Self.confirmationTime).microseconds / 1_000_000
        let token = confirmations.text(of: account.id, end, state: account.address.text)
        post.send(.confirmation(token: token), to: account.address)
    }

    /// Tells the owner of an address that somebody has tried to sign up with it again.
    func sendAlreadyRegistered(to address: MailAddress, client: String) {
        if letters.admits(.signUp, to: address, from: client) { post?.send(.alreadyRegistered, to: address) }
    }
}
