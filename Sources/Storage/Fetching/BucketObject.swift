public import Media
internal import S3

/// An object in any bucket for which this machine has a key.
public struct BucketObject: FetchedContent {
    /// The length that the first answer states.
    public let byteCount: Int64
    /// The object's tag.
    public let version: String?
    private let client: S3Client
    private let key: String
    private let tag: String
    private let opening: [UInt8]

    private static let openingByteCount: Int64 = 64 << 10

    /// Opens an object, and reads its beginning.
    ///
    /// - Parameters:
    ///   - address: `s3://BUCKET/KEY`; the key is used unchanged.
    ///   - endpoint: the address of the store; `nil` for Amazon's.
    ///   - maxByteCount: larger objects are refused.
    ///   - environment: has the store's key, or its location, in the variables that Amazon's tools use.
    /// - Throws: `sourceMissing`, `tooLarge`, `unavailable`; `usage` if settings are missing or wrong.
    public init(
        _ address: String, endpoint: String?, maxByteCount: Int64, environment: [String: String]
    ) throws(Failure) {
        let rest = address.dropFirst("s3://".count)
        guard let slash = rest.firstIndex(of: "/"), rest.index(after: slash) < rest.endIndex else {
            throw Failure(.usage, message: "This is not an object's address. Use s3://BUCKET/KEY.")
        }
        key = String(rest[rest.index(after: slash)...])
        do throws(S3SettingsError) {
            client = try S3Client(
                bucket: String(rest[..<slash]), endpoint: endpoint, environment: environment, patience: Self.patience)
        } catch {
            throw Failure(.usage, message: "The bucket \(rest[..<slash]) cannot be used: \(error.reason).")
        }
        do throws(S3Fault) {
            let (bytes, object) = try Self.first(of: key, client)
            (opening, byteCount, tag) = (bytes, object.byteCount, object.tag)
            version = object.tag.isEmpty ? nil : object.tag
        } catch {
            throw Self.failure(error)
        }
        guard byteCount <= maxByteCount else {
            throw Failure(
                .tooLarge, message: "File is over the limit of \(maxByteCount) bytes (setting max-source).",
                detail: "\(byteCount) bytes")
        }
    }

    private static func first(of key: String, _ client: S3Client) throws(S3Fault) -> ([UInt8], S3Object) {
        do throws(S3Fault) {
            let (bytes, object) = try client.read(key, 0..<openingByteCount)
            return (bytes, object)
        } catch {
            // An empty object has no bytes in any range.
            guard error == .noRange else { throw error }
            return ([], try client.status(of: key))
        }
    }

    /// Shorter limits, because somebody waits for the picture.
    private static var patience: S3Patience {
        var patience = S3Patience()
        (patience.stalling, patience.whole, patience.mostTries) = (.seconds(15), .seconds(60), 4)
        return patience
    }

    /// Requests the range, unless it came with the first answer.
    public func bytes(_ range: Range<Int64>) throws(Failure) -> (start: Int64, bytes: [UInt8]) {
        if range.upperBound <= Int64(opening.count) { return (0, opening) }
        do throws(S3Fault) {
            let (bytes, object) = try client.read(key, range, tag: tag.isEmpty ? nil : tag)
            guard object.byteCount == byteCount else { throw .changed }
            return (range.lowerBound, bytes)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ fault: S3Fault) -> Failure {
        switch fault {
        case .missing:
            Failure(.sourceMissing, message: "The bucket has no such object. Check the key.", detail: "\(fault)")
        case .noBucket(let name):
            Failure(
                .sourceMissing,
                message: "The bucket \(name) does not exist. Check its name and the setting s3-endpoint.")
        case .changed, .noRange:
            Failure(
                .unavailable, message: "File changed while it was being read. Try again when it is complete.",
                detail: "\(fault)")
        // The fault's own text has the remedy, and no content.
        default: Failure(.unavailable, message: "The store cannot be used: \(fault).")
        }
    }
}
