import Foundation
import PostgreSQLSupport
import StoreSupport
import TestSupport

/// A database of PostgreSQL and a prefix of a bucket for one test, and the settings by which programs use them.
struct SharedBackEnds {
    let server: TestServer
    let name: String
    let prefix = "machines-\(UUID().uuidString.lowercased())"
    /// The two addresses, the secret of all machines, and what the bucket's owner has.
    let environment: [String: String]

    /// - Parameter pooler: stands before the database.
    init(through pooler: Pooler? = nil, on server: TestServer? = nil) throws {
        self.server = try server ?? TestServer.shared.get()
        name = try self.server.makeDatabase()
        let store = try TestStore.shared.get()
        environment = [
            "COMPASS_DATABASE": pooler?.url(of: name) ?? self.server.url(of: name),
            "COMPASS_STORE": "s3://\(TestStore.bucket)/\(prefix)", "COMPASS_S3_ENDPOINT": store.address,
            "COMPASS_SECRET": String(repeating: "5eed", count: 16), "AWS_ACCESS_KEY_ID": TestStore.accessKey,
            "AWS_SECRET_ACCESS_KEY": TestStore.secretKey,
        ]
    }

    func psql(_ sql: String) throws -> [String] { try server.psql(name, sql) }

    func remove() { server.drop(name) }
}
