public import Media
internal import S3

/// Tests a bucket in the way that the service uses it.
public enum BucketProbe {
    /// Writes an object of a few bytes, reads it, compares it, and removes it.
    ///
    /// - Parameters:
    ///   - address: `s3://BUCKET` or `s3://BUCKET/PREFIX`; the object is below the prefix.
    ///   - endpoint: the address of the store; `nil` for Amazon's.
    ///   - environment: has the store's key, or its location, in the variables that Amazon's tools use.
    /// - Throws: `unavailable` with the failed step and the remedy, also if this machine's clock differs from the
    ///   store's by more than a minute; `usage` if settings are missing or wrong.
    public static func run(_ address: String, endpoint: String?, environment: [String: String]) throws(Failure) {
        let place = try BucketAddress(address)
        let number = UInt64.random(in: .min ... .max)
        let key = "\(place.folder)doctor-\(number)"
        let bytes = Array("written by compass doctor, \(number)".utf8)
        var patience = S3Patience()
        (patience.stalling, patience.whole, patience.mostTries) = (.seconds(5), .seconds(10), 2)
        let client = try place.client(endpoint: endpoint, environment: environment, patience: patience)
        try step("written") { () throws(S3Fault) in try client.put(bytes, as: key) }
        let read = try step("read") { () throws(S3Fault) in try client.read(whole: key, limit: 1024).bytes }
        try step("removed") { () throws(S3Fault) in try client.remove(key) }
        guard read == bytes else {
            throw Failure(.unavailable, message: "The store returned other bytes than were written.")
        }
        // The service signs requests with the store's time, but addresses for people expire by this machine's time.
        if abs(client.clockDifference) > 60 {
            let fault = S3Fault.skewedClock(seconds: client.clockDifference)
            throw Failure(.unavailable, message: "The bucket works, but \(fault).")
        }
    }

    private static func step<Answer>(
        _ name: String, _ body: () throws(S3Fault) -> Answer
    ) throws(Failure) -> Answer {
        do throws(S3Fault) {
            return try body()
        } catch {
            // The fault's own text has the remedy, and no content.
            throw Failure(.unavailable, message: "An object cannot be \(name): \(error).")
        }
    }
}
