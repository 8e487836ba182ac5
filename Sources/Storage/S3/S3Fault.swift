/// The reason why a request to a store failed.
public enum S3Fault: Error, Hashable, Sendable {
    /// The store does not know the access key.
    case unknownKey
    /// The signature is not the one that the store computed.
    case wrongSecret
    /// The key lacks permission for this.
    case denied(String)
    /// The bucket does not exist.
    case noBucket(String)
    /// The object does not exist.
    case missing
    /// There is no such multipart upload: it was completed or aborted.
    case missingUpload
    /// The object is no longer the requested one.
    case changed
    /// The object ends before the range.
    case noRange
    /// This machine's clock differs from the store's. The seconds are how far it is ahead, negative if it is behind;
    /// `nil` if the store has not sent its time.
    case skewedClock(seconds: Int64?)
    /// The bucket is in another region, or elsewhere.
    case wrongRegion(expected: String?)
    /// No trusted authority vouches for the store's certificate.
    case untrusted(String)
    /// The store is unreachable, or does not answer in time.
    case away(String)
    /// The store is overloaded or has an internal fault. The seconds are the time after which it accepts a retry.
    case busy(String, retryAfter: Int?)
    /// The store has no room.
    case full(String)
    /// The bytes differ from the bytes that were stored.
    case corrupted(String)
    /// Fewer bytes arrived than were announced.
    case truncated(String)
    /// Any other error of the store, and answers that do not follow S3's protocol.
    case refused(String)
}

extension S3Fault: CustomStringConvertible {
    /// The problem and its remedy, in one line for the operator.
    public var description: String {
        switch self {
        case .unknownKey:
            "the store does not know the access key: check AWS_ACCESS_KEY_ID or the profile in ~/.aws/credentials"
        case .wrongSecret:
            "the secret does not belong to the access key: check AWS_SECRET_ACCESS_KEY or the profile in ~/.aws/credentials"
        case .denied(let detail):
            "the access key may not do this: give it reading, writing, listing and removing in the bucket (\(detail))"
        case .noBucket(let name):
            "the store has no bucket \(name): create it, or check the settings store and s3-endpoint"
        case .missing: "the store has no such object"
        case .missingUpload: "the store has no such upload in parts"
        case .changed: "the object was replaced meanwhile"
        case .noRange: "the object ends before the range"
        case .skewedClock(let seconds): "\(Self.clockText(seconds)): set this machine's clock by NTP"
        case .wrongRegion(let expected):
            "the bucket is \(expected.map { "in the region \($0): set AWS_REGION=\($0)" } ?? "elsewhere: check AWS_REGION and the setting s3-endpoint")"
        case .untrusted(let detail):
            "the store's certificate is not trusted: name its authority's file in AWS_CA_BUNDLE, or check the setting s3-endpoint (\(detail))"
        case .away(let detail):
            "the store does not answer: check the setting s3-endpoint, and whether the store runs (\(detail))"
        case .busy(let detail, _): "the store is overloaded or has a fault: try again later (\(detail))"
        case .full(let detail): "the store is full: free some space, or raise its quota (\(detail))"
        case .corrupted(let detail): "the bytes are not those that were stored: check the store's disks (\(detail))"
        case .truncated(let detail): "the store's answer is cut short: check proxies and the network (\(detail))"
        case .refused(let detail): "the store refused the request: \(detail)"
        }
    }

    private static func clockText(_ seconds: Int64?) -> String {
        guard let seconds else { return "this machine's clock differs from the store's" }
        return "this machine's clock is \(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead of") the store's"
    }

    /// Whether the same request may succeed a moment later.
    package var isPassing: Bool {
        switch self {
        case .away, .busy, .truncated, .corrupted: true
        default: false
        }
    }
}
