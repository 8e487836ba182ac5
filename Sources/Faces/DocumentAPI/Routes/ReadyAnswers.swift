internal import Documents
public import HTTPServing
internal import HTTPSyntax
public import HTTPTypes
internal import HummingbirdCore
internal import Library
internal import Linux
internal import Media
internal import People

/// Answers of the most requested routes, without the router.
extension DocumentAPI {
    /// The answer to a request, or the work that finds it; `nil` where a route must answer.
    ///
    /// Lists and pictures are answered for callers who are known at once, with the answers of their routes.
    public func readyAnswer(to request: HTTPRequest) -> ReadyAnswer.Way? {
        guard let target = request.path, target.hasPrefix(Self.documents) else { return nil }
        let address = URI(target)
        // The route identifies the signer of an address.
        if address.query?.contains("token=") == true { return nil }
        let picture = PictureAddress(path: address.path)
        guard picture != nil || address.path == Self.documents,
            let caller = knownCaller(of: request), caller.role == .person
        else { return nil }
        // The route records what a guardian reads.
        if audit != nil, caller.isActing { return nil }
        // The route refuses a caller with too many requests.
        if meter?.wait(for: caller.actor.text, at: Time.monotonic) != nil { return nil }
        if let picture {
            let call = PictureCall(request, for: picture, of: caller, self)
            if let answer = call.remembered { return .known(answer) }
            return Self.found(for: caller) { QueryItems(ofRoute: address).flatMap(call.cached) }
        }
        return Self.found(for: caller) { list(address, of: caller) }
    }

    private static let documents = "/api/documents"

    /// The caller, if it is known at once, and if a route would not refuse the request because of the page that it
    /// comes from.
    private func knownCaller(of request: HTTPRequest) -> Caller? {
        let (credentials, headers) = (Credentials(ofEarly: request), request.headerFields)
        if credentials.cookie != nil {
            let sites = CrossSiteGuard(host: request.authority)
            guard sites.admits(method: request.method.rawValue, headers: headers, hasCookie: true) else { return nil }
        }
        guard let caller = authenticator.knownActingCaller(with: credentials) else { return nil }
        return (try? Self.check(headers, against: caller)) == nil ? nil : caller
    }

    /// Work in a person's turn, whatever their network is.
    private static func found(for caller: Caller, _ find: @escaping @Sendable () -> ReadyAnswer?) -> ReadyAnswer.Way {
        let person: Caller? = caller
        return .found(party: person.party(from: ""), by: find)
    }

    /// A page of the list; `nil` if something is wrong with the request, which the route reports.
    private func list(_ address: URI, of caller: Caller) -> ReadyAnswer? {
        guard let items = QueryItems(ofRoute: address), let query = try? ListQuery(items),
            let page = try? library.store.list(query, of: caller.owner)
        else { return nil }
        return try? ReadyAnswer(page, route: Self.documents)
    }
}
