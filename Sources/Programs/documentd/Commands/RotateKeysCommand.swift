import ArgumentParser
import Console
import Daemon
import Media
import People

/// `documentd rotate-keys`: adds new keys and keeps the old ones.
struct RotateKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-keys",
        abstract: "Make new keys for tokens, cookies and addresses. The service may be running.",
        discussion: """
            Every process that uses the database, on any host, reads the new keys within a second, and signs with them after ten. \
            What older keys have signed stays valid: access tokens until they expire, and cookies, refresh tokens, signed \
            addresses and the keys of `documentd keys`. With --end-older all of that becomes invalid, and the new keys sign at \
            once. Use it if somebody has copied the keys, or if their secret (COMPASS_SECRET, or the file secret.key) is lost. \
            After a change of the secret, restart every process.

            Example:
              documentd rotate-keys --data ./data
            """)

    @Flag(help: "Remove all older keys: everybody must sign in again, addresses expire, and clients need a new apikey.")
    var endOlder = false

    @Flag(help: "With --end-older: make a new secret.key, because the current one is lost or damaged.")
    var newSecret = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        if newSecret, !endOlder { throw Failure(.usage, message: "--new-secret requires --end-older.") }
        let settings = try options.resolve().service
        PrivateFolders.make(settings.dataPath)
        // A restore keeps the keys that exist when it begins.
        let lock = try FolderLock(settings.dataPath, isExclusive: false)
        defer { withExtendedLifetime(lock) {} }
        let store = try ServiceKeys.store(settings, SharedDatabase(settings), makesSecret: newSecret)
        do {
            let counts = try store.rotate(endsOlder: endOlder)
            StandardStream.write("secrets: \(counts[.secret] ?? 0)\ntoken keys: \(counts[.tokens] ?? 0)\n", to: 1)
        } catch {
            throw ServiceKeys.unusable(error)
        }
    }
}
