import Foundation
import Media
import PostgreSQLSupport
import StoreSupport
import TestDeadline
import TestSupport
import Testing

@Suite("compass doctor over a PostgreSQL database and a bucket", .deadline)
struct DoctorTests {
    /// A database, and the program that looks at it and at the bucket of SeaweedFS.
    private struct Case {
        let server: TestServer
        let name: String
        let program: CompassProgram
        var environment: [String: String]

        init(_ server: TestServer? = nil) throws {
            self.server = try server ?? TestServer.shared.get()
            name = try self.server.makeDatabase()
            program = try CompassProgram()
            environment = [
                "COMPASS_DATABASE": self.server.url(of: name), "COMPASS_STORE": "s3://\(TestStore.bucket)/doctor",
                "COMPASS_S3_ENDPOINT": try TestStore.shared.get().address, "AWS_ACCESS_KEY_ID": TestStore.accessKey,
                "AWS_SECRET_ACCESS_KEY": TestStore.secretKey,
            ]
        }

        func migrate() throws {
            let made = try program.run(["queue", "migrate"], environment: environment)
            #expect(made.status == 0, "\(made.standardError)")
        }

        /// - Returns: the program's exit status, and what it says of database and store.
        func look() throws -> (status: Int32, database: JSON, store: JSON) {
            let output = try program.run(["doctor", "--json"], environment: environment)
            func check(_ name: String) throws -> JSON {
                try #require(output.json.first { $0["check"]?.string == name }, "\(output.standardOutput)")
            }
            return (output.status, try check("database"), try check("store"))
        }

        func remove() {
            program.remove()
            server.drop(name)
        }
    }

    /// Looks, and expects that the problem of the database has one word, and that of the store the other.
    private func expect(
        _ words: (database: String, store: String), of bench: Case, at place: SourceLocation = #_sourceLocation
    ) throws {
        let found = try bench.look()
        #expect(found.status == 3, sourceLocation: place)
        for (check, word) in [(found.database, words.database), (found.store, words.store)] {
            #expect(check["ok"]?.bool == false, sourceLocation: place)
            let problem = check["problem"]?.string ?? ""
            #expect(problem.contains(word), "\(problem)", sourceLocation: place)
        }
    }

    @Test("Both are well")
    func well() throws {
        var bench = try Case()
        defer { bench.remove() }
        try bench.migrate()
        let user = "doctor_\(bench.name)"
        try bench.server.addUser(user, password: "right")
        bench.environment["COMPASS_DATABASE"] = address(of: bench, user)
        bench.environment["PGPASSWORD"] = "right"
        let found = try bench.look()
        #expect(found.status == 0, "\(found)")
        #expect(found.database["ok"]?.bool == true && found.store["ok"]?.bool == true)
        #expect(found.database["found"]?.string?.hasPrefix("PostgreSQL answers") == true)
        #expect(found.store["found"]?.string?.contains("an object was written, read and removed") == true)
    }

    private func address(of bench: Case, _ user: String) -> String {
        bench.server.url(of: bench.name).replacingOccurrences(of: "//test@", with: "//\(user)@")
    }

    @Test("A wrong password and a wrong bucket are named, and the password is not")
    func wrongSettings() throws {
        var bench = try Case()
        defer { bench.remove() }
        try bench.migrate()
        let user = "doctor_\(bench.name)"
        try bench.server.addUser(user, password: "right")
        bench.environment["COMPASS_DATABASE"] = address(of: bench, "\(user):wrong")
        bench.environment["COMPASS_STORE"] = "s3://other-bucket/doctor"
        try expect(("password authentication failed", "no bucket other-bucket"), of: bench)
        #expect(try bench.look().database["problem"]?.string?.contains("wrong") == false)
    }

    @Test("A database of a newer program and a wrong secret are named")
    func newer() throws {
        var bench = try Case()
        defer { bench.remove() }
        try bench.migrate()
        try bench.server.psql(bench.name, "UPDATE schema_versions SET version = 9 WHERE name = 'queue'")
        bench.environment["AWS_SECRET_ACCESS_KEY"] = "wrong"
        try expect(("newer version (9", "the secret does not belong to the access key"), of: bench)
    }

    @Test("A server that takes no changes, and a store that refuses this machine's time, are named")
    func readOnly() throws {
        var bench = try Case(try TestServer())
        defer { bench.remove() }
        try bench.migrate()
        try bench.server.setReadOnly(true)
        let proxy = try FaultProxy(to: TestStore.shared.get()) { _ in
            FaultProxy.error(
                "403 Forbidden", "RequestTimeTooSkewed", fields: ["Date: Mon, 01 Jan 2024 00:00:00 GMT"])
        }
        bench.environment["COMPASS_S3_ENDPOINT"] = proxy.address
        try expect(("read-only", "ahead of the store's: set this machine's clock by NTP"), of: bench)
        try bench.server.setReadOnly(false)
    }

    @Test("A database without tables, and a clock that the store's differs from, are named")
    func empty() throws {
        var bench = try Case()
        defer { bench.remove() }
        let date = "Date: Mon, 01 Jan 2024 00:00:00 GMT"
        let proxy = try FaultProxy(to: TestStore.shared.get()) { request in
            request.line.hasPrefix("DELETE")
                ? .answer("HTTP/1.1 204 No Content\r\n\(date)\r\nConnection: close\r\n\r\n") : .pass
        }
        bench.environment["COMPASS_S3_ENDPOINT"] = proxy.address
        try expect(("compass queue migrate", "The bucket works, but this machine's clock is "), of: bench)
    }
}
