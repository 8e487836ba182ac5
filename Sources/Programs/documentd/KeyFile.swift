import CLinux
import Linux
import Media

/// The secret behind the service's keys and signed addresses: a file of hexadecimal digits in the data folder.
struct KeyFile {
    private let path: String

    init(inFolder folder: String) { path = "\(folder)/secret.key" }

    private static let byteCount = 32

    /// The secret, which is made where there is none.
    ///
    /// - Throws: `unavailable` where the file cannot be read or made, or holds another thing.
    func secret() throws(Failure) -> [UInt8] {
        if let secret = try known() { return secret }
        try make()
        guard let secret = try known() else { throw damaged }
        return secret
    }

    private func known() throws(Failure) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try Descriptor.open(path, O_RDONLY).readAll(limit: 1024)
        } catch {
            if error.number == ENOENT { return nil }
            throw Failure(.unavailable, message: "The file of keys cannot be read.", detail: "\(error)")
        }
        let digits = (bytes ?? []).filter { $0 != UInt8(ascii: "\n") }
        guard digits.count == 2 * Self.byteCount, let secret = Hex.bytes(digits) else { throw damaged }
        return secret
    }

    private var damaged: Failure { Failure(.unavailable, message: "The file of keys is damaged: \(path).") }

    /// Written aside, so that nobody reads half a secret; of two processes the first one's stands.
    private func make() throws(Failure) {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let aside = "\(path).\(getpid())"
        defer { _ = unlink(aside) }
        do throws(SystemError) {
            let file = try Descriptor.open(aside, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
            try file.write(Array((Hex.string(secret) + "\n").utf8))
            _ = fsync(file.number)
        } catch {
            throw Failure(.unavailable, message: "The file of keys cannot be made.", detail: "\(error)")
        }
        guard link(aside, path) != 0 else { return }
        let error = SystemError.last("link")
        if error.number == EEXIST { return }
        throw Failure(.unavailable, message: "The file of keys cannot be made.", detail: "\(error)")
    }
}
