internal import Documents
public import HTTPServing
internal import HTTPSyntax
public import HTTPTypes
internal import HummingbirdCore
internal import Library
internal import Linux
internal import Media
internal import People

/// Answers of the routes that are asked for most, without the way through the router.
extension DocumentAPI {
    /// The answer to a request, or the work that finds it; `nil` where a route must answer.
    ///
    /// Lists and pictures are answered, for callers who are known at once: with what their routes answer.
    public func readyAnswer(to request: HTTPRequest) -> ReadyAnswer.Way? {
        guard let target = request.path, target.hasPrefix(Self.documents) else { return nil }
        let address = URI(target)
        // Who has signed an address, the route finds out.
        if address.query?.contains("token=") == true { return nil }
        let picture = PictureAddress(path: address.path)
        guard picture != nil || address.path == Self.documents,
            let caller = knownCaller(of: request), caller.role == .person
        else { return nil }
        // What a guardian reads is kept, by the route.
        if audit != nil, caller.isActing { return nil }
        // Whoever makes too many requests is told so by the route.
        if meter?.wait(for: caller.actor.text, at: Time.monotonic) != nil { return nil }
        if let picture {
            let call = PictureCall(request, for: picture, of: caller, self)
            if let answer = call.remembered { return .known(answer) }
            return Self.found(for: caller) { QueryItems(ofRoute: address).flatMap(call.cached) }
        }
        return Self.found(for: caller) { list(address, of: caller) }
    }

    private static let documents = "/api/documents"

    /// The caller, where that is known at once, and a route would not refuse the request for the page that it comes from.
    private func knownCaller(of request: HTTPRequest) -> Caller? {
        let (credentials, headers) = (Credentials(ofEarly: request), request.headerFields)
        if credentials.cookie != nil {
            let sites = CrossSiteGuard(host: request.authority)
            guard sites.admits(method: request.method.rawValue, headers: headers, hasCookie: true) else { return nil }
        }
        guard let caller = identifying.knownActingCaller(with: credentials) else { return nil }
        return (try? Self.check(headers, against: caller)) == nil ? nil : caller
    }

    /// Work that takes a person's turn, wherever they are.
    private static func found(for caller: Caller, _ find: @escaping @Sendable () -> ReadyAnswer?) -> ReadyAnswer.Way {
        let person: Caller? = caller
        return .found(party: person.party(from: ""), by: find)
    }

    /// A page of the list; `nil` if something is wrong with the request, which the route says.
    private func list(_ address: URI, of caller: Caller) -> ReadyAnswer? {
        guard let items = QueryItems(ofRoute: address), let query = try? ListQuery(items),
            let page = try? library.store.list(query, of: caller.owner)
        else { return nil }
        return try? ReadyAnswer(page, route: Self.documents)
    }
}
