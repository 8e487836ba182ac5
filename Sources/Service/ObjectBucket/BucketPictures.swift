internal import Linux
public import Media
public import S3
internal import Synchronization
public import ThumbnailCache

/// Pictures that several machines share in a bucket, beside the files: `pictures/DIGEST/NAME`.
///
/// A bucket that is away makes pictures come later, from this machine's own renderers; it is left alone for some seconds then.
public final class BucketPictures: SharedPictures {
    private let client: S3Client
    private let prefix: String
    /// Until when nothing is looked for, on the monotonic clock.
    private let isAway = Mutex<Duration>(.zero)

    /// The pictures below a prefix of a bucket.
    ///
    /// - Parameter client: one that gives up soon: somebody waits for the picture.
    public init(_ client: S3Client, prefix: String) {
        self.client = client
        self.prefix = BucketKeys(prefix: prefix).pictures
    }

    /// The largest picture that is taken over.
    private static let longest = 64 << 20
    private static let pause: Duration = .seconds(5)

    /// One request; none within some seconds of one that failed.
    public func find(_ name: String, of digest: Digest) throws(Failure) -> [UInt8]? {
        if isAway.withLock({ Time.monotonic < $0 }) {
            throw Failure(.unavailable, detail: "pictures: the store did not answer a moment ago")
        }
        do throws(S3Fault) {
            return try client.read(whole: key(name, digest), limit: Self.longest).bytes
        } catch {
            if error == .missing { return nil }
            isAway.withLock { $0 = Time.monotonic + Self.pause }
            throw Self.failure(error)
        }
    }

    /// One request.
    public func keep(_ bytes: [UInt8], as name: String, of digest: Digest) throws(Failure) {
        do throws(S3Fault) {
            try client.put(bytes, as: key(name, digest))
        } catch {
            throw Self.failure(error)
        }
    }

    /// A request for the list, and one for each picture.
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

    /// Up to a thousand folders.
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
