import Foundation
import Media
import Synchronization
import TestDeadline
import TestSupport
import Testing

/// New keys beside two running services of one folder, in the middle of traffic.
@Suite("documentd rotate-keys", .serialized, .deadline)
struct KeyRotationTests {
    private let one: DocumentdProgram
    private let two: DocumentdProgram
    private var services: [ServiceClient] { [one.client, two.client] }

    // The traffic is more than a person's.
    private static let flags = ["--auth", "local", "--worker", "no", "--requests-per-minute", "none"]

    init() throws {
        one = try DocumentdProgram(Self.flags)
        two = try DocumentdProgram(Self.flags, in: one.program)
    }

    private func rotate(_ arguments: String...) throws -> CompassProgram.Output {
        try CompassProgram.run(
            CompassProgram.built("documentd"), ["rotate-keys", "--data", one.program.path("data")] + arguments,
            environment: [:])
    }

    private func remove() {
        two.stop()
        one.remove()
    }

    /// A session of a client of Supabase.
    private struct Tokens {
        let access: String
        let refresh: String

        init?(_ answer: ServiceClient.Answer) {
            guard answer.status == 200, let access = answer.json?["access_token"]?.string,
                let refresh = answer.json?["refresh_token"]?.string
            else { return nil }
            (self.access, self.refresh) = (access, refresh)
        }

        /// The key that the access token names.
        var key: String? {
            let digits = access.prefix { $0 != "." }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
            return try? JSON(parsing: Base64.decode(String(digits)))["kid"]?.string
        }
    }

    private static let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#

    private static func post(_ path: String, _ json: String, _ headers: [String: String], to client: ServiceClient)
        throws
        -> ServiceClient.Answer
    {
        try client.send(
            "POST", path, headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: Array(json.utf8))
    }

    /// What one client does again and again; every answer has to be good.
    private final class Traffic: Sendable {
        let faults = Mutex<[String]>([])
        let count = Mutex(0)
        let hasEnded = Mutex(false)

        func check(_ answer: ServiceClient.Answer, _ what: String) {
            count.withLock { $0 += 1 }
            if answer.status != 200 {
                faults.withLock { $0.append("\(what): \(answer.status) \(answer.text.prefix(200))") }
            }
        }

        func start(_ body: @escaping @Sendable (Traffic) throws -> Void) -> Thread {
            let thread = Thread {
                while !self.hasEnded.withLock({ $0 }) {
                    do { try body(self) } catch { self.faults.withLock { $0.append("\(error)") } }
                }
            }
            thread.start()
            return thread
        }
    }

    private static func cookie(_ answer: ServiceClient.Answer) -> String {
        String((answer["set-cookie"] ?? "").prefix { $0 != ";" })
    }

    @Test("Keys are renewed in the middle of traffic to two processes: nobody is signed out, and no address ends early")
    func traffic() throws {
        defer { remove() }
        let key = try one.key()
        let made = try one.client.send("POST", "/api/account", json: Self.credentials)
        #expect(made.status == 201)
        let person = try #require(made.data?["account"]?["id"]?.string)
        let old = ["Cookie": Self.cookie(made), "Sec-Fetch-Site": "same-origin"]
        let first = try #require(
            Tokens(
                try Self.post("/auth/v1/token?grant_type=password", Self.credentials, ["apikey": key], to: two.client)))
        let wire = ["apikey": key, "Authorization": "Bearer \(first.access)"]
        let path = "documents/\(person)/transcript/1_a.txt"
        let stored = try one.client.send(
            "POST", "/storage/v1/object/\(path)", headers: wire.merging(["Content-Type": "text/plain"]) { $1 },
            body: Array("Text.\n".utf8))
        #expect(stored.status == 200, "\(stored.text)")
        @Sendable func sign(_ client: ServiceClient) throws -> String {
            let answer = try Self.post("/storage/v1/object/sign/\(path)", #"{"expiresIn":600}"#, wire, to: client)
            guard let address = answer.json?["signedURL"]?.string else {
                throw Failure(.unavailable, detail: answer.text)
            }
            return "/storage/v1\(address)"
        }
        let address = try sign(one.client)

        let (traffic, services) = (Traffic(), services)
        let browser = Mutex(old["Cookie"]!)
        let session = Mutex(first.refresh)
        let jobs: [@Sendable (Traffic) throws -> Void] = [
            // The access token from before, and the cookie from before.
            { traffic in
                for client in services {
                    traffic.check(try client.send("GET", "/api/documents", headers: wire), "token")
                    traffic.check(try client.send("GET", "/api/documents", headers: old), "old cookie")
                    traffic.check(try client.send("GET", address), "old address")
                }
            },
            // A browser that takes each new cookie to the other process.
            { traffic in
                for client in services {
                    let headers = ["Cookie": browser.withLock { $0 }]
                    let answer = try client.send("GET", "/api/session", headers: headers)
                    traffic.check(answer, "session")
                    if answer.data?["account"] == .null { traffic.faults.withLock { $0.append("signed out") } }
                    if answer["set-cookie"] != nil { browser.withLock { $0 = Self.cookie(answer) } }
                    traffic.check(
                        try client.send("GET", "/api/documents", headers: ["Cookie": browser.withLock { $0 }]), "cookie"
                    )
                }
            },
            // A client that refreshes at one process and asks the other.
            { traffic in
                for (client, other) in zip(services, services.reversed()) {
                    let body = #"{"refresh_token":"\#(session.withLock { $0 })"}"#
                    let answer = try Self.post(
                        "/auth/v1/token?grant_type=refresh_token", body, ["apikey": key], to: client)
                    traffic.check(answer, "refresh")
                    guard let tokens = Tokens(answer) else { continue }
                    session.withLock { $0 = tokens.refresh }
                    let headers = ["apikey": key, "Authorization": "Bearer \(tokens.access)"]
                    traffic.check(try other.send("GET", "/rest/v1/documents", headers: headers), "new token")
                }
            },
            // Addresses that one process signs and the other serves.
            { traffic in
                for (client, other) in zip(services, services.reversed()) {
                    traffic.check(try other.send("GET", try sign(client)), "new address")
                }
            },
        ]
        let threads = jobs.map { traffic.start($0) }
        for number in 2...4 {
            usleep(1_500_000)
            let output = try rotate()
            #expect(output.status == 0, "\(output.standardError)")
            #expect(output.lines == ["secret.key: \(number) count", "tokens.pem: \(number) count"])
        }
        usleep(2_000_000)
        // Two seconds after the last one both processes sign by the newest key.
        for client in services {
            let keys = try client.send("GET", "/auth/v1/.well-known/jwks.json").json?["keys"]?.array ?? []
            #expect(keys.count == 4)
            let signed = Tokens(
                try Self.post("/auth/v1/token?grant_type=password", Self.credentials, ["apikey": key], to: client))
            #expect(signed?.key != nil && signed?.key == keys.first?["kid"]?.string && signed?.key != first.key)
        }
        traffic.hasEnded.withLock { $0 = true }
        for thread in threads { _ = try Waiting.forValue("traffic goes on") { thread.isFinished ? true : nil } }
        #expect(traffic.faults.withLock { $0 } == [])
        #expect(traffic.count.withLock { $0 } > 200)
        print("\(traffic.count.withLock { $0 }) requests while keys were renewed three times")
        #expect(browser.withLock { $0 } != old["Cookie"], "the browser has a cookie of a newer secret")
        #expect(try one.key() != key, "apps that are set up now get the newest key")
        for client in services {
            #expect(try client.send("GET", "/rest/v1/documents", headers: wire).status == 200, "the older key counts")
        }
    }

    @Test("With --end-older everything ends that older keys have signed, within two seconds and in every process")
    func ending() throws {
        defer { remove() }
        let key = try one.key()
        let made = try one.client.send("POST", "/api/account", json: Self.credentials)
        let own = ["Cookie": Self.cookie(made), "Sec-Fetch-Site": "same-origin"]
        let tokens = try #require(
            Tokens(
                try Self.post("/auth/v1/token?grant_type=password", Self.credentials, ["apikey": key], to: one.client)))
        let wire = ["apikey": key, "Authorization": "Bearer \(tokens.access)"]
        for client in services {
            #expect(try client.send("GET", "/api/documents", headers: own).status == 200)
            #expect(try client.send("GET", "/rest/v1/documents", headers: wire).status == 200)
        }
        #expect(try rotate("--end-older").lines == ["secret.key: 1 count", "tokens.pem: 1 count"])
        usleep(2_000_000)
        for client in services {
            #expect(try client.send("GET", "/api/documents", headers: own).status == 401)
            #expect(try client.send("GET", "/rest/v1/documents", headers: wire).status == 401)
            #expect(
                try client.send("GET", "/api/documents", headers: ["Authorization": wire["Authorization"]!]).status
                    == 401)
            let body = #"{"refresh_token":"\#(tokens.refresh)"}"#
            #expect(
                try Self.post("/auth/v1/token?grant_type=refresh_token", body, ["apikey": try one.key()], to: client)
                    .status
                    == 400)
            #expect(
                try client.send("POST", "/api/session", json: Self.credentials).status == 200, "they sign in again")
        }
    }

    @Test(
        "Keys of earlier versions count on; damaged files are refused by the command, and change nothing in a running service"
    )
    func files() throws {
        defer { remove() }
        let made = try one.client.send("POST", "/api/account", json: Self.credentials)
        let own = ["Cookie": Self.cookie(made)]
        let folder = one.program.path("data")
        for name in ["secret.key", "tokens.pem"] {
            let path = "\(folder)/\(name)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            // As before there were several keys: without the line that says when a key was made.
            let plain = text.split(separator: "\n").filter { !$0.hasPrefix("made ") }.joined(separator: "\n") + "\n"
            try plain.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try rotate().status == 0)
            try "nonsense\n".write(toFile: path, atomically: true, encoding: .utf8)
            let refused = try rotate()
            #expect(refused.status == 3 && refused.standardError.contains("damaged"), "\(refused.standardError)")
            usleep(1_200_000)
            #expect(try one.client.send("GET", "/api/documents", headers: own).status == 200)
            #expect(try one.client.send("POST", "/api/session", json: Self.credentials).status == 200)
            try FileManager.default.removeItem(atPath: path)
            #expect(try one.client.send("GET", "/api/documents", headers: own).status == 200)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(one.lines(at: "error").contains { $0["message"]?.string?.contains("damaged") == true })
    }
}
