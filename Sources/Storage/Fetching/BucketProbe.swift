public import Media
internal import S3

/// Tries a bucket as the service uses it.
public enum BucketProbe {
    /// Writes an object of a few bytes, reads it, compares it, and removes it.
    ///
    /// - Parameters:
    ///   - address: `s3://BUCKET` or `s3://BUCKET/PREFIX`; the object lies below the prefix.
    ///   - endpoint: the address of the store; `nil` for Amazon's.
    ///   - environment: has the key of the store, or where it lies, by the names that Amazon's tools use.
    /// - Throws: `unavailable` with the step that failed and the remedy, also where this machine's clock differs from the store's by more
    ///   than a minute; `usage` for what the settings lack.
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
        // The service signs by the store's time, but what it signs for people ends by this machine's.
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
            // The fault's own words have the remedy, and no content.
            throw Failure(.unavailable, message: "An object cannot be \(name): \(error).")
        }
    }
}
