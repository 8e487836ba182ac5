import ArgumentParser
import Console
import Daemon
import Media
import RenderHost

/// `documentd migrate`: migrates the database's tables to this program's version.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create the database's tables, or migrate them to this program's version.",
        discussion: """
            A service does the same when it starts. This command does it in advance.

            With --adopt it imports what the app's Supabase project has in its tables documents, schools and
            communication_templates. The tables are moved unchanged into the schema adopted of the same PostgreSQL database. Then
            each row becomes a document, with its versions and its digest. Its pictures are made as soon as nothing else
            waits. The files must already be in the store, under their paths in the bucket. You can stop the command at any time and
            run it again to continue; services may be running. A line for each skipped row gives the reason, and so does the column
            reason of adopted.progress; these rows are retried by the next run. If three files in a row are unreachable, the command
            checks the store, and stops if that fails, too.

            Exit status: 0 done, 1 rows were skipped, 130 stopped early.
            """)

    @Flag(help: "Adopt the rows of the app's former tables.")
    var adopt = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func validate() throws {
        guard adopt else { return }
        let database = try options.resolve().service.database
        if case .server = database { return }
        throw ValidationError("--adopt needs a PostgreSQL database: --database postgres://…")
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
