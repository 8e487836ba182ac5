import Foundation
import Linux
import Media
import PostgreSQLSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("documentd behind PgBouncer", .serialized, .deadline)
struct PoolerTests {
    private static let json = ["Content-Type": "application/json"]

    /// A person signs up and uploads; the documents get pictures, and the person sees their own alone.
    private static func work(of number: Int, by client: ServiceClient) throws {
        let account = #"{"email":"p\#(number)@example.org","password":"correct horse \#(number)"}"#
        let session = try client.send("POST", "/auth/v1/signup", headers: json, body: Array(account.utf8))
        let access = try #require(session.json?["access_token"]?.string, "\(session.text)")
        let own = ["Authorization": "Bearer \(access)"]
        for (name, type) in [("page-1.pdf", "transcript"), ("h264.mp4", "highlight_video")] {
            let answer = try client.post(
                "/api/documents", fields: [("type", type), ("title", "Of \(number)")],
                file: (name, try DocumentdTests.sample(name)), headers: own)
            let id = try #require(answer.data?["id"]?.string, "\(answer.text)")
            let settled = try Waiting.forValue("no pictures of \(name)") {
                let document = try client.send("GET", "/api/documents/\(id)", headers: own).data
                return document?["state"]?.string == "stored" ? nil : document
            }
            #expect(settled["state"]?.string == "ready")
            let picture = try client.send("GET", "/api/documents/\(id)/thumbnail?preset=grid", headers: own)
            #expect(picture.status == 200 && picture["content-type"]?.hasPrefix("image/") == true)
        }
        let list = try client.send("GET", "/api/documents", headers: own).data
        #expect(list?["total"]?.int == 2)
        #expect(list?["documents"]?.array?.allSatisfy { $0["title"]?.string == "Of \(number)" } == true)
    }

    /// Lets several persons work at once.
    private func work(on documentd: DocumentdProgram) throws {
        let errors = Mutex<[String]>([])
        let client = documentd.client
        let threads = try (0..<4).map { number in
            try WorkerThread(name: "person-\(number)") {
                do { try Self.work(of: number, by: client) } catch { errors.withLock { $0.append("\(error)") } }
            }
        }
        for thread in threads { thread.join() }
        #expect(errors.withLock { $0 } == [], "\(documentd.text)")
        #expect(documentd.lines(at: "error") == [] && documentd.lines(at: "warning") == [], "\(documentd.text)")
    }

    @Test("Where sessions are kept, accounts, documents, jobs and uploads into a bucket work")
    func sessions() throws {
        let server = try TestServer.shared.get()
        let pooler = try Pooler(before: server, .session)
        let ends = try SharedBackEnds(through: pooler, on: server)
        defer { ends.remove() }
        let documentd = try DocumentdProgram(["--auth", "local"], environment: ends.environment)
        defer { documentd.remove() }
        try work(on: documentd)
        withExtendedLifetime(pooler) {}
    }

    @Test(
        "Where sessions are lent in turn, accounts, documents and jobs work; a bucket's upload is refused with the reason",
        .enabled(if: Pooler.keepsStatements, "PGBOUNCER \(Pooler.version) IS OLDER THAN 1.21 AND FORGETS STATEMENTS"))
    func transactions() throws {
        let server = try TestServer.shared.get()
        let pooler = try Pooler(before: server, .transaction)
        let ends = try SharedBackEnds(through: pooler, on: server)
        defer { ends.remove() }
        let folder = ends.environment.filter { ["COMPASS_DATABASE", "COMPASS_SECRET"].contains($0.key) }
        let documentd = try DocumentdProgram(["--auth", "local"], environment: folder)
        defer { documentd.remove() }
        try work(on: documentd)
        documentd.stop()

        let other = try DocumentdProgram(environment: ends.environment)
        defer { other.remove() }
        let documents = try ends.psql("SELECT count(*) FROM documents")
        let refused = try other.client.post(
            "/api/documents", fields: [("type", "transcript")],
            file: ("a.pdf", try DocumentdTests.sample("page-1.pdf")))
        #expect(refused.status == 503 && refused.message == "Server error. Please try again.", "\(refused.text)")
        let reasons = other.lines(at: "error").compactMap { $0["reason"]?.string }
        #expect(
            reasons.contains { $0.contains("does not keep sessions") && $0.contains("pool_mode = session") },
            "\(other.text)")
        #expect(try ends.psql("SELECT count(*) FROM documents") == documents)
        withExtendedLifetime(pooler) {}
    }
}
