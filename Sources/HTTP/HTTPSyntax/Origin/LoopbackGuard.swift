/// Keeps foreign web pages away from a service that trusts everyone on this machine.
///
/// A page can send requests to loopback, and can make a name of its own point there (DNS rebinding). The browser then
/// states the page's name in `Host`, its origin in `Origin`, or the relation of both in `Sec-Fetch-Site`.
public struct LoopbackGuard: Sendable {
    /// Why a request is refused.
    public enum Refusal: Error, Hashable, Sendable {
        /// `Host` is absent, names another machine, or has another port.
        case foreignHost
        /// A page of another origin sent the request.
        case foreignOrigin

        /// A sentence for the person whose browser shows it.
        public var message: String {
            switch self {
            case .foreignHost: "This service answers only on this machine, under localhost."
            case .foreignOrigin: "This service does not accept requests from other sites."
            }
        }
    }

    private let port: Int

    /// - Parameter port: the port on which the service listens.
    public init(port: Int) { self.port = port }

    /// The reason to refuse a request; `nil` if it may pass.
    ///
    /// - Parameters:
    ///   - method: in capital letters.
    ///   - host: the value of `Host`, or of HTTP/2's `:authority`.
    public func refusal(method: String, host: String?, headers: some HeaderReading) -> Refusal? {
        guard let host, isOwn(host) else { return .foreignHost }
        let origins = headers.values(of: "Origin")
        if !origins.allSatisfy(isOwnOrigin) || origins.count > 1 { return .foreignOrigin }
        switch headers.single("Sec-Fetch-Site") {
        // A link on another page may be followed: the person sees the answer, the page does not.
        case "cross-site", "same-site":
            let isFollowed =
                headers.single("Sec-Fetch-Mode") == "navigate" && headers.single("Sec-Fetch-Dest") == "document"
            return method == "GET" && isFollowed ? nil : .foreignOrigin
        default: return nil
        }
    }

    private func isOwn(_ host: String) -> Bool {
        guard let host = HostName(host) else { return false }
        return host.isLoopback && host.port ?? 80 == port
    }

    private func isOwnOrigin(_ origin: String) -> Bool {
        origin.hasPrefix("http://") && isOwn(String(origin.dropFirst(7)))
    }
}
