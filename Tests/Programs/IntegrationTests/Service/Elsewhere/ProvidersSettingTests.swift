import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// The program itself with a list of providers. What providers may say, `OpenIDConnectTests` say.
@Suite("documentd --openid-providers", .serialized, .deadline)
struct ProvidersSettingTests {
    private let program: CompassProgram

    init() throws { program = try CompassProgram() }

    /// An entry of the list; nobody listens on port 1.
    private func entry(_ name: String, _ more: String = "") -> String {
        #"{"name":"\#(name)","label":"Label of \#(name)","issuer":"http://127.0.0.1:1","client_id":"a"\#(more)}"#
    }

    private func list(_ entries: String...) throws -> String {
        try program.write(Data(#"{"providers":[\#(entries.joined(separator: ","))]}"#.utf8), "providers")
    }

    @Test("Settings that make no sense are refused with what to do")
    func refusals() throws {
        defer { program.remove() }
        let own = ["--public-address", "https://documents.example.org"]
        let empty = try program.write(Data("\n".utf8), "empty")
        let cases: [(String, [String], Int32, String)] = [
            (entry("a"), [], 2, "--public-address"),
            (entry("a"), ["--public-address", "http://a.example"], 2, "https://"),
            (entry("a"), ["--public-address", "https://a.example/path"], 2, "https://"),
            (entry("a"), own + ["--redirect-addresses", "app://*"], 2, "--redirect-addresses"),
            ("{}", own, 2, "name"), (entry("a") + "," + entry("a"), own, 2, "same name"),
            (entry("a", #","client_secret_file":"\#(program.path("none"))""#), own, 3, "cannot be read"),
            (entry("a", #","client_secret_file":"\#(empty)""#), own, 2, "first line"),
        ]
        for (entries, arguments, status, words) in cases {
            let output = try CompassProgram.run(
                CompassProgram.built("documentd"),
                [
                    "--auth", "local", "--data", program.path("data"), "--cache", program.path("cache"), "--listen",
                    "127.0.0.1:0", "--openid-providers", try list(entries),
                ] + arguments, environment: [:])
            #expect(
                output.status == status && output.standardError.contains(words), "\(arguments): \(output.standardError)"
            )
        }
    }

    @Test("An app without a challenge is told at an address of the list, and one that names another address at once")
    func implicit() throws {
        let app = "jobmatchnow://auth/callback"
        let service = try DocumentdProgram(
            [
                "--auth", "local", "--worker", "no", "--public-address", "http://127.0.0.1:1", "--openid-providers",
                try list(entry("linkedin_oidc")), "--redirect-addresses", app,
            ], in: program)
        defer { service.remove() }
        func authorize(_ wish: String, _ more: String = "") throws -> ServiceClient.Answer {
            let address = ServiceClient.encoded(wish)
            return try service.client.send(
                "GET", "/auth/v1/authorize?provider=linkedin_oidc&redirect_to=\(address)\(more)")
        }
        let told = try authorize(app)
        #expect(told.status == 302 && told["cache-control"] == "no-store")
        #expect(
            told["location"]
                == "\(app)#error=server_error&error_code=unexpected_failure&error_description=The%20provider%20does%20not%20answer"
        )
        for wish in ["", "\(app)/", "evil://auth/callback", "http://127.0.0.1:1/"] {
            let refused = try authorize(wish)
            #expect(refused.status == 400 && refused.json?["error_code"]?.string == "validation_failed", "\(wish)")
        }
        let challenge = "&code_challenge=\(String(repeating: "A", count: 43))&code_challenge_method="
        #expect(try authorize(app, challenge + "s256")["location"]?.hasPrefix("\(app)?error=") == true)
        #expect(try authorize(app, challenge + "plain").status == 400)
        let other = try authorize("evil://auth/callback", challenge + "s256")
        #expect(other["location"]?.hasPrefix("http://127.0.0.1:1/?error=") == true)
    }

    @Test("A provider that is away keeps nobody from starting the service, and is named where somebody goes to it")
    func away() throws {
        let service = try DocumentdProgram(
            [
                "--auth", "local", "--worker", "no", "--public-address", "http://127.0.0.1:1", "--openid-providers",
                try list(entry("first"), entry("second")),
            ], in: program)
        defer { service.remove() }
        let client = service.client
        #expect(try client.send("GET", "/readyz").status == 200)
        let session = try client.send("GET", "/api/session")
        #expect(
            session.data?["providers"]?.array?.map { $0["label"]?.string } == ["Label of first", "Label of second"])
        let settings = try client.send("GET", "/auth/v1/settings").json?["external"]
        #expect(settings?["first"] == .bool(true) && settings?["email"] == .bool(true))
        for (name, status, code) in [("first", 503, "provider_away"), ("third", 404, "not_found")] {
            let answer = try client.send("POST", "/api/session/elsewhere", json: #"{"provider":"\#(name)"}"#)
            #expect(answer.status == status && answer.json?["code"]?.string == code, "\(answer.text)")
        }
        let challenge = String(repeating: "A", count: 43)
        let query = "code_challenge=\(challenge)&code_challenge_method=s256"
        let there = try client.send("GET", "/auth/v1/authorize?provider=second&\(query)")
        #expect(there.status == 302)
        #expect(
            there["location"]?.hasPrefix("http://127.0.0.1:1/?error=server_error&error_code=unexpected_failure") == true
        )
        let back = try client.send("GET", "/auth/v1/callback?state=\(String(repeating: "0", count: 64))&code=a")
        #expect(back.status == 302 && back["location"] == "/signin?fault=ended&provider=")
        #expect(back["cache-control"] == "no-store" && back["set-cookie"] == nil)
        let told = service.lines(at: "warning").filter { $0["fault"]?.string == "away" }
        #expect(Set(told.compactMap { $0["provider"]?.string }) == ["first", "second"])
        #expect(!service.text.contains("code=a"))
    }
}
