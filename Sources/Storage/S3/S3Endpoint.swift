internal import HTTPSyntax

/// The location of a bucket, and the form of its name and keys in addresses.
public struct S3Endpoint: Hashable, Sendable {
    /// Whether requests to the store use TLS.
    public let isSecure: Bool
    /// The host as in the header `Host`, with its port unless that is the scheme's default.
    public let host: String
    /// The region that requests are signed for.
    public let region: String
    /// The bucket's name.
    public let bucket: String
    /// Whether the bucket is in the host's name (virtual-host style) rather than in the path.
    public let isBucketInHost: Bool

    /// The endpoint of a bucket.
    ///
    /// - Parameters:
    ///   - address: such as `https://s3.example.org:9000`. If its host contains `{bucket}`, the bucket's name goes
    ///     there (virtual-host style), otherwise into the path. `nil` for Amazon's address of the region, in
    ///     virtual-host style unless the name has a dot, which no certificate covers.
    ///   - bucket: 3 to 63 lower-case letters, digits, dots and hyphens; also underscores and capitals, which old
    ///     buckets have.
    /// - Returns: `nil` if any of them is not valid.
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

    /// The scheme and the host.
    public var address: String { "\(isSecure ? "https" : "http")://\(host)" }

    /// The path of a key, or of the bucket itself, as it appears in an address.
    package func path(of key: String?) -> String {
        let place = isBucketInHost ? "" : "/\(bucket)"
        guard let key else { return place.isEmpty ? "/" : place }
        return "\(place)/\(PercentEncoding.encode(key, keeping: Self.keptInKeys))"
    }

    /// The punctuation that is not encoded in a key's address: the unreserved characters of RFC 3986, and slashes.
    static let keptInKeys = "-._~/"

    /// Clients omit the scheme's default port from `Host`.
    private static func withoutStandardPort(_ host: String, isSecure: Bool) -> String? {
        let allowed = host.utf8.allSatisfy { byte in
            isNameByte(byte) || "~[]:".utf8.contains(byte)
        }
        guard allowed, !host.isEmpty else { return nil }
        // The colons of an IPv6 address are in brackets.
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
