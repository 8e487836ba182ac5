/// An IPv4 or IPv6 address. An IPv4 address inside IPv6 (`::ffff:a.b.c.d`) is the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes in network order.
    public let bytes: [UInt8]

    /// An address by its 4 or 16 bytes; `nil` for other lengths.
    public init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = bytes.starts(with: Self.mappedPrefix) ? Array(bytes[12...]) : bytes
        default: return nil
        }
    }

    /// The network under which a client is counted: an IPv4 address itself, or the first 64 bits of an IPv6 address.
    /// Usually, whoever has one address there has all addresses that share these bits.
    public var network: String {
        guard bytes.count == 16, let network = IPAddress(bytes: bytes[..<8] + [UInt8](repeating: 0, count: 8)) else {
            return text
        }
        return "\(network.text)/64"
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Parses `192.0.2.1` or `2001:db8::1`, without brackets, port and zone.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 45, let bytes = text.contains(":") ? Self.six(String(text)) : Self.four(text) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// Four decimal numbers without leading zeros, which some systems interpret as octal.
    private static func four(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part -> UInt8? in
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part == "0" || part.first != "0" else {
                return nil
            }
            return UInt8(part)
        }
        return bytes.count == 4 ? bytes : nil
    }

    /// Eight groups of hexadecimal digits; `::` once for zeros; IPv4 at the end (RFC 4291, 2.2).
    private static func six(_ text: String) -> [UInt8]? {
        var halves: [[UInt8]] = []
        var rest = Substring(text)
        var isShortened = false
        while let gap = rest.firstRange(of: "::") {
            guard !isShortened, let half = groups(rest[..<gap.lowerBound], mayEndInFour: false) else { return nil }
            isShortened = true
            halves.append(half)
            rest = rest[gap.upperBound...]
        }
        guard let half = groups(rest, mayEndInFour: true) else { return nil }
        halves.append(half)
        let count = halves.reduce(0) { $0 + $1.count }
        guard isShortened else { return count == 16 ? halves[0] : nil }
        return count <= 14 ? halves[0] + [UInt8](repeating: 0, count: 16 - count) + halves[1] : nil
    }

    private static func groups(_ text: Substring, mayEndInFour: Bool) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInFour, index == parts.count - 1, part.contains("."), let four = four(part) {
                bytes += four
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ PercentEncoding.value($0) != nil }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 255)]
            }
        }
        return bytes
    }

    /// Whether only this machine can have it: 127.0.0.0/8 or `::1`.
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether it belongs to no public host: to this machine, a private network, a link, a multicast group,
    /// documentation or nobody (the registries of RFC 6890). An IPv6 address that embeds an IPv4 address, for a
    /// translator, counts as that address.
    public var isPrivate: Bool {
        if bytes.count == 4 { return Self.privateNetworks.contains { $0.contains(self) } }
        // NAT64 (RFC 6052) and 6to4 (RFC 3056).
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)) {
            return IPAddress(bytes: Array(bytes[12...]))!.isPrivate
        }
        if bytes.starts(with: [0x20, 0x02]) { return IPAddress(bytes: Array(bytes[2..<6]))!.isPrivate }
        // All other public addresses begin with the bits 001.
        return bytes[0] & 0xE0 != 0x20 || Self.privateNetworks.contains { $0.contains(self) }
    }

    private static let privateNetworks = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3", "2001::/23", "2001:db8::/32", "3fff::/20",
    ].map { AddressBlock($0)! }

    /// The shortest form (RFC 5952).
    public var text: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var gap = 0..<0
        var start = 0
        while start < 8 {
            let end = groups[start...].firstIndex { $0 != 0 } ?? 8
            if end - start > max(1, gap.count) { gap = start..<end }
            start = end + 1
        }
        func joined(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        return gap.isEmpty
            ? joined(groups[...]) : joined(groups[..<gap.lowerBound]) + "::" + joined(groups[gap.upperBound...])
    }
}
