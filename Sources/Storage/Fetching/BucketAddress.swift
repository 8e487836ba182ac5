internal import Media
internal import S3

/// `s3://BUCKET` or `s3://BUCKET/FOLDER`.
struct BucketAddress {
    let bucket: String
    /// The prefix of all keys in the folder: empty, or ending in a slash.
    let folder: String

    /// - Throws: `usage` for any other text.
    init(_ text: String) throws(Failure) {
        let parts = text.dropFirst("s3://".count).split(separator: "/")
        guard text.hasPrefix("s3://"), let bucket = parts.first else {
            throw Failure(.usage, message: "This is not a bucket's address. Use s3://BUCKET/PREFIX.")
        }
        self.bucket = String(bucket)
        folder = parts.dropFirst().map { "\($0)/" }.joined()
    }

    /// A client of the bucket.
    ///
    /// - Throws: `usage` if settings are missing or wrong.
    func client(
        endpoint: String?, environment: [String: String], patience: S3Patience
    ) throws(Failure) -> S3Client {
        do throws(S3SettingsError) {
            return try S3Client(bucket: bucket, endpoint: endpoint, environment: environment, patience: patience)
        } catch {
            throw Failure(.usage, message: "The bucket \(bucket) cannot be used: \(error.reason).")
        }
    }
}
