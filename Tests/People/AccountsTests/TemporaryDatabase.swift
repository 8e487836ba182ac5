import Database
import Foundation
import People
import PostgreSQLSupport
import TestSupport

/// A database of accounts of its own, which goes with this value: a file, or with `COMPASS_TEST_DATABASE=postgresql` one on the tests'
/// server.
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
