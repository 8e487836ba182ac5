import AccountDatabase
import Foundation
import TestSupport

/// A database of accounts in a folder of its own, which goes with this value.
final class TemporaryDatabase: Sendable {
    private let folder = TemporaryFolder.make("accounts")
    let store: SQLiteAccountStore

    init() throws { store = try SQLiteAccountStore(path: "\(folder)/accounts.sqlite") }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
