internal import HTTPSyntax
internal import Hashing
package import Media

/// Signs requests with Signature Version 4 ("Signing AWS requests", with S3's exceptions: a path is neither normalised
/// nor encoded twice). Pure: the time is a parameter.
package struct RequestSigner: Sendable {
    private let credentials: S3Credentials
    private let region: String

    /// The parts of a request that are signed.
    package struct Subject: Sendable {
        /// The method in capitals.
        package var method: String
        /// The host as in the header, with its port.
        package var host: String
        /// The path as in the address, encoded.
        package var path: String
        /// The query's names and values, not encoded.
        package var query: [(name: String, value: String)]
        /// The header fields except `Host` and the signature's own fields.
        package var headers: [(name: String, value: String)]

        /// A subject from the parts of a request.
        package init(
            method: String, host: String, path: String, query: [(name: String, value: String)],
            headers: [(name: String, value: String)]
        ) {
            (self.method, self.host, self.path, self.query, self.headers) = (method, host, path, query, headers)
        }
    }

    /// A signer for one region, or for what a store uses in its place.
    package init(_ credentials: S3Credentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// The query as it must appear in the address: names and values encoded, in the order of their bytes.
    package static func query(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
            .sorted { $0.0 == $1.0 ? isBefore($0.1, $1.1) : isBefore($0.0, $1.0) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Swift compares texts by their normal forms. These texts are ASCII, and are compared bytewise.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// All header fields of a signed request except `Host`.
    ///
    /// - Parameter digest: the SHA-256 of the body.
    package func headers(
        for subject: Subject, digest: Digest, at time: SigningTime
    ) -> [(name: String, value: String)] {
        var subject = subject
        subject.headers.append(("x-amz-content-sha256", digest.hex))
        subject.headers.append(("x-amz-date", time.text))
        if let token = credentials.sessionToken { subject.headers.append(("x-amz-security-token", token)) }
        let names = Self.signedNames(subject)
        let signature = signature(of: Self.canonicalRequest(subject, names, digest.hex), at: time)
        let value =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope(time)), SignedHeaders=\(names), Signature=\(signature)"
        return subject.headers + [("Authorization", value)]
    }

    /// The query of an address that contains its own signature.
    ///
    /// - Parameter seconds: the lifetime of the address; at most a week.
    package func presignedQuery(for subject: Subject, seconds: Int, at time: SigningTime) -> String {
        var subject = subject
        let names = Self.signedNames(subject)
        subject.query += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(time))"), ("X-Amz-Date", time.text),
            ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", names),
        ]
        if let token = credentials.sessionToken { subject.query.append(("X-Amz-Security-Token", token)) }
        let signature = signature(of: Self.canonicalRequest(subject, names, "UNSIGNED-PAYLOAD"), at: time)
        return Self.query(subject.query) + "&X-Amz-Signature=\(signature)"
    }

    // MARK: The canonical request

    private static func canonicalRequest(_ subject: Subject, _ names: String, _ payload: String) -> String {
        let fields = fields(of: subject).map { "\($0.name):\($0.value)\n" }.joined()
        return [subject.method, subject.path, query(subject.query), fields, names, payload].joined(separator: "\n")
    }

    private static func signedNames(_ subject: Subject) -> String {
        fields(of: subject).map(\.name).joined(separator: ";")
    }

    /// The fields sorted by name, each name once.
    private static func fields(of subject: Subject) -> [(name: String, value: String)] {
        var values: [String: [String]] = ["host": [subject.host]]
        for (name, value) in subject.headers {
            values[name.lowercased(), default: []].append(withSingleSpaces(value))
        }
        return values.sorted { isBefore($0.key, $1.key) }.map { ($0.key, $0.value.joined(separator: ",")) }
    }

    private static func withSingleSpaces(_ value: String) -> String {
        value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: The signature

    private func scope(_ time: SigningTime) -> String { "\(time.day)/\(region)/s3/aws4_request" }

    private func signature(of request: String, at time: SigningTime) -> String {
        let text = [
            "AWS4-HMAC-SHA256", time.text, scope(time), SHA256.digest(of: Array(request.utf8)).hex,
        ].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for part in [time.day, region, "s3", "aws4_request"] { key = HMACSHA256(key: key).code(of: Array(part.utf8)) }
        return Hex.string(HMACSHA256(key: key).code(of: Array(text.utf8)))
    }
}
