import ArgumentParser
import Console
import Daemon
import KeyDatabase
import Media
import Settings

/// `documentd rotate-keys`: adds new keys beside the old ones.
struct RotateKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-keys",
        abstract: "Make new keys for tokens, cookies and addresses, beside a running service.",
        discussion: """
            Every process over the database, on any host, knows the new keys within a second; they sign after ten. What older \
            keys have signed goes on: access tokens until they end, and cookies, refresh tokens, signed addresses and the keys \
            of `documentd keys`. With --end-older nothing of that goes on, and the new keys sign at once: for keys that somebody \
            has copied, or whose secret (COMPASS_SECRET, or the file secret.key) is lost. After a change of the secret every \
            process has to be started anew.

            Example:
              documentd rotate-keys --data ./data
            """)

    @Flag(help: "Remove all older keys: everybody signs in again, addresses end, and clients need a new apikey.")
    var endOlder = false

    @Flag(help: "With --end-older: make a new secret.key, because the one before is lost or damaged.")
    var newSecret = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        if newSecret, !endOlder { throw Failure(.usage, message: "--new-secret goes with --end-older.") }
        let settings = try options.resolve().service
        PrivateFolders.make(settings.dataPath)
        // A restore keeps the keys that it finds at its beginning.
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
