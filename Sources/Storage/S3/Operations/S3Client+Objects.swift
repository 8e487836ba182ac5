internal import HTTPSyntax

/// The store's metadata of an object.
package struct S3Object: Hashable, Sendable {
    /// The length of the whole object, even if only a range was requested.
    package let byteCount: Int64
    /// The store's tag with its quotes, which changes with the content.
    package let tag: String
    /// When the object was written, in nanoseconds since 1970, truncated to the second.
    package let modified: Int64
    /// The values of `x-amz-meta-…`, by the remainder of their names.
    package let metadata: [String: String]
}

extension S3Client {
    /// Lists at most one object, which reveals a wrong address, key, bucket or clock.
    public func check() throws(S3Fault) {
        _ = try list(prefix: "", after: nil, delimiter: nil, limit: 1)
    }

    /// Stores a whole object, and replaces any object at that key.
    package func put(_ body: S3Body, as key: String, metadata: [String: String] = [:]) throws(S3Fault) {
        var request = S3Request("PUT", key)
        request.headers = Self.fields(metadata)
        request.body = body
        _ = try send(request)
    }

    /// Stores an object of a few bytes.
    package func put(_ bytes: [UInt8], as key: String, metadata: [String: String] = [:]) throws(S3Fault) {
        try lending(bytes) { bytes throws(S3Fault) in try put(S3Body(bytes), as: key, metadata: metadata) }
    }

    /// What the store says of an object.
    ///
    /// - Throws: `missing`.
    package func status(of key: String) throws(S3Fault) -> S3Object {
        var request = S3Request("HEAD", key)
        request.limit = 0
        let answer = try send(request)
        guard let byteCount = answer.headers["content-length"].flatMap({ Int64($0) }), byteCount >= 0 else {
            throw .refused("an answer to HEAD without a length")
        }
        return Self.object(answer, byteCount: byteCount)
    }

    /// The bytes of an object in a range, as far as they exist.
    ///
    /// - Parameters:
    ///   - tag: the tag that the object must have, so that all ranges are of one object.
    ///   - patience: how long the caller waits; `nil` for the client's own patience.
    /// - Throws: `missing`; `noRange` if the object ends before the range; `changed`; `truncated`.
    package func read(
        _ key: String, _ range: Range<Int64>, tag: String? = nil, within patience: Duration? = nil
    ) throws(S3Fault) -> (bytes: [UInt8], object: S3Object) {
        var request = S3Request("GET", key)
        request.headers = [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        if let tag { request.headers.append(("If-Match", tag)) }
        request.limit = range.count
        request.patience = patience
        let answer = try send(request)
        let (first, last, byteCount) = try Self.place(answer)
        guard first == range.lowerBound, last == min(range.upperBound, byteCount) - 1,
            Int64(answer.body.count) == last - first + 1
        else { throw .truncated("\(answer.body.count) bytes of the range \(range) of \(byteCount)") }
        let object = Self.object(answer, byteCount: byteCount)
        // For a store without conditional requests.
        if let tag, object.tag != tag { throw .changed }
        return (answer.body, object)
    }

    /// All bytes of an object that is known to be small.
    ///
    /// - Throws: `missing`; `refused` beyond the limit.
    package func read(
        whole key: String, limit: Int
    ) throws(S3Fault) -> (bytes: [UInt8], object: S3Object) {
        var request = S3Request("GET", key)
        request.limit = limit
        let answer = try send(request)
        return (answer.body, Self.object(answer, byteCount: Int64(answer.body.count)))
    }

    /// The offsets of the answer's first and last byte in the object, and the object's length.
    private static func place(_ answer: S3Answer) throws(S3Fault) -> (Int64, Int64, Int64) {
        if answer.status != 206 {
            // The whole object, from a store that ignores ranges.
            return (0, Int64(answer.body.count) - 1, Int64(answer.body.count))
        }
        let text = answer.headers["content-range"] ?? ""
        let numbers = text.dropFirst("bytes ".count).split { "-/".contains($0) }.compactMap { Int64($0) }
        guard text.hasPrefix("bytes "), numbers.count == 3, numbers[0] <= numbers[1], numbers[1] < numbers[2] else {
            throw .refused("an answer to a range without its place")
        }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Removes an object; succeeds if there is none.
    package func remove(_ key: String) throws(S3Fault) {
        do throws(S3Fault) {
            _ = try send(S3Request("DELETE", key))
        } catch {
            guard error == .missing else { throw error }
        }
    }

    /// Copies an object of at most 5 GiB within the store.
    ///
    /// - Parameter metadata: the copy's metadata; `nil` to keep the source's.
    /// - Throws: `missing`.
    package func copy(
        _ key: String, tag: String, to newKey: String, metadata: [String: String]? = nil
    ) throws(S3Fault) {
        var request = S3Request("PUT", newKey)
        request.mayTakeLong = true
        request.root = "CopyObjectResult"
        request.headers = copySource(key, tag)
        if let metadata {
            request.headers.append(("x-amz-metadata-directive", "REPLACE"))
            request.headers += Self.fields(metadata)
        }
        _ = try send(request)
    }

    func copySource(_ key: String, _ tag: String) -> [(name: String, value: String)] {
        [
            ("x-amz-copy-source", "/\(endpoint.bucket)/\(PercentEncoding.encode(key, keeping: S3Endpoint.keptInKeys))"),
            ("x-amz-copy-source-if-match", tag),
        ]
    }

    static func fields(_ metadata: [String: String]) -> [(name: String, value: String)] {
        metadata.sorted { $0.key < $1.key }.map { ("x-amz-meta-\($0.key)", $0.value) }
    }

    static func object(_ answer: S3Answer, byteCount: Int64) -> S3Object {
        let modified = answer.headers["last-modified"].flatMap { HTTPDate($0) }?.seconds ?? 0
        let pairs = answer.headers.compactMap { name, value in
            name.hasPrefix("x-amz-meta-") ? (String(name.dropFirst("x-amz-meta-".count)), value) : nil
        }
        return S3Object(
            byteCount: byteCount, tag: answer.headers["etag"] ?? "", modified: modified * 1_000_000_000,
            metadata: Dictionary(pairs, uniquingKeysWith: { $1 }))
    }

    func lending<Answer>(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(S3Fault) -> Answer
    ) throws(S3Fault) -> Answer {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(S3Fault) in try body(buffer) }
        }.get()
    }
}
