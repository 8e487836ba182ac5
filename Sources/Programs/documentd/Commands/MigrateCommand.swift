import ArgumentParser
import Daemon
import Media

/// `documentd migrate`: brings the database's tables to this program's version.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database's tables to this program's version, and make them where there are none.",
        discussion: "A service that starts does the same. This command is for those who want it done before.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let stores = try Stores(try options.resolve(), options.log.makeLogger("documentd"))
        StandardStream.write("\(stores.database.name) is up to date\n", to: 1)
    }
}
