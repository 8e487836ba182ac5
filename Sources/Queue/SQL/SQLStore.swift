/// The tables of one module in a database that others share: an SQLite file, or a PostgreSQL server's.
public protocol SQLStore: Sendable {
    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Runs `body` in one transaction, which is on the disk on return. All changes of the module's tables wait for each other, unless the
    /// store was opened otherwise. One that lost to another may run again.
    func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Runs `body` as `write` does, but beside others that came this way: the two kinds wait for each other, and among themselves these
    /// wait only where their bodies take locks.
    func writeBeside<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer
}
