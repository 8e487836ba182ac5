import ArgumentParser
import Console
import Daemon
import Media
import People
import Supabase

/// `documentd keys`: prints a key that clients of Supabase send as `apikey`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print an API key for Supabase clients.",
        discussion: """
            The key of --anonymous may be public: on its own it gives access to nobody's data. The key of --service gives access \
            to everything. Both stay the same until `documentd rotate-keys`, and valid until `documentd rotate-keys --end-older`.

            Example:
              documentd keys --anonymous --data ./data
            """)

    @Flag(help: "The key for apps and browsers (the default).")
    var anonymous = false

    @Flag(help: "The key for servers, which must stay secret.")
    var service = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        guard !(anonymous && service) else {
            throw Failure(.usage, message: "Choose --anonymous or --service.")
        }
        let settings = try options.resolve().service
        let store = try ServiceKeys.store(settings, SharedDatabase(settings))
        let keys: WireKeys
        do { keys = WireKeys(try store.secrets()) } catch { throw ServiceKeys.unusable(error) }
        StandardStream.write(keys.key(of: service ? .service : .anonymous) + "\n", to: 1)
    }
}
