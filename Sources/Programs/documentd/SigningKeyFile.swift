import Accounts
import Documents
import Linux
import Logging
import Media

/// The private keys that sign access tokens, as PEM in a file of the data folder, the newest key last. A line before each says when it was
/// made: `made 1795435200`, in seconds since 1970.
struct SigningKeyFile {
    private let file: PrivateFile

    init(inFolder folder: String) { file = PrivateFile(path: "\(folder)/tokens.pem") }

    private static let mostCount = 20
    private static let made = "made "

    /// The keys, of which one is made where there is none. Those that are added later are noticed within a second.
    ///
    /// - Throws: `unavailable` where the file cannot be read or made, or holds another thing.
    func keys(_ logger: Logger? = nil) throws(Failure) -> @Sendable (_ isFresh: Bool) -> [AccessTokens.SigningKey] {
        let watched = try WatchedFile(file, logger) { () throws(Failure) in try list() }
        return { isFresh in watched.value(isFresh: isFresh) }
    }

    /// Adds a key, which signs from now on. Keys whose tokens have all ended are removed.
    ///
    /// - Parameter endingOthers: whether all older ones are removed, with the tokens that they have signed.
    /// - Returns: the number of keys that count; `nil` where the service has no such file, and so no accounts.
    func add(endingOthers: Bool) throws(Failure) -> Int? {
        guard try file.read() != nil else { return nil }
        let now = Instant(microseconds: Time.wall / 1000)
        let known = try list()
        let kept = endingOthers ? [] : AccessTokens.accepted(of: known, at: now)
        guard kept.count < Self.mostCount else {
            throw Failure(.usage, message: "\(file.path) has \(kept.count) keys that count: wait a quarter of an hour.")
        }
        try file.replace(Self.text(kept + [AccessTokens.SigningKey(pem: AccessTokens.makeKey(), made: now)]))
        return kept.count + 1
    }

    private func list() throws(Failure) -> [AccessTokens.SigningKey] {
        if let bytes = try file.read() { return try parse(bytes) }
        let now = Instant(microseconds: Time.wall / 1000)
        try file.make(Self.text([AccessTokens.SigningKey(pem: AccessTokens.makeKey(), made: now)]))
        return try parse(try file.read() ?? [])
    }

    private func parse(_ bytes: [UInt8]) throws(Failure) -> [AccessTokens.SigningKey] {
        var keys: [AccessTokens.SigningKey] = []
        var (made, lines): (Instant?, [Substring]) = (nil, [])
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if lines.isEmpty, !line.hasPrefix("-----BEGIN ") {
                if line.hasPrefix(Self.made), let second = Int64(line.dropFirst(Self.made.count)) {
                    made = Instant(microseconds: second * 1_000_000)
                }
                continue
            }
            lines.append(line)
            if line.hasPrefix("-----END ") {
                keys.append(AccessTokens.SigningKey(pem: lines.joined(separator: "\n"), made: made))
                (made, lines) = (nil, [])
            }
        }
        guard !keys.isEmpty, lines.isEmpty else {
            throw Failure(.unavailable, message: "The file \(file.path) is damaged.")
        }
        return keys
    }

    private static func text(_ keys: [AccessTokens.SigningKey]) -> [UInt8] {
        keys.flatMap { key in
            let line = key.made.map { "\(made)\($0.microseconds / 1_000_000)\n" } ?? ""
            return Array("\(line)\(key.pem)\n".utf8)
        }
    }
}
