public import Media
public import S3
public import ThumbnailCache

/// Pictures that several machines share in a bucket, beside the files: `pictures/DIGEST/NAME`.
///
/// If the bucket is unreachable, pictures come later, from this machine's own renderers. The client then does not
/// contact it for some seconds.
public final class BucketPictures: SharedPictures {
    private let client: S3Client
    private let prefix: String

    /// The pictures below a prefix of a bucket.
    ///
    /// - Parameter client: a client with short time limits, because somebody waits for the picture.
    public init(_ client: S3Client, prefix: String) {
        self.client = client
        self.prefix = BucketKeys(prefix: prefix).pictures
    }

    /// The largest picture that is accepted.
    private static let longest = SharedPictureFile.longest

    /// Takes one request.
    public func find(_ name: String, of digest: Digest) throws(Failure) -> [UInt8]? {
        do throws(S3Fault) {
            return try client.read(whole: key(name, digest), limit: Self.longest).bytes
        } catch {
            if error == .missing { return nil }
            throw Self.failure(error)
        }
    }

    /// Takes one request.
    public func keep(_ bytes: [UInt8], as name: String, of digest: Digest) throws(Failure) {
        do throws(S3Fault) {
            try client.put(bytes, as: key(name, digest))
        } catch {
            throw Self.failure(error)
        }
    }

    /// Writes as many bytes as a large picture, always to the same key.
    public func probe() throws(Failure) {
        do throws(S3Fault) {
            try client.put([UInt8](repeating: 0x5A, count: Self.probeByteCount), as: prefix + SharedPictureFile.probe)
        } catch {
            throw Self.failure(error)
        }
    }

    private static let probeByteCount = 256 << 10

    /// Takes one request for the list, and one for each picture.
    public func remove(_ digest: Digest) throws(Failure) {
        do throws(S3Fault) {
            while true {
                let page = try client.list(prefix: key("", digest), after: nil, delimiter: nil, limit: 1000)
                for entry in page.entries { try client.remove(entry.key) }
                if page.next == nil { return }
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Lists up to a thousand folders.
    public func contents(from place: String?) throws(Failure) -> (digests: [Digest], next: String?) {
        do throws(S3Fault) {
            let page = try client.list(prefix: prefix, after: nil, delimiter: "/", limit: 1000, token: place)
            let digests = page.prefixes.compactMap { Digest(hex: String($0.dropFirst(prefix.count).dropLast())) }
            return (digests, page.next)
        } catch {
            throw Self.failure(error)
        }
    }

    private func key(_ name: String, _ digest: Digest) -> String { "\(prefix)\(digest.hex)/\(name)" }

    private static func failure(_ fault: S3Fault) -> Failure { Failure(.unavailable, detail: "pictures: \(fault)") }
}
