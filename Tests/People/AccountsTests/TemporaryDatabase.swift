import Database
import Foundation
import People
import PostgreSQLSupport
import TestSupport

/// A separate database of accounts, removed with this value: a file, or with `COMPASS_TEST_DATABASE=postgresql` a
/// database on the test server.
final class TemporaryDatabase: Sendable {
    private let folder = TemporaryFolder.make("accounts")
    private let scratch: ScratchDatabase?
    let store: AccountStore

    init() throws {
        scratch = TestServer.isWanted ? try ScratchDatabase() : nil
        store =
            if let scratch { try AccountStore(scratch.database) } else {
                try AccountStore(try SQLiteDatabase(path: "\(folder)/accounts.sqlite"))
            }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
