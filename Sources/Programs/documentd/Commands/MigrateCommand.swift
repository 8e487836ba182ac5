import ArgumentParser
import Daemon
import Media
import RenderHost
import Settings

/// `documentd migrate`: brings the database's tables to this program's version.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database's tables to this program's version, and make them where there are none.",
        discussion: """
            A service that starts does the same. This command is for those who want it done before.

            With --adopt it takes over what the app's Supabase project has in its tables documents, schools and
            communication_templates. They are moved as they are into the schema adopted of the same PostgreSQL database. Then each
            row becomes a document: with its line of versions, its digest, and pictures that are made as soon as nothing else
            waits. The files must lie in the store already, under their paths in the bucket. It can be ended at any moment, and goes on
            where it was; services may run meanwhile. A line for each row that was left out says why, and so does the column reason of
            adopted.progress: these are tried again the next time. Once three files in a row cannot be reached, it asks the store for
            something else, and ends where that fails, too.

            Exit status: 0 done, 1 rows were left out, 130 ended before.
            """)

    @Flag(help: "Take over the rows of the app's former tables.")
    var adopt = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func validate() throws {
        guard adopt else { return }
        let database = try options.resolve().service.database
        if case .server = database { return }
        throw ValidationError("--adopt takes over tables of a PostgreSQL database: --database postgres://…")
    }

    func run() throws {
        let settings = try options.resolve()
        let logger = options.log.makeLogger("documentd")
        let stores = try Stores(settings, logger, adopts: adopt)
        StandardStream.write("\(stores.database.name) is up to date\n", to: 1)
        guard adopt else { return }
        let rendering = try RenderingEngine(settings, logger)
        defer { rendering.host.shutDown() }
        let adoption = Adoption(store: stores.documents, library: try stores.library(settings, rendering, logger))
        let status = try adoption.run()
        if status != 0 { throw ExitCode(status) }
    }
}
