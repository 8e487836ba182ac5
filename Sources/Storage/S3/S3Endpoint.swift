internal import HTTPSyntax

/// Where a bucket is reached, and how its name and keys stand in addresses.
public struct S3Endpoint: Hashable, Sendable {
    /// Whether the store is spoken to over TLS.
    public let isSecure: Bool
    /// The host, with its port where that is not the scheme's own; as it stands in the header `Host`.
    public let host: String
    /// The region that requests are signed for.
    public let region: String
    /// The bucket's name.
    public let bucket: String
    /// Whether the bucket stands in the host's name (virtual-host style) and not in the path.
    public let isBucketInHost: Bool

    /// The endpoint of a bucket.
    ///
    /// - Parameters:
    ///   - address: such as `https://s3.example.org:9000`; where `{bucket}` stands in its host, the bucket's name goes there
    ///     (virtual-host style), else into the path. `nil` for Amazon's of the region, in virtual-host style unless the name has a
    ///     dot, which no certificate covers.
    ///   - bucket: 3 to 63 lower-case letters, digits, dots and hyphens; underscores and capitals, which old buckets have, too.
    /// - Returns: `nil` where either is none.
    public init?(_ address: String?, bucket: String, region: String) {
        guard Self.isBucket(bucket), Self.isRegion(region) else { return nil }
        let isDotted = bucket.utf8.contains(UInt8(ascii: "."))
        let standard = "https://\(isDotted ? "" : "{bucket}.")s3.\(region).amazonaws.com"
        let text = address ?? standard
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.last == "/" { rest.removeLast() }
        let host = String(rest.replacing("{bucket}", with: bucket))
        guard let plain = Self.withoutStandardPort(host, isSecure: scheme == "https://") else { return nil }
        isSecure = scheme == "https://"
        self.host = plain
        self.region = region
        self.bucket = bucket
        isBucketInHost = rest.contains("{bucket}")
    }

    /// Scheme and host.
    public var address: String { "\(isSecure ? "https" : "http")://\(host)" }

    /// The path of a key, or of the bucket itself, as an address has it.
    package func path(of key: String?) -> String {
        let place = isBucketInHost ? "" : "/\(bucket)"
        guard let key else { return place.isEmpty ? "/" : place }
        return "\(place)/\(PercentEncoding.encode(key, keeping: Self.keptInKeys))"
    }

    /// What stands for itself in a key's address: the unreserved characters of RFC 3986, and slashes.
    static let keptInKeys = "-._~/"

    /// Clients leave the port that belongs to the scheme out of `Host`.
    private static func withoutStandardPort(_ host: String, isSecure: Bool) -> String? {
        let allowed = host.utf8.allSatisfy { byte in
            isNameByte(byte) || "~[]:".utf8.contains(byte)
        }
        guard allowed, !host.isEmpty else { return nil }
        // The colons of an IPv6 address stand in brackets.
        let tail = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        guard !tail.isEmpty else { return host }
        guard tail.first == ":", let port = Int(tail.dropFirst()), (1...65_535).contains(port),
            tail.count < host.count
        else { return nil }
        return port == (isSecure ? 443 : 80) ? String(host.dropLast(tail.count)) : host
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._".utf8.contains(byte)
        }
    }

    private static func isBucket(_ text: String) -> Bool {
        (3...63).contains(text.utf8.count) && !text.contains("..") && text.first != "." && text.first != "-"
            && text.utf8.allSatisfy(isNameByte)
    }

    private static func isRegion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy(isNameByte)
    }
}
