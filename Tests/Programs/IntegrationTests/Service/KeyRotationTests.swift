import Foundation
import Media
import PostgreSQLSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

/// New keys beside running services, in the middle of traffic.
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
            #expect(output.lines == ["secrets: \(number)", "token keys: \(number)"])
        }
        // Ten seconds after the last one both processes sign by the newest key.
        for client in services {
            _ = try Waiting.forValue("the newest key does not sign") { () -> String? in
                let keys = try client.send("GET", "/auth/v1/.well-known/jwks.json").json?["keys"]?.array ?? []
                let signed = Tokens(
                    try Self.post("/auth/v1/token?grant_type=password", Self.credentials, ["apikey": key], to: client))
                guard let name = signed?.key, name == keys.first?["kid"]?.string, keys.count == 4 else { return nil }
                return name == first.key ? nil : name
            }
        }
        _ = try Waiting.forValue("there is little traffic") { traffic.count.withLock { $0 } > 200 ? true : nil }
        traffic.hasEnded.withLock { $0 = true }
        for thread in threads { _ = try Waiting.forValue("traffic goes on") { thread.isFinished ? true : nil } }
        #expect(traffic.faults.withLock { $0 } == [])
        print("\(traffic.count.withLock { $0 }) requests while keys were renewed three times")
        #expect(browser.withLock { $0 } != old["Cookie"], "the browser has a cookie of a newer secret")
        #expect(try one.key() != key, "apps that are set up now get the newest key")
        for client in services {
            #expect(try client.send("GET", "/rest/v1/documents", headers: wire).status == 200, "the older key counts")
        }
    }

    @Test("With --end-older everything ends that older keys have signed, in every process")
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
        #expect(try rotate("--end-older").lines == ["secrets: 1", "token keys: 1"])
        for client in services {
            for (path, headers) in [
                ("/api/documents", own), ("/rest/v1/documents", wire),
                ("/api/documents", ["Authorization": wire["Authorization"]!]),
            ] {
                _ = try Waiting.forValue("\(path) is answered still") {
                    try client.send("GET", path, headers: headers).status == 401 ? true : nil
                }
            }
            let body = #"{"refresh_token":"\#(tokens.refresh)"}"#
            #expect(
                try Self.post("/auth/v1/token?grant_type=refresh_token", body, ["apikey": try one.key()], to: client)
                    .status
                    == 400)
            #expect(
                try client.send("POST", "/api/session", json: Self.credentials).status == 200, "they sign in again")
        }
    }

    @Test("A service without its secret says so, and can make new keys; a damaged file is none")
    func secret() throws {
        defer { remove() }
        let made = try one.client.send("POST", "/api/account", json: Self.credentials)
        let own = ["Cookie": Self.cookie(made), "Sec-Fetch-Site": "same-origin"]
        #expect(try two.end() == 0)
        let path = one.program.path("data") + "/secret.key"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        func start() throws -> String {
            do {
                let again = try DocumentdProgram(Self.flags, in: one.program)
                #expect(try again.client.send("POST", "/api/session", json: Self.credentials).status == 200)
                #expect(try again.end() == 0)
                return "serves"
            } catch let error as Failure {
                return error.detail
            }
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (content, words) in [
            (String(repeating: "a", count: 64), "sealed with another secret"), ("nonsense\n", "is damaged"),
            (nil, "is missing"),
        ] {
            if let content {
                try content.write(toFile: path, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            #expect(try start().contains(words))
            let refused = try rotate()
            #expect(refused.status == 3 && refused.standardError.contains(words), "\(refused.standardError)")
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try start() == "serves")
        try FileManager.default.removeItem(atPath: path)
        #expect(try rotate("--end-older").status == 3, "the secret may be somewhere else")
        #expect(try one.client.send("GET", "/api/documents", headers: own).status == 200)
        #expect(try rotate("--end-older", "--new-secret").status == 0)
        #expect(try start() == "serves")
        // What the service that has run on knows is not valid any more.
        _ = try Waiting.forValue("the old cookie counts") {
            try one.client.send("GET", "/api/documents", headers: own).status == 401 ? true : nil
        }
        #expect(one.lines(at: "error").contains { $0["reason"]?.string?.contains("another secret") == true })
        _ = try Waiting.forValue("it is ready") {
            try one.client.send("GET", "/readyz").status == 503 ? true : nil
        }
    }

    @Test("A restore brings back no key that was ended since the backup")
    func restored() throws {
        defer { remove() }
        let made = try one.client.send("POST", "/api/account", json: Self.credentials)
        let own = ["Cookie": Self.cookie(made), "Sec-Fetch-Site": "same-origin"]
        func run(_ command: String) throws -> CompassProgram.Output {
            try CompassProgram.run(
                CompassProgram.built("documentd"),
                [command, "--data", one.program.path("data"), one.program.path("backup")], environment: [:])
        }
        #expect(try run("backup").status == 0)
        #expect(try rotate("--end-older").status == 0)
        #expect(try one.end() == 0 && two.end() == 0)
        let output = try run("restore")
        #expect(output.status == 0, "\(output.standardError)")
        let again = try DocumentdProgram(Self.flags, in: one.program)
        defer { again.stop() }
        #expect(try again.client.send("GET", "/api/documents", headers: own).status == 401)
        #expect(try again.client.send("POST", "/api/session", json: Self.credentials).status == 200)
    }

    @Test("Of three hosts that share a database and the files alone, each knows what another one has signed")
    func hosts() throws {
        defer { remove() }
        let scratch = try ScratchDatabase()
        let store = one.program.path("shared")
        let shared = ["--database", scratch.server.url(of: scratch.name), "--store", store]
        let environment = ["COMPASS_SECRET": String(repeating: "5eed", count: 16)]
        let hosts = try (0..<3).map { _ in try DocumentdProgram(Self.flags + shared, environment: environment) }
        defer { for host in hosts { host.remove() } }
        let clients = hosts.map(\.client)
        let made = try clients[0].send("POST", "/api/account", json: Self.credentials)
        let person = try #require(made.data?["account"]?["id"]?.string)
        let cookie = ["Cookie": Self.cookie(made), "Sec-Fetch-Site": "same-origin"]
        func run(_ command: String, on host: Int) throws -> CompassProgram.Output {
            try CompassProgram.run(
                CompassProgram.built("documentd"), [command, "--data", hosts[host].program.path("data")] + shared,
                environment: environment)
        }
        let key = try #require(try run("keys", on: 1).lines.first)
        let tokens = try #require(
            Tokens(
                try Self.post("/auth/v1/token?grant_type=password", Self.credentials, ["apikey": key], to: clients[1])))
        let wire = ["apikey": key, "Authorization": "Bearer \(tokens.access)"]
        let path = "documents/\(person)/transcript/1_a.txt"
        let stored = try clients[1].send(
            "POST", "/storage/v1/object/\(path)", headers: wire.merging(["Content-Type": "text/plain"]) { $1 },
            body: Array("Text.\n".utf8))
        #expect(stored.status == 200, "\(stored.text)")
        let signed = try Self.post("/storage/v1/object/sign/\(path)", #"{"expiresIn":600}"#, wire, to: clients[1])
        let address = "/storage/v1" + (try #require(signed.json?["signedURL"]?.string))
        func everybodyIsKnown() throws {
            for client in clients {
                #expect(try client.send("GET", address).text == "Text.\n")
                for (address, headers) in [("/api/documents", cookie), ("/rest/v1/documents", wire)] {
                    let answer = try client.send("GET", address, headers: headers)
                    #expect(answer.status == 200, "\(address): \(answer.text)")
                }
            }
        }
        try everybodyIsKnown()
        let output = try run("rotate-keys", on: 2)
        #expect(output.lines == ["secrets: 2", "token keys: 2"], "\(output.standardError)")
        // Until the new key signs everywhere, and after that.
        _ = try Waiting.forValue("the new key does not sign") { () -> Bool? in
            try everybodyIsKnown()
            let names = try clients.map { client -> String? in
                let answer = try Self.post(
                    "/auth/v1/token?grant_type=password", Self.credentials, ["apikey": key], to: client)
                guard let tokens = Tokens(answer) else { return nil }
                // A person has so many sessions at most: each new one would end one of those that are to last.
                let own = ["apikey": key, "Authorization": "Bearer \(tokens.access)"]
                #expect(try Self.post("/auth/v1/logout?scope=local", "", own, to: client).status == 204)
                return tokens.key
            }
            return Set(names).count == 1 && names[0] != tokens.key ? true : nil
        }
        try everybodyIsKnown()
        // A host with another secret does not serve.
        #expect(throws: Failure.self) {
            let other = ["COMPASS_SECRET": String(repeating: "0", count: 64)]
            _ = try DocumentdProgram(Self.flags + shared, environment: other)
        }
    }
}
