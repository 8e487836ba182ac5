/// Distinguishes requests of the service's own pages from requests that pages of other sites make a browser send.
///
/// A browser adds the service's cookie to both. It states the relation in `Sec-Fetch-Site` (Fetch Metadata); an older
/// browser states the page's origin in `Origin`.
public struct CrossSiteGuard: Sendable {
    private let host: HostName?

    /// - Parameter host: the host and port that the client requested.
    public init(host: String?) { self.host = host.flatMap { HostName($0) } }

    private enum Sender {
        case own, foreign, unstated
    }

    /// Whether a request may pass.
    ///
    /// Reads from other sites' pages may not, except for followed links. A change with a cookie must come from the
    /// service's own page; a change without one may also come from a program that states nothing.
    /// - Parameter method: in capital letters.
    public func admits(method: String, headers: some HeaderReading, hasCookie: Bool) -> Bool {
        let sender = sender(of: headers)
        if ["GET", "HEAD", "OPTIONS"].contains(method) {
            return sender != .foreign || method != "OPTIONS" && Self.isFollowedLink(headers)
        }
        return sender == .own || sender == .unstated && !hasCookie
    }

    private func sender(of headers: some HeaderReading) -> Sender {
        let relations = headers.values(of: "Sec-Fetch-Site")
        if !relations.isEmpty { return relations == ["same-origin"] || relations == ["none"] ? .own : .foreign }
        let origins = headers.values(of: "Origin")
        if origins.isEmpty { return .unstated }
        return origins.count == 1 && isOwn(origins[0]) ? .own : .foreign
    }

    /// Whether an origin has the service's host and port, with either scheme: a proxy may have terminated TLS.
    private func isOwn(_ origin: String) -> Bool {
        for (scheme, port) in [("http://", 80), ("https://", 443)] where origin.hasPrefix(scheme) {
            guard let host, let other = HostName(origin.dropFirst(scheme.count)) else { return false }
            return other.name == host.name && other.port ?? port == host.port ?? port
        }
        return false
    }

    private static func isFollowedLink(_ headers: some HeaderReading) -> Bool {
        headers.single("Sec-Fetch-Mode") == "navigate" && headers.single("Sec-Fetch-Dest") == "document"
    }
}
