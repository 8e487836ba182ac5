import CLinux
import Console
import Linux
import Media

/// What restores leave next to a database: whole or partial copies of it, which contain what persons have deleted
/// since.
struct RestoreRemains {
    /// The database's path.
    private let database: String

    init(of database: String) { self.database = database }

    /// The remains next to the service's database; `nil` for a server's database, which has its own tools.
    init?(_ settings: ServiceSettings) {
        guard case .file(let path) = settings.database else { return nil }
        database = path
    }

    /// How long the database before a restore is kept.
    static let keptTime = Duration.seconds(7 * 86_400)

    /// A restored database that is not yet in its place.
    var part: String { "\(database)-new" }
    /// The database before a restore, until the copy is whole.
    var formerPart: String { "\(formers[0])-new" }

    /// The databases before restores, each under its own name: a second restore does not overwrite the first one's.
    private var formers: [String] {
        let first = "\(database)-before-restore"
        return [first] + (2...Self.mostFormers).map { "\(first)-\($0)" }
    }

    private static let mostFormers = 16

    /// A name for the database before a restore: a free one, or the oldest one's.
    func newFormer() -> String {
        formers.first { age(of: $0) == nil } ?? formers.max { age(of: $0) ?? .zero < age(of: $1) ?? .zero }!
    }

    private func age(of path: String) -> Duration? {
        guard let status = try? FileStatus.of(path: path) else { return nil }
        return .nanoseconds(Time.wall - status.modified)
    }

    /// Removes what a killed restore has left. The caller's lock on the folder prevents other restores.
    func removeParts() {
        for path in [part, formerPart] { Backup.removeSnapshot(path) }
    }

    /// Removes the databases before restores, and the files that belong to them.
    ///
    /// - Parameter least: their minimum age.
    func removeFormers(olderThan least: Duration) {
        for former in formers {
            if let age = age(of: former), age >= least { Backup.removeSnapshot(former) }
        }
    }
}
