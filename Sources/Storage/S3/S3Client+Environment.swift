internal import CLinux
internal import Linux

/// The reason why the settings do not give a usable bucket.
public struct S3SettingsError: Error, Hashable, Sendable {
    /// What is missing or wrong, and the remedy, without a full stop.
    public let reason: String
}

extension S3Client {
    /// A client of a bucket, from the variables that Amazon's tools use: `AWS_REGION`, `AWS_DEFAULT_REGION`,
    /// `AWS_CA_BUNDLE`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, or the profile `AWS_PROFILE`
    /// in `AWS_SHARED_CREDENTIALS_FILE` or else in `~/.aws/credentials`.
    ///
    /// - Parameter endpoint: the address of the store; `nil` for Amazon's.
    public convenience init(
        bucket: String, endpoint: String?, environment: [String: String], patience: S3Patience = S3Patience()
    ) throws(S3SettingsError) {
        let values = environment.filter { !$0.value.isEmpty }
        guard let region = values["AWS_REGION"] ?? values["AWS_DEFAULT_REGION"] ?? endpoint.map({ _ in "us-east-1" })
        else {
            throw S3SettingsError(
                reason: "without --s3-endpoint the store is Amazon's, and its region is missing: set AWS_REGION")
        }
        guard let place = S3Endpoint(endpoint, bucket: bucket, region: region) else {
            throw S3SettingsError(
                reason:
                    "\(bucket) is not a bucket's name, \(endpoint ?? "the endpoint") not an address such as https://s3.example.org, or \(region) not a region"
            )
        }
        self.init(
            place, try Self.credentials(values), patience: patience, authorities: values["AWS_CA_BUNDLE"])
    }

    private static func credentials(_ values: [String: String]) throws(S3SettingsError) -> S3Credentials {
        if let key = S3Credentials(environment: values) { return key }
        let profile = values["AWS_PROFILE"] ?? "default"
        guard let path = values["AWS_SHARED_CREDENTIALS_FILE"] ?? values["HOME"].map({ "\($0)/.aws/credentials" })
        else {
            throw S3SettingsError(
                reason:
                    "its key is missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE"
            )
        }
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY).readAll(limit: 1 << 20)
        } catch {
            throw S3SettingsError(
                reason:
                    "its key is missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write \(path), which cannot be read (\(error.reason))"
            )
        }
        guard let bytes, let key = S3Credentials(file: String(decoding: bytes, as: UTF8.self), profile: profile) else {
            throw S3SettingsError(reason: "\(path) has no key for the profile \(profile)")
        }
        return key
    }
}
