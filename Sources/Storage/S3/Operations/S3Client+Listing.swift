internal import HTTPSyntax

/// One page of a list of objects.
package struct S3Page: Hashable, Sendable {
    /// An object of the list.
    package struct Entry: Hashable, Sendable {
        /// The object's key in the store, not encoded.
        package let key: String
        /// The length of the object.
        package let byteCount: Int64
        /// When the object was written, in nanoseconds since 1970.
        package let modified: Int64
    }

    /// The objects of the page, in the store's order.
    package var entries: [Entry] = []
    /// The distinct prefixes of keys up to and including the delimiter.
    package var prefixes: [String] = []
    /// The token for the next page; `nil` at the end of the list.
    package var next: String?
}

extension S3Client {
    /// Lists objects in the store's order, which in most stores is the order of the keys' bytes.
    ///
    /// - Parameters:
    ///   - after: the key after which the list begins; it need not exist.
    ///   - token: `next` of the previous page.
    ///   - limit: at most 1,000.
    package func list(
        prefix: String, after: String?, delimiter: String?, limit: Int, token: String? = nil
    ) throws(S3Fault) -> S3Page {
        var request = S3Request("GET", nil)
        request.query = [("list-type", "2"), ("max-keys", "\(limit)"), ("prefix", prefix)]
        if let after { request.query.append(("start-after", after)) }
        if let delimiter { request.query.append(("delimiter", delimiter)) }
        if let token { request.query.append(("continuation-token", token)) }
        // A key may need six times its 1,024 bytes, and tags, owner and time as much again.
        request.limit = 16 << 20
        request.root = "ListBucketResult"
        let root = try send(request).root
        var page = S3Page()
        for node in root.all("Contents") {
            guard let key = node.text("Key"), let size = node.text("Size").flatMap({ Int64($0) }), size >= 0,
                let modified = node.text("LastModified").flatMap(Self.nanoseconds)
            else { throw .refused("an object of the list without key, size or time") }
            page.entries.append(S3Page.Entry(key: key, byteCount: size, modified: modified))
        }
        page.prefixes = root.all("CommonPrefixes").compactMap { $0.text("Prefix") }
        if root.text("IsTruncated") == "true" {
            guard let next = root.text("NextContinuationToken"), !next.isEmpty, next != token else {
                throw .refused("a list of objects that does not say where it goes on")
            }
            page.next = next
        }
        return page
    }

    /// The moment of `2026-11-23T20:15:18.000Z`, truncated to the second, which is the precision of `HEAD`.
    static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split { "-T:.Z".contains($0) }.map { Int($0) }
        guard parts.count >= 6, text.last == "Z", let year = parts[0], let month = parts[1], let day = parts[2],
            let hour = parts[3], let minute = parts[4], let second = parts[5], (1970...9999).contains(year),
            (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute),
            (0...60).contains(second)
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).dayNumber
        // Nanoseconds of years before 2262 fit.
        guard year < 2262 else { return nil }
        return Int64(days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000_000
    }
}
