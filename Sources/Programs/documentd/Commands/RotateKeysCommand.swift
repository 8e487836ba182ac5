import ArgumentParser
import CLinux
import Console
import Daemon
import Linux
import Media
import Settings

/// `documentd rotate-keys`: adds new keys beside the old ones.
struct RotateKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-keys",
        abstract: "Make new keys for tokens, cookies and addresses, beside a running service.",
        discussion: """
            New keys sign from now on; every process of the folder notices them within a second. What older keys have signed goes \
            on: access tokens until they end, and cookies, refresh tokens, signed addresses and the keys of `documentd keys` as \
            long as the older secret is kept. With --end-older nothing of that goes on: for keys that somebody has copied.

            Example:
              documentd rotate-keys --data ./data
            """)

    @Flag(help: "Remove all older keys: everybody signs in again, addresses end, and clients need a new apikey.")
    var endOlder = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let folder = try options.resolve().service.dataPath
        PrivateFolders.make(folder)
        let lock = try Self.lock(folder)
        defer { withExtendedLifetime(lock) {} }
        let secretCount = try KeyFile(inFolder: folder).add(endingOthers: endOlder)
        let keyCount = try SigningKeyFile(inFolder: folder).add(endingOthers: endOlder)
        StandardStream.write(
            "secret.key: \(secretCount) count\n" + (keyCount.map { "tokens.pem: \($0) count\n" } ?? ""), to: 1)
    }

    /// Two calls at once would each write the file without the other's key.
    private static func lock(_ folder: String) throws(Failure) -> FileLock {
        do throws(SystemError) {
            let file = try Descriptor.open("\(folder)/keys.lock", O_RDWR | O_CREAT | O_CLOEXEC, mode: OwnerOnly.file)
            return try FileLock(file, waits: true)
        } catch {
            throw Failure(
                .unavailable, message: "The folder \(folder) cannot be written (setting data).", detail: "\(error)")
        }
    }
}
