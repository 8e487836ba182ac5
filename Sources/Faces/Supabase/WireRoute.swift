internal import Hummingbird
internal import People

/// A route of the wire: its row in the table of routes, and the handler that answers.
struct WireRoute: Sendable {
    /// Answers a request. If the route asks for no caller, the caller is anonymous.
    typealias Handler = @Sendable (WireRequest, Caller) async throws -> Response

    /// The prefix of rows.
    static let rows = "/rest/v1"
    /// The prefix of files.
    static let files = "/storage/v1"

    let rule: RouteRule
    let handler: Handler
    /// The names after the prefix.
    private let pattern: [String]

    init(
        _ method: String, _ path: String, _ audience: Audience, isChange: Bool? = nil,
        takesFile: Bool = false, _ handler: @escaping Handler
    ) {
        rule = RouteRule(method, path, audience, isChange: isChange, takesFile: takesFile)
        self.handler = handler
        pattern = path.split(separator: "/").dropFirst(2).map(String.init)
    }

    /// The first route that matches the request; a route for `GET` also matches `HEAD`.
    static func first(of routes: [WireRoute], for request: WireRequest) -> WireRoute? {
        let fitting = routes.filter { $0.fits(request.path) }
        return fitting.first { $0.rule.method == request.method }
            ?? (request.method == "HEAD" ? fitting.first { $0.rule.method == "GET" } : nil)
    }

    /// The error if no route matches a request.
    static func missing(_ request: WireRequest, among routes: [WireRoute], isRows: Bool) -> any Error {
        guard isRows else { return FileError.noRoute }
        return routes.contains { $0.fits(request.path) }
            ? RowError.unsupportedMethod(request.method) : RowError.unknownPath
    }

    private func fits(_ path: [String]) -> Bool {
        for (place, name) in pattern.enumerated() {
            if name == "{path}" { return path.count > place }
            guard place < path.count, name.hasPrefix("{") || name == path[place] else { return false }
        }
        return path.count == pattern.count
    }
}
