import Access
import Logging
import Media

/// The secrets behind the service's keys, cookies, refresh tokens and signed addresses: lines of hexadecimal digits in a file of the data
/// folder, the newest secret last.
struct KeyFile {
    private let file: PrivateFile

    init(inFolder folder: String) { file = PrivateFile(path: "\(folder)/secret.key") }

    private static let byteCount = 32
    private static let mostCount = 100

    /// The secrets, of which one is made where there is none. Those that are added later are noticed within a second.
    ///
    /// - Throws: `unavailable` where the file cannot be read or made, or holds another thing.
    func secrets(_ logger: Logger? = nil) throws(Failure) -> Secrets {
        let watched = try WatchedFile(file, logger) { () throws(Failure) in try list() }
        return Secrets { isFresh in watched.value(isFresh: isFresh).reversed() }
    }

    /// Adds a secret, which makes everything from now on.
    ///
    /// - Parameter endingOthers: whether the older ones are removed, with everything that they have made.
    /// - Returns: the number of secrets that count.
    func add(endingOthers: Bool) throws(Failure) -> Int {
        let kept = endingOthers ? [] : try list()
        guard kept.count < Self.mostCount else {
            throw Failure(
                .usage, message: "\(file.path) has \(kept.count) secrets, the most that it can: use --end-older.")
        }
        try file.replace(Self.text(kept + [Self.makeSecret()]))
        return kept.count + 1
    }

    /// The oldest secret first.
    private func list() throws(Failure) -> [[UInt8]] {
        if let bytes = try file.read() { return try parse(bytes) }
        try file.make(Self.text([Self.makeSecret()]))
        return try parse(try file.read() ?? [])
    }

    private func parse(_ bytes: [UInt8]) throws(Failure) -> [[UInt8]] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let secrets = lines.compactMap { $0.count == 2 * Self.byteCount ? Hex.bytes(Array($0)) : nil }
        guard !secrets.isEmpty, secrets.count == lines.count else {
            throw Failure(.unavailable, message: "The file of keys is damaged: \(file.path).")
        }
        return secrets
    }

    private static func text(_ secrets: [[UInt8]]) -> [UInt8] {
        secrets.flatMap { Array((Hex.string($0) + "\n").utf8) }
    }

    private static func makeSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
