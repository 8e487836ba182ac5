/// The tables of a module as numbered migrations, in one database with others.
///
/// A released migration is never changed; a change is a further one, which leaves in place what programs of the version before use.
public struct SQLMigrations: Sendable {
    /// The table that has the numbers of what was applied.
    let table: String
    /// What the module's tables are about, for messages.
    let subject: String
    /// Each a script of several statements.
    let scripts: [String]

    /// - Parameters:
    ///   - table: a name that belongs to the module.
    ///   - subject: what the tables are about, as "accounts".
    public init(table: String, subject: String, scripts: [String]) {
        self.table = table
        self.subject = subject
        self.scripts = scripts
    }

    /// The database is a newer program's.
    public struct Newer: Error, CustomStringConvertible {
        /// As "the tables of accounts are a newer program's".
        public let description: String
    }

    /// Applies the missing ones inside the caller's transaction, which keeps others from doing so.
    ///
    /// - Parameter run: runs a script.
    /// - Throws: `Newer`, or the driver's error.
    public func apply(in session: any SQLSession, _ run: (String) throws -> Void) throws {
        try session.execute("CREATE TABLE IF NOT EXISTS \(table) (number BIGINT PRIMARY KEY)")
        let applied = Int(try session.integer("SELECT max(number) FROM \(table)") ?? 0)
        guard applied <= scripts.count else {
            throw Newer(description: "the tables of \(subject) are a newer program's")
        }
        for (index, script) in scripts.enumerated() where index >= applied {
            try run(script)
            try session.execute("INSERT INTO \(table) VALUES (?)", [index + 1])
        }
    }
}
