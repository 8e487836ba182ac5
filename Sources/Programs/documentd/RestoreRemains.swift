import CLinux
import Linux
import Media
import Settings

/// What restores leave beside a database: copies of it, whole or in part, which have what persons have deleted since.
struct RestoreRemains {
    /// The database's path.
    private let database: String

    init(of database: String) { self.database = database }

    /// The remains beside the service's database; `nil` for a server's, which has its own tools.
    init?(_ settings: ServiceSettings) {
        guard case .file(let path) = settings.database else { return nil }
        database = path
    }

    /// For how long the database before a restore is kept.
    static let keptTime = Duration.seconds(7 * 86_400)

    /// A restored database that does not have its place yet.
    var part: String { "\(database)-new" }
    /// The database before the last restore.
    var former: String { "\(database)-before-restore" }
    /// The same before it is whole.
    var formerPart: String { "\(former)-new" }

    /// Removes what a restore that was killed has left. The caller's lock on the folder keeps others from restoring.
    func removeParts() {
        for path in [part, formerPart] { Backup.removeSnapshot(path) }
    }

    /// Removes the database before the last restore, with the files beside it.
    ///
    /// - Parameter age: how old it has to be.
    func removeFormer(olderThan age: Duration) {
        guard let status = try? FileStatus.of(path: former) else { return }
        if Duration.nanoseconds(Time.wall - status.modified) >= age { Backup.removeSnapshot(former) }
    }
}
