public import Media

/// Whose things a caller may see and change. Things out of reach are answered as if they did not exist.
public enum Reach: Hashable, Sendable {
    /// Nothing that belongs to a person.
    case nobody
    /// One person's things.
    case person(ID<Person>)
    /// All things of all persons.
    case everybody

    /// Whether a thing with this owner is within reach.
    public func includes(_ owner: ID<Person>) -> Bool {
        switch self {
        case .nobody: false
        case .person(let person): person == owner
        case .everybody: true
        }
    }
}

extension Caller {
    /// Decides whose things the caller may see and change. Every face of the service asks here.
    public var reach: Reach {
        switch role {
        case .person: .person(owner)
        case .operator: .everybody
        case .anonymous: .nobody
        }
    }

    /// The caller while acting for a thing's owner; `nil` if the thing is out of reach.
    public func acting(for owner: ID<Person>) -> Caller? {
        guard reach.includes(owner) else { return nil }
        return owner == self.owner ? self : Caller(owner: owner)
    }
}

extension RouteRule {
    /// Decides whether a caller may use the route at all; `Caller.reach` decides whose things it answers.
    ///
    /// - Parameter caller: `nil` if no credentials were required.
    /// - Throws: `unauthenticated`; `viewOnly`, `ownAccountOnly` for a caller who acts for another person.
    public func admit(_ caller: Caller?) throws(AccessError) {
        let isExpected =
            switch audience {
            case .anyone, .token: true
            case .key: caller != nil
            case .person, .account: caller?.role == .person
            }
        guard isExpected else { throw .unauthenticated }
        guard let caller, caller.isActing else { return }
        if audience == .account { throw .ownAccountOnly }
        if isChange, caller.right == .view { throw .viewOnly }
    }
}

extension Audience {
    /// Whether a request to such a route must say who it comes from.
    public var asksForCaller: Bool {
        switch self {
        case .anyone, .token: false
        case .key, .person, .account: true
        }
    }
}
