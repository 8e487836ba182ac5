import Accounts
import CLinux
import Linux
import Media

/// The private key that signs access tokens, as PEM in a file that its owner alone may read.
struct SigningKeyFile {
    let path: String

    /// The key, which is made where there is none.
    ///
    /// - Throws: `unavailable` where the file cannot be read or made.
    func key() throws(Failure) -> String {
        if let key = try known() { return key }
        try make()
        guard let key = try known() else { throw Failure(.unavailable, message: "The file \(path) is gone.") }
        return key
    }

    private func known() throws(Failure) -> String? {
        do throws(SystemError) {
            return String(decoding: try Descriptor.open(path, O_RDONLY).readAll(limit: 8192) ?? [], as: UTF8.self)
        } catch {
            if error.number == ENOENT { return nil }
            throw Failure(.unavailable, message: "The file \(path) cannot be read.", detail: "\(error)")
        }
    }

    /// Written aside, so that nobody reads half a key; of two processes the first one's stands.
    private func make() throws(Failure) {
        let aside = "\(path).\(getpid())"
        defer { _ = unlink(aside) }
        do throws(SystemError) {
            let file = try Descriptor.open(aside, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
            try file.write(Array((AccessTokens.makeKey() + "\n").utf8))
            _ = fsync(file.number)
            guard link(aside, path) != 0 else { return }
            let error = SystemError.last("link")
            if error.number != EEXIST { throw error }
        } catch {
            throw Failure(.unavailable, message: "The file \(path) cannot be made.", detail: "\(error)")
        }
    }
}
