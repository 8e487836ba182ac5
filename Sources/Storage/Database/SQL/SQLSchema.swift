/// The tables of a module, in one database with those of others.
///
/// `schema_versions` has the version of each module's tables. A script that was released is never changed; a change is one more script, which
/// leaves in place what programs of the version before use: they go on while it is applied.
public struct SQLSchema: Sendable {
    /// The module, as `documents`.
    public let name: String
    private let sqlite: [String]
    private let postgreSQL: [String]
    /// The version that the first script makes. Tables of earlier ones cannot be brought to it.
    private let first: Int

    /// - Parameters:
    ///   - name: a word of lower case letters that no other module has.
    ///   - first: the version that the first script makes; a database with an earlier one is refused.
    ///   - sqlite: what brings the tables from each version to the next one, of several statements each, in SQLite.
    ///   - postgreSQL: the same for PostgreSQL: as many.
    public init(_ name: String, from first: Int = 1, sqlite: [String], postgreSQL: [String]) {
        precondition(sqlite.count == postgreSQL.count, "both databases have the same versions")
        self.name = name
        self.first = first
        self.sqlite = sqlite
        self.postgreSQL = postgreSQL
    }

    /// The version of the tables that this program knows.
    public var version: Int { first - 1 + sqlite.count }

    /// Why the tables cannot be used.
    public enum Mismatch: Error, Hashable, Sendable {
        /// The tables are missing, or of an earlier version.
        case older(schema: String, found: Int, known: Int)
        /// A newer program has changed them.
        case newer(schema: String, found: Int, known: Int)
        /// They were made before the first version that this program can bring up to date.
        case unknown(schema: String)
    }

    /// The version of the tables in the database; 0 where there are none.
    public func found(in session: any SQLSession) throws -> Int {
        guard try session.hasTable("schema_versions") else { return 0 }
        return Int(try session.integer("SELECT version FROM schema_versions WHERE name = ?", [name]) ?? 0)
    }

    /// Throws `Mismatch` unless the tables are there in the version that this program knows.
    public func check(in session: any SQLSession) throws {
        let found = try found(in: session)
        if found > version { throw Mismatch.newer(schema: name, found: found, known: version) }
        if found < version { throw Mismatch.older(schema: name, found: found, known: version) }
    }

    /// Brings the tables to this program's version inside the caller's transaction, which keeps others from doing so.
    ///
    /// - Returns: the version before.
    @discardableResult
    public func install(in session: any SQLSession) throws -> Int {
        let found = try found(in: session)
        if found > version { throw Mismatch.newer(schema: name, found: found, known: version) }
        if found == version { return found }
        if try found == 0 ? session.hasTable("\(name)_migration") : found < first {
            throw Mismatch.unknown(schema: name)
        }
        try session.execute(
            "CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL)")
        let scripts =
            switch session.dialect {
            case .sqlite: sqlite
            case .postgreSQL: postgreSQL
            }
        for script in scripts[max(0, found + 1 - first)...] { try session.script(script) }
        try session.execute(
            "INSERT INTO schema_versions VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version",
            [name, version])
        return found
    }
}

extension SQLSchema.Mismatch: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch self {
        case .older(let schema, let found, let known):
            "the tables of \(schema) are missing or old (version \(found) of \(known)): migrate the database first"
        case .newer(let schema, let found, let known):
            "the tables of \(schema) are from a newer program (version \(found), known \(known)): upgrade this one"
        case .unknown(let schema):
            "the tables of \(schema) are from before the first release and cannot be used: start with an empty database"
        }
    }
}
