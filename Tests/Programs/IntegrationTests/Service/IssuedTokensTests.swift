import Foundation
import HTTPServing
import HTTPSyntax
import Hummingbird
import Logging
import Media
import StoreSupport
import TestDeadline
import TestSupport
import Testing
import TokenMaking

/// The program itself, with keys from files and addresses. What tokens are refused, `TokensTests` and the matrix say.
@Suite("documentd --auth tokens", .serialized, .deadline)
struct IssuedTokensTests {
    private let issuer = Issuer()
    private let program: CompassProgram

    init() throws { program = try CompassProgram() }

    private var second: Int64 { Int64(Date().timeIntervalSince1970) }

    private func claims(_ person: String = Issuer.person) -> JSON {
        Issuer.claims([JSON.Member("sub", .string(person)), JSON.Member("exp", .integer(second + 3600))])
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String { try program.write(Data(bytes), name) }

    /// Publishes keys on a port of this machine.
    private func publish(port: Int = 0) async throws -> HTTPService {
        let router = Router(context: BasicServingContext.self)
        let set = Issuer.set(issuer.publicKey())
        router.get("/jwks.json") { _, _ in ByteBuffer(bytes: set) }
        return try await HTTPService.start(
            router, ServingParts(metrics: HTTPMetrics(prefix: "issuer")), host: "127.0.0.1", port: port,
            name: "issuer", logger: Logger(label: "issuer") { _ in SwiftLogNoOpLogHandler() })
    }

    private func start(_ arguments: String...) throws -> DocumentdProgram {
        try DocumentdProgram(["--auth", "tokens", "--worker", "no"] + arguments, in: program)
    }

    @Test("By a secret in a file people of Supabase use both faces, each with their own things; nobody signs in here")
    func secret() async throws {
        let path = try write(issuer.secret + Array("\n".utf8), "secret")
        let service = try start("--token-secret-file", path)
        defer { service.remove() }
        let token = try await issuer.token(Issuer.header("HS256", kid: nil), claims(), secret: issuer.secret)
        let other = try await issuer.token(
            Issuer.header("HS256"), claims("auth0|5f7c8ec7c33c6c004bbafe82"), secret: issuer.secret)
        let own = ["Authorization": "Bearer \(token)"]
        let client = service.client
        let stored = try client.send(
            "POST", "/api/documents?type=transcript&file_name=a.txt&title=T", headers: own, body: Array("Text.\n".utf8))
        #expect(stored.status == 201, "\(stored.text)")
        // The second list is answered on the event loop.
        for _ in 0..<2 {
            let list = try client.send("GET", "/api/documents", headers: own)
            #expect(list.data?["documents"]?.array?.count == 1)
            let others = try client.send("GET", "/api/documents", headers: ["Authorization": "Bearer \(other)"])
            #expect(others.data?["documents"]?.array == [])
        }
        let key = try service.key()
        let rows = try client.send(
            "GET", "/rest/v1/documents?select=user_id", headers: own.merging(["apikey": key]) { $1 })
        #expect(rows.json?.array?.first?["user_id"]?.string == Issuer.person)
        let list = try client.send(
            "POST", "/storage/v1/object/list/documents",
            headers: own.merging(["apikey": key, "Content-Type": "application/json"]) { $1 },
            body: Array(#"{"prefix":"\#(Issuer.person)/transcript"}"#.utf8))
        #expect(list.json?.array?.count == 1, "\(list.text)")

        // Supabase's service key, by the same secret: neither a person nor the operator of this service.
        let serviceKey = JSON.object([
            "iss": .string("supabase"), "role": .string("service_role"), "iat": .integer(second),
            "exp": .integer(second + 3600),
        ])
        let power = try await issuer.token(.object(["alg": .string("HS256")]), serviceKey, secret: issuer.secret)
        #expect(try client.send("GET", "/api/documents", headers: ["Authorization": "Bearer \(power)"]).status == 401)
        for key in [key, power] {
            let headers = ["apikey": key, "Authorization": "Bearer \(power)"]
            #expect(try client.send("GET", "/rest/v1/documents", headers: headers).status == 401)
        }

        let session = try client.send("GET", "/api/session", headers: own)
        #expect(session.data?["auth"]?.string == "tokens" && session.data?["account"] == .null)
        let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#
        for path in ["/api/session", "/api/account"] {
            let answer = try client.send("POST", path, json: credentials)
            #expect(answer.status == 404 && answer["set-cookie"] == nil)
        }
        #expect(try client.send("POST", "/auth/v1/token?grant_type=password", json: credentials).status == 404)
        #expect(try client.send("GET", "/auth/v1/.well-known/jwks.json").status == 404)
        #expect(try client.send("GET", "/api/documents", headers: ["Cookie": "compass-session=\(token)"]).status == 401)
        #expect(
            try client.send("GET", "/api/documents", headers: ["Authorization": "Bearer \(token), Bearer \(token)"])
                .status == 401)
        let twice =
            "GET /api/documents HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n"
            + "Authorization: Bearer \(token)\r\nAuthorization: Bearer \(other)\r\n\r\n"
        #expect(try client.exchange(Array(twice.utf8))?.status == 401)
        #expect(!service.text.contains(token.suffix(20)), "a token is in the log")
    }

    @Test(
        "An issuer out of reach at the start is told at /readyz, and asked until it answers; meanwhile nobody is refused for good"
    )
    func late() async throws {
        let first = try await publish()
        let port = first.port
        await first.stop(within: .seconds(1))
        let service = try start(
            "--token-keys", "http://127.0.0.1:\(port)/jwks.json", "--token-issuer", Issuer.name)
        defer { service.remove() }
        let own = ["Authorization": "Bearer \(try await issuer.token(Issuer.header(), claims()))"]
        let ready = try service.client.send("GET", "/readyz")
        #expect(ready.status == 503 && ready.text == "token keys: not fetched yet\n")
        let early = try service.client.send("GET", "/api/documents", headers: own)
        #expect(early.status == 503 && early["retry-after"] != nil)
        let rows = try service.client.send(
            "GET", "/rest/v1/documents", headers: own.merging(["apikey": try service.key()]) { $1 })
        #expect(rows.status == 503, "\(rows.text)")
        #expect(service.lines(at: "warning").contains { $0["message"]?.string?.contains("token keys") == true })

        let second = try await publish(port: port)
        _ = try Waiting.forValue("the keys do not come: \(service.text)") {
            try service.client.send("GET", "/readyz").status == 200 ? true : nil
        }
        #expect(try service.client.send("GET", "/api/documents", headers: own).status == 200)
        // An issuer that is away later changes nothing.
        await second.stop(within: .seconds(1))
        let other = try await issuer.token(Issuer.header(), claims("ada"))
        let answer = try service.client.send("GET", "/api/documents", headers: ["Authorization": "Bearer \(other)"])
        #expect(answer.status == 200)
    }

    @Test("Redirections, endless answers and silence are no keys", arguments: ["elsewhere", "endless", "silent"])
    func refused(path: String) throws {
        // With threads of its own, whatever other tests do meanwhile.
        let publisher = FaultProxy { _ in
            switch path {
            case "elsewhere": .answer("HTTP/1.1 303 See Other\r\nLocation: /jwks.json\r\nContent-Length: 0\r\n\r\n")
            case "endless": .answer("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 1 << 20))
            default: .delay(milliseconds: 60_000)
            }
        }
        let began = Date()
        let service = try start(
            "--token-keys", "\(publisher.address)/\(path)", "--token-issuer", Issuer.name)
        defer { service.remove() }
        #expect(Date().timeIntervalSince(began) < 20)
        #expect(try service.client.send("GET", "/readyz").status == 503)
        let words = ["elsewhere": "30", "endless": "256 KiB", "silent": "ten seconds"][path]!
        let told = service.lines(at: "warning").compactMap { $0["reason"]?.string }
        #expect(told.contains { $0.contains(words) }, "\(service.text)")
    }

    @Test("Settings that make no sense are refused with what to do")
    func settings() throws {
        let keys = try write(Issuer.set(issuer.publicKey()), "keys")
        let pem = try write(Array(issuer.publicPEM.utf8), "pem")
        let short = try write(Array("short".utf8), "short")
        let cases: [([String], Int32, String)] = [
            ([], 2, "--token-secret-file or --token-keys"), (["--token-keys", keys], 2, "--token-issuer"),
            (["--token-secret-file", pem], 2, "--token-keys"), (["--token-secret-file", keys], 2, "--token-keys"),
            (["--token-secret-file", short], 2, "32 bytes"),
            (["--token-secret-file", program.path("none")], 3, "cannot be read"),
            (["--token-keys", program.path("none"), "--token-issuer", "a"], 3, "cannot be used"),
            (["--token-keys", short, "--token-issuer", "a"], 3, "cannot be used"),
            (["--token-keys", "ftp://example.org/a", "--token-issuer", "a"], 2, "https://"),
            (["--token-keys", "https://a:b@example.org/a", "--token-issuer", "a"], 2, "https://"),
            (["--token-keys", "https:///a", "--token-issuer", "a"], 2, "https://"),
        ]
        for (arguments, status, words) in cases {
            let output = try CompassProgram.run(
                CompassProgram.built("documentd"),
                [
                    "--auth", "tokens", "--data", program.path("data"), "--cache", program.path("cache"), "--listen",
                    "127.0.0.1:0",
                ] + arguments, environment: [:])
            #expect(
                output.status == status && output.standardError.contains(words), "\(arguments): \(output.standardError)"
            )
        }
        program.remove()
    }

    @Test("A file of keys is read again when a token names a key that it did not have")
    func file() async throws {
        let keys = try write(Issuer.set(Issuer().publicKey(kid: "old")), "keys")
        let service = try start("--token-keys", keys, "--token-issuer", Issuer.name)
        defer { service.remove() }
        let own = ["Authorization": "Bearer \(try await issuer.token(Issuer.header(), claims()))"]
        func status() throws -> Int { try service.client.send("GET", "/api/documents", headers: own).status }
        #expect(try status() == 401)
        _ = try write(Issuer.set(issuer.publicKey()), "keys")
        _ = try Waiting.forValue("the new key is not known") { try status() == 200 ? true : nil }
        // Known without waiting, and yet forgotten with its key.
        _ = try write(Issuer.set(Issuer().publicKey()), "keys")
        _ = try Waiting.forValue("the old key is known still") { try status() == 401 ? true : nil }
    }
}
