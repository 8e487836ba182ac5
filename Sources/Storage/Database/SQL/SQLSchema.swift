/// The tables of a module, in one database with the tables of others.
///
/// `schema_versions` has the version of each module's tables. A released script is never changed. A change is one more
/// script, which leaves in place what programs of the previous version use: they keep running while it is applied.
public struct SQLSchema: Sendable {
    /// The module's name, such as `documents`.
    public let name: String
    private let sqlite: [String]
    private let postgreSQL: [String]
    /// The version that the first script creates. Tables of earlier versions cannot be upgraded to it.
    private let first: Int

    /// - Parameters:
    ///   - name: a word in lower case letters that no other module has.
    ///   - first: the version that the first script creates; a database with an earlier one is refused.
    ///   - sqlite: one script for each upgrade to the next version, in SQLite's SQL. A script may have several
    ///     statements.
    ///   - postgreSQL: the same for PostgreSQL, with the same number of scripts.
    public init(_ name: String, from first: Int = 1, sqlite: [String], postgreSQL: [String]) {
        precondition(sqlite.count == postgreSQL.count, "both databases have the same versions")
        self.name = name
        self.first = first
        self.sqlite = sqlite
        self.postgreSQL = postgreSQL
    }

    /// The version of the tables that this program knows.
    public var version: Int { first - 1 + sqlite.count }

    /// The reason why the tables are not usable.
    public enum Mismatch: Error, Hashable, Sendable {
        /// The tables are missing, or of an earlier version.
        case older(schema: String, found: Int, known: Int)
        /// A newer program has changed the tables.
        case newer(schema: String, found: Int, known: Int)
        /// The tables date from before the first version that this program can upgrade.
        case unknown(schema: String)
    }

    /// The version of the tables in the database; 0 if there are none.
    public func found(in session: any SQLSession) throws -> Int {
        guard try session.hasTable("schema_versions") else { return 0 }
        return Int(try session.integer("SELECT version FROM schema_versions WHERE name = ?", [name]) ?? 0)
    }

    /// Throws `Mismatch` unless the tables exist in the version that this program knows.
    public func check(in session: any SQLSession) throws {
        let found = try found(in: session)
        if found > version { throw Mismatch.newer(schema: name, found: found, known: version) }
        if found < version { throw Mismatch.older(schema: name, found: found, known: version) }
    }

    /// Upgrades the tables to this program's version inside the caller's transaction, which prevents others from doing
    /// so.
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
    /// The reason and its remedy.
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
