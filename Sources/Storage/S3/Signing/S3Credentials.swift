/// The key that signs requests.
public struct S3Credentials: Sendable {
    /// The key's name, which is not secret.
    public let accessKey: String
    let secretKey: String
    let sessionToken: String?

    /// A key, and the session token if the key is temporary.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// The key in the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and optionally `AWS_SESSION_TOKEN`.
    public init?(environment: [String: String]) {
        guard let accessKey = environment["AWS_ACCESS_KEY_ID"], !accessKey.isEmpty,
            let secretKey = environment["AWS_SECRET_ACCESS_KEY"], !secretKey.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"] ?? ""
        self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: token.isEmpty ? nil : token)
    }

    /// The key of a profile in a file such as `~/.aws/credentials`.
    ///
    /// - Parameter text: lines `[profile]` and `name = value`; `#` and `;` begin comments.
    public init?(file text: String, profile: String) {
        var (section, found) = ("", [String: String]())
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.first == "[", line.last == "]" {
                section = Self.trimmed(line.dropFirst().dropLast())
            } else if section == profile, line.first != "#", line.first != ";", let sign = line.firstIndex(of: "=") {
                found[Self.trimmed(line[..<sign]).lowercased()] = Self.trimmed(line[line.index(after: sign)...])
            }
        }
        self.init(environment: [
            "AWS_ACCESS_KEY_ID": found["aws_access_key_id"] ?? "",
            "AWS_SECRET_ACCESS_KEY": found["aws_secret_access_key"] ?? "",
            "AWS_SESSION_TOKEN": found["aws_session_token"] ?? "",
        ])
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
