public import Media

/// Who may act for an athlete: only the athlete invites, and either of the two ends it.
extension AccountDesk {
    /// A guardianship with the account at its other end.
    public struct Guardian: Sendable {
        /// What the athlete has granted.
        public let guardianship: Guardianship
        /// The guardian's account in an athlete's list, the athlete's in a guardian's; `nil` while the invitation is
        /// open.
        public let account: Account?
    }

    /// Invites somebody to act for the athlete: by mail, if the service sends any.
    ///
    /// - Returns: the invitation, and the token of its link, for the athlete to pass on.
    /// - Throws: `badAddress`; `ownGuardian` for the athlete's own address; `tooManyGuardians`.
    public func invite(
        _ address: String, by athlete: ID<Person>, right: ActingRight, client: String
    ) throws(AccountError) -> (invited: Guardian, token: String) {
        let account = try account(athlete)
        guard let address = MailAddress(address) else { throw .badAddress }
        guard address != account.address else { throw .ownGuardian }
        if post != nil { try letters.count(.invitation, from: client) }
        let now = now()
        let made = Guardianship(id: .make(at: now), athlete: athlete, right: right, address: address, created: now)
        try store.addGuardianship(made)
        let token = invitations.text(of: made.id, made.invitationEnd.microseconds / 1_000_000)
        sendInvitation(token, from: account, to: address, client: client)
        return (Guardian(guardianship: made, account: nil), token)
    }

    /// What an invitation's link is about, for a person who may accept it.
    ///
    /// - Throws: `unknownLink` if the invitation was accepted, ended, is too old, or does not exist; `ownGuardian` for
    ///   the athlete's own.
    public func invitation(_ token: String, for person: ID<Person>) throws(AccountError) -> Guardian {
        guard let claim = invitations.verified(token), let found = try store.guardianship(claim.id),
            found.guardian == nil, now() < found.invitationEnd
        else { throw .unknownLink }
        guard found.athlete != person else { throw .ownGuardian }
        return Guardian(guardianship: found, account: try account(found.athlete))
    }

    /// Makes the person the guardian that an invitation is for. It works once.
    ///
    /// - Throws: as `invitation`.
    public func acceptInvitation(_ token: String, by person: ID<Person>) throws(AccountError) -> Guardian {
        let found = try invitation(token, for: person)
        guard try store.acceptGuardianship(found.guardianship.id, by: person, at: now()) else { throw .unknownLink }
        return found
    }

    /// Who acts for an athlete or is invited to, newest first. Invitations that are too old are not shown.
    public func guardians(of athlete: ID<Person>) throws(AccountError) -> [Guardian] {
        let now = now()
        var all: [Guardian] = []
        for found in try store.guardianships(of: athlete) where found.guardian != nil || now < found.invitationEnd {
            let guardian = try found.guardian.flatMap { id throws(AccountError) in try store.account(id)?.account }
            all.append(Guardian(guardianship: found, account: guardian))
        }
        return all
    }

    /// The athletes for whom a person acts, by address.
    public func athletes(of guardian: ID<Person>) throws(AccountError) -> [Guardian] {
        var all: [Guardian] = []
        for found in try store.guardianships(by: guardian) {
            guard let athlete = try store.account(found.athlete)?.account, !athlete.isDisabled else { continue }
            all.append(Guardian(guardianship: found, account: athlete))
        }
        return all.sorted { $0.account!.address.text < $1.account!.address.text }
    }

    /// Ends a guardianship or withdraws an invitation, on behalf of the athlete or the guardian.
    ///
    /// - Throws: `notFound` if it has ended, or belongs to others.
    public func endGuardianship(_ id: ID<Guardianship>, by person: ID<Person>) throws(AccountError) {
        guard try store.endGuardianship(id, by: person) else { throw .notFound }
    }

    private func sendInvitation(_ token: String, from athlete: Account, to address: MailAddress, client: String) {
        guard let post, letters.admits(.invitation, to: address, from: client) else { return }
        post.send(.invitation(token: token, from: athlete.address), to: address)
    }
}
