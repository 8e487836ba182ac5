internal import Hummingbird
internal import HummingbirdCore
internal import Linux
internal import Synchronization

/// One request with its answer, from the arrival of the header until the last byte has been sent.
final class Exchange: Sendable {
    let id: String
    let method: String
    private let uri: URI
    let client: String
    private let route: EndpointPath
    private let secretFolders: [String]
    private let began: Duration
    private let report: @Sendable (Account) -> Void
    private let state = Mutex(State())

    private struct State {
        var status: Int?
        var sent = 0
        var received = 0
        var isFinished = false
    }

    /// The report on a finished exchange.
    struct Account: Sendable {
        let exchange: Exchange
        /// The path's pattern, or `-` if none matched.
        let route: String
        /// 499 if the client left before an answer, as in nginx.
        let status: Int
        let sentByteCount: Int
        let receivedByteCount: Int
        let duration: Duration
        /// Whether the whole answer was sent.
        let isWhole: Bool
    }

    init(
        id: String, method: String, uri: URI, client: String, route: EndpointPath, secretFolders: [String],
        began: Duration, report: @escaping @Sendable (Account) -> Void
    ) {
        self.id = id
        self.method = method
        self.uri = uri
        self.client = client
        self.route = route
        self.secretFolders = secretFolders
        self.began = began
        self.report = report
    }

    /// The path with the names of the query's items, but without their values: `/api/documents?type=&sort=`.
    var target: String {
        let names = (uri.query ?? "").split(separator: "&").prefix(32).map { item in
            item.prefix { $0 != "=" } + (item.contains("=") ? "=" : "")
        }
        let path = secretFolders.lazy.compactMap(path(in:)).first ?? String(uri.path.prefix(1000))
        return names.isEmpty ? path : "\(path)?\(names.joined(separator: "&").prefix(500))"
    }

    /// The log's replacement for a path below a folder whose paths are secrets: the route's pattern, or the folder if
    /// there is no route; `nil` for other paths.
    private func path(in folder: String) -> String? {
        if let pattern, pattern.hasPrefix(folder) { return pattern }
        return uri.path.hasPrefix(folder) ? "\(folder)…" : nil
    }

    /// The path's pattern; `nil` if none matched, for which Hummingbird has a word.
    private var pattern: String? { route.value.flatMap { $0 == "NotFound" ? nil : $0 } }

    func noteStatus(_ status: Int) { state.withLock { $0.status = status } }

    func noteSent(_ byteCount: Int) { state.withLock { $0.sent += byteCount } }

    func noteReceived(_ byteCount: Int) { state.withLock { $0.received += byteCount } }

    func finish(isWhole: Bool) {
        let state = state.withLock { state -> State? in
            if state.isFinished { return nil }
            state.isFinished = true
            return state
        }
        guard let state else { return }
        report(
            Account(
                exchange: self, route: pattern ?? "-", status: state.status ?? 499, sentByteCount: state.sent,
                receivedByteCount: state.received, duration: Time.monotonic - began, isWhole: isWhole))
    }
}
