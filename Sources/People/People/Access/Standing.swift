internal import Database
public import Media

/// What a person may do with an owner's things, as of now.
public struct Standing: Hashable, Sendable {
    /// What the person may do.
    public let right: ActingRight
    /// When a guardian accepted the athlete's invitation; `nil` for a person's own things.
    public let since: Instant?
    /// How often all of the person's sessions were ended at once.
    public let epoch: Int64

    /// A standing of these parts.
    public init(right: ActingRight, since: Instant? = nil, epoch: Int64 = 0) {
        self.right = right
        self.since = since
        self.epoch = epoch
    }
}

/// Something by which others act in a person's name: a link, or a signed address.
///
/// Rights are checked when it is used, not when it is made.
public struct HandedOut: Hashable, Sendable {
    /// Whose thing it opens.
    public let owner: ID<Person>
    /// The person who made the link, or signed the address.
    public let actor: ID<Person>
    /// When it was made or signed.
    public let issued: Instant
    /// The person's `Standing.epoch` at that time; `nil` if a sign-out everywhere leaves it in place.
    public let epoch: Int64?
    /// The right that its use needs.
    public let right: ActingRight

    /// Something that was handed out.
    public init(owner: ID<Person>, actor: ID<Person>, issued: Instant, epoch: Int64?, right: ActingRight) {
        self.owner = owner
        self.actor = actor
        self.issued = issued
        self.epoch = epoch
        self.right = right
    }

    /// Decides whether it is still valid. Every face asks here about links and signed addresses.
    ///
    /// Its person needs an enabled account, and the right. A guardianship that ended and was granted again does not
    /// restore what was handed out before. Times are compared in whole seconds, as tokens have them.
    /// - Parameter standing: the person's standing with the owner now.
    public func counts(with standing: Standing?) -> Bool {
        guard let standing, right == .view || standing.right == .manage else { return false }
        if let epoch, epoch != standing.epoch { return false }
        guard let since = standing.since else { return true }
        return issued.microseconds / 1_000_000 >= since.microseconds / 1_000_000
    }
}

extension Authenticator {
    /// Whether something that was handed out is still valid; an end is noticed within a second.
    public func stands(_ handedOut: HandedOut) async throws(AccessError) -> Bool {
        handedOut.counts(with: try await standing(of: handedOut.actor, for: handedOut.owner))
    }

    /// Requires that something that was handed out is still valid.
    ///
    /// - Throws: `notActing` if a guardian handed it out, else `invalid`.
    public func require(_ handedOut: HandedOut) async throws(AccessError) {
        guard try await stands(handedOut) else { throw handedOut.refusal }
    }

    /// The same, read from the store directly. It blocks: for the step that commits what a request has sent.
    public func requireNow(_ handedOut: HandedOut) throws(AccessError) {
        guard handedOut.counts(with: try currentStanding(of: handedOut.actor, for: handedOut.owner)) else {
            throw handedOut.refusal
        }
    }

    /// Requires that a person may still change an owner's things, read from the store directly. It blocks.
    ///
    /// - Throws: as `requireRight`.
    public func requireChangeNow(by caller: Caller) throws(AccessError) {
        guard caller.role == .person else { return }
        guard let standing = try currentStanding(of: caller.actor, for: caller.owner) else { throw caller.refusal }
        if standing.right == .view { throw .viewOnly }
    }

    /// How the calls of a request run. If it may change something, stores check inside each change that the caller
    /// still may.
    public func permitting(_ caller: Caller?, _ rule: RouteRule) -> @Sendable (_ call: () -> Void) -> Void {
        let permit = rule.isChange ? permit(of: caller) : nil
        return { call in ChangePermit.with(permit, call) }
    }

    /// - Returns: `nil` for the operator, whose key does not expire.
    private func permit(of caller: Caller?) -> ChangePermit? {
        guard let caller, caller.role == .person else { return nil }
        return ChangePermit { [self] () throws(ChangePermit.Refusal) in
            let standing: Standing?
            do throws(AccessError) {
                standing = try isSignedIn(caller) ? currentStanding(of: caller.actor, for: caller.owner) : nil
            } catch {
                throw .unknown(detail: "rights: \(error)")
            }
            guard let standing, caller.right != .manage || standing.right == .manage else {
                throw .ended
            }
        }
    }

    /// Something that a caller hands out now.
    ///
    /// - Returns: `nil` for the operator, whose key belongs to nobody.
    /// - Throws: `notActing` or `invalid` if the caller's right has ended.
    public func handedOut(
        by caller: Caller, needing right: ActingRight, at now: Instant
    ) throws(AccessError) -> HandedOut? {
        guard caller.role == .person else { return nil }
        guard let standing = try currentStanding(of: caller.actor, for: caller.owner) else { throw caller.refusal }
        return HandedOut(
            owner: caller.owner, actor: caller.actor, issued: now, epoch: standing.epoch, right: right)
    }
}

extension HandedOut {
    fileprivate var refusal: AccessError { actor == owner ? .invalid : .notActing }
}

extension Caller {
    /// Why a person whose right has ended is refused.
    var refusal: AccessError { isActing ? .notActing : .invalid }
}
