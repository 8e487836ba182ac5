/// The proxies whose statements about the client are trusted.
public struct TrustedProxies: Sendable {
    /// The header field that the proxies write. A client may send the other one, which they pass on unread.
    public enum Field: String, Sendable, CaseIterable {
        /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`, the common ones.
        case xForwardedFor = "x-forwarded-for"
        /// `Forwarded` (RFC 7239).
        case forwarded
    }

    /// Where a request came from.
    public struct Origin: Hashable, Sendable {
        /// The client; the nearest known hop if the chain cannot be followed; `nil` if there is no address (a local
        /// socket).
        public let address: IPAddress?
        /// `http` or `https`, if a trusted proxy states it.
        public let scheme: String?
        /// The host that the client requested, if a trusted proxy states it.
        public let host: String?

        /// An origin of these parts.
        public init(address: IPAddress?, scheme: String? = nil, host: String? = nil) {
            self.address = address
            self.scheme = scheme
            self.host = host
        }
    }

    private let blocks: [AddressBlock]
    private let field: Field

    /// - Parameter blocks: if empty, every peer is a client.
    public init(_ blocks: [AddressBlock], field: Field = .xForwardedFor) {
        self.blocks = blocks
        self.field = field
    }

    /// Parses the list of a setting: blocks separated by commas or spaces.
    ///
    /// - Returns: `nil` if one is not a block.
    public init?(_ text: String, field: Field = .xForwardedFor) {
        let parts = text.split { ", \t".contains($0) }
        let blocks = parts.compactMap { AddressBlock($0) }
        guard blocks.count == parts.count else { return nil }
        self.init(blocks, field: field)
    }

    /// Whether the address belongs to a trusted proxy.
    public func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// Follows the hops from the peer backwards to the first address that is not a trusted proxy.
    ///
    /// - Parameter peer: the other end of the connection.
    public func origin(peer: IPAddress?, headers: some HeaderReading) -> Origin {
        guard let peer, contains(peer) else { return Origin(address: peer) }
        switch field {
        case .xForwardedFor:
            let hops = (headers.list("X-Forwarded-For") ?? "").split(separator: ",").map { Hop(plain: $0) }
            let (address, _) = client(peer, hops)
            return Origin(
                address: address, scheme: Self.scheme(Self.last(headers.list("X-Forwarded-Proto"))),
                host: Self.host(Self.last(headers.list("X-Forwarded-Host"))))
        case .forwarded:
            let (address, hop) = client(peer, Hop.elements(of: headers.list("Forwarded") ?? ""))
            return Origin(address: address, scheme: Self.scheme(hop?.scheme), host: Self.host(hop?.host))
        }
    }

    /// The client's address, and the last element that a trusted proxy wrote.
    private func client(_ peer: IPAddress, _ hops: [Hop]) -> (IPAddress, Hop?) {
        var known = peer
        var last: Hop?
        // A chain of proxies is short; the client itself wrote a long one.
        for hop in hops.reversed().prefix(32) {
            guard contains(known) else { break }
            last = hop
            guard let address = hop.address else { break }
            known = address
        }
        return (known, last)
    }

    private static func last(_ list: String?) -> String? {
        list?.split(separator: ",").last.map { String($0.drop { $0 == " " }) }
    }

    private static func scheme(_ text: String?) -> String? {
        text.map { $0.lowercased() }.flatMap { ["http", "https"].contains($0) ? $0 : nil }
    }

    private static func host(_ text: String?) -> String? {
        text.flatMap { HostName($0) == nil ? nil : $0 }
    }
}

/// One proxy's statement about who sent it the request.
private struct Hop {
    /// `nil` for `unknown`, for made-up names, and for errors.
    let address: IPAddress?
    var scheme: String?
    var host: String?

    /// An element of `X-Forwarded-For`, which some proxies write with a port.
    init(plain text: Substring) {
        let node = text.filter { $0 != " " && $0 != "\t" }
        address = IPAddress(node) ?? HostName(node).flatMap { IPAddress($0.name) }
    }

    private init(_ parameters: [String: String]) {
        address = parameters["for"].flatMap { node in HostName(node).flatMap { IPAddress($0.name) } }
        scheme = parameters["proto"]
        host = parameters["host"]
    }

    /// The elements of `Forwarded`; a syntax error discards all of them.
    static func elements(of text: String) -> [Hop] {
        var scanner = FieldScanner(text)
        var hops: [Hop] = []
        _ = scanner.skipComma()
        while !scanner.isAtEnd {
            var parameters: [String: String] = [:]
            repeat {
                scanner.skipSpace()
                guard let name = scanner.token()?.lowercased() else { continue }
                guard scanner.take("=") else { return [] }
                guard
                    let value = scanner.quotedString().map({ String(decoding: $0, as: UTF8.self) }) ?? scanner.token(),
                    parameters.updateValue(value, forKey: name) == nil
                else { return [] }
                scanner.skipSpace()
            } while scanner.take(";")
            hops.append(Hop(parameters))
            guard scanner.skipComma() || scanner.isAtEnd else { return [] }
        }
        return hops
    }
}
