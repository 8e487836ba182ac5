import Database
import Glibc
import Media
import Objects
import S3
import StoreSupport
import TestSupport

/// A database for the rows of buckets, removed with this object and its stores.
final class BucketDatabase: Sendable {
    private let folder = TemporaryFolder.make("bucket-rows")
    let database: SQLiteDatabase

    init() throws {
        database = try SQLiteDatabase(path: "\(folder)/rows.sqlite", options: SQLiteDatabase.Options(.service))
        // As documentd does when it starts.
        try store(try TestStore.shared.get().client(), prefix: "", locks: LocalObjectLocks()).prepare()
    }

    deinit { system("rm -rf '\(folder)'") }

    func store(
        _ client: S3Client, prefix: String, locks: any ObjectLocks, memory: TransferMemory = TransferMemory(),
        givesAddresses: Bool = false
    ) -> BucketStore {
        BucketStore(
            client, prefix: prefix, database: { self.database }, locks: locks, memory: memory,
            givesAddresses: givesAddresses)
    }

    /// The number of rows of each table, by name.
    func counts() throws -> [String: Int64] {
        try database.read { session in
            var counts: [String: Int64] = [:]
            for table in ["arrivals", "parts", "sums"] {
                let count = try session.integer("SELECT count(*) FROM bucket_\(table)") ?? 0
                if count > 0 { counts[table] = count }
            }
            return counts
        }
    }
}
