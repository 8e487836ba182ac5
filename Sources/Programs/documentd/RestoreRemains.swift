import CLinux
import Console
import Linux
import Media

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

    /// For how long a database before a restore is kept.
    static let keptTime = Duration.seconds(7 * 86_400)

    /// A restored database that does not have its place yet.
    var part: String { "\(database)-new" }
    /// The database before a restore until it is whole.
    var formerPart: String { "\(formers[0])-new" }

    /// The databases before restores, each under a name of its own: a second restore does not take the first one's away.
    private var formers: [String] {
        let first = "\(database)-before-restore"
        return [first] + (2...Self.mostFormers).map { "\(first)-\($0)" }
    }

    private static let mostFormers = 16

    /// A name for the database before a restore: a free one, or that of the oldest.
    func newFormer() -> String {
        formers.first { age(of: $0) == nil } ?? formers.max { age(of: $0) ?? .zero < age(of: $1) ?? .zero }!
    }

    private func age(of path: String) -> Duration? {
        guard let status = try? FileStatus.of(path: path) else { return nil }
        return .nanoseconds(Time.wall - status.modified)
    }

    /// Removes what a restore that was killed has left. The caller's lock on the folder keeps others from restoring.
    func removeParts() {
        for path in [part, formerPart] { Backup.removeSnapshot(path) }
    }

    /// Removes the databases before restores, with the files beside them.
    ///
    /// - Parameter least: how old they have to be.
    func removeFormers(olderThan least: Duration) {
        for former in formers {
            if let age = age(of: former), age >= least { Backup.removeSnapshot(former) }
        }
    }
}
