import Foundation
import Hashing
import JobQueue
import Media
import S3
import StoreSupport
import TestDeadline
import TestSupport
import Testing

@Suite("compass over sources on other machines", .serialized, .deadline)
struct RemoteSourceTests {
    /// `Tests/Faces/web/server.py` over a folder of its own, with a certificate that `CURL_CA_BUNDLE` vouches for.
    private final class WebServer {
        let folder = TemporaryFolder.make("web")
        let port: Int
        private let process = Process()

        init() throws {
            let (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
            let made = try CompassProgram.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                ])
            try #require(made.status == 0, "\(made.standardError)")
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = ["-B", "\(Checkout.folder)/Tests/Faces/web/server.py", folder, certificate, key]
            try process.run()
            let end = Date().addingTimeInterval(30)
            while !FileManager.default.fileExists(atPath: "\(folder)/port"), Date() < end { usleep(20_000) }
            port = Int(try String(contentsOfFile: "\(folder)/port", encoding: .utf8)) ?? 0
        }

        func add(_ sample: String) throws {
            try FileManager.default.copyItem(atPath: Checkout.sample(sample), toPath: "\(folder)/\(sample)")
        }

        func address(_ path: String) -> String { "https://localhost:\(port)/\(path)" }

        var environment: [String: String] { ["CURL_CA_BUNDLE": "\(folder)/certificate.pem"] }

        func remove() {
            // Other signals may be blocked in this process, and so in those that it has started.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// Requests and bytes since the last call.
        func count() throws -> (requests: Int, bytes: Int) {
            let text = try CompassProgram.run(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import ssl, urllib.request
                    context = ssl.create_default_context(cafile="\(folder)/certificate.pem")
                    print(urllib.request.urlopen("\(address("count"))", context=context).read().decode())
                    """,
                ]
            ).standardOutput
            let json = try JSON(parsing: Array(text.utf8))
            return (try #require(json["requests"]?.int), try #require(json["bytes"]?.int))
        }
    }

    private func trying(_ body: (CompassProgram, WebServer) throws -> Void) throws {
        let (compass, server) = (try CompassProgram(), try WebServer())
        defer {
            server.remove()
            compass.remove()
        }
        try body(compass, server)
    }

    private func thumb(
        _ compass: CompassProgram, _ server: WebServer, _ path: String, _ more: [String] = []
    ) throws -> CompassProgram.Output {
        try compass.run(
            ["thumb", "--allow-private-addresses", "--json", server.address(path)] + more,
            environment: server.environment)
    }

    @Test("The picture is that of the file, and is found again without its bytes")
    func picture() throws {
        try trying { compass, server in
            try server.add("h264.mp4")
            let near = try compass.run(["thumb", "--alone", "-o", "near.jpg", Checkout.sample("h264.mp4")])
            #expect(near.status == 0)
            let far = try compass.run(
                ["thumb", "--allow-private-addresses", "-o", "far.jpg", server.address("h264.mp4")],
                environment: server.environment)
            #expect(far.status == 0, "\(far.standardError)")
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: compass.path("far.jpg")))
                    == Data(contentsOf: URL(fileURLWithPath: compass.path("near.jpg"))))
            #expect(try thumb(compass, server, "h264.mp4").status == 0)
            _ = try server.count()
            #expect(try thumb(compass, server, "h264.mp4").json[0]["cached"] == .bool(true))
            #expect(try server.count().requests == 1, "its version alone is asked for")
        }
    }

    @Test("Of a long film a few parts are fetched, with its index at the end")
    func longFilm() throws {
        try trying { compass, server in
            // The samples of the film, 40 MB of nothing, and the index, whose offsets stay.
            var film = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("index-at-end.mp4")))
            let index = try #require(film.range(of: Data("moov".utf8))).lowerBound - 4
            let filler = Data([0x02, 0x62, 0x5A, 0x00]) + Data("free".utf8) + Data(count: 40_000_000 - 8)
            film.insert(contentsOf: filler, at: index)
            try film.write(to: URL(fileURLWithPath: "\(server.folder)/film.mp4"))
            let made = try thumb(compass, server, "film.mp4")
            #expect(made.status == 0, "\(made.standardError)")
            let count = try server.count()
            #expect(count.bytes < 1_000_000 && count.requests < 12, "\(count)")
        }
    }

    @Test(
        "A server that misbehaves gives a failure that says so, and never a picture",
        arguments: [
            ("changing", Failure.Code.unavailable, "changed"), ("shifted", .unavailable, "other bytes"),
            ("longer", .unavailable, "other bytes"), ("ended", .unavailable, "less than it announced"),
            ("broken", .unavailable, "less than it announced"),
            ("lying", .unavailable, "changed"), ("gone", .sourceMissing, "not found"),
            ("busy", .unavailable, "Try again later"), ("circle", .unavailable, "loop"),
            ("insecure", .unavailable, "without https"), ("endless", .tooLarge, "too large"),
            ("nothing", .sourceMissing, "not found"),
        ])
    func misbehaving(manner: String, code: Failure.Code, words: String) throws {
        try trying { compass, server in
            // Of several blocks, so that the first answer is not all.
            try server.add("large-12000x9000.jpg")
            let path = manner == "nothing" ? "nothing.jpg" : "\(manner)/large-12000x9000.jpg"
            let made = try thumb(compass, server, path)
            #expect(made.status != 0)
            let failure = try #require(made.json.first?["failure"])
            #expect(failure["code"] == .string(code.rawValue))
            #expect(failure["message"]?.string?.contains(words) == true, "\(failure.text)")
            // Nothing of it is kept: the next call gets the picture.
            let good = try thumb(compass, server, "large-12000x9000.jpg")
            #expect(good.status == 0, "\(good.standardError)")
        }
    }

    @Test("A server that is no worse than others is enough", arguments: ["whole", "untagged", "unnamed", "redirect"])
    func plain(manner: String) throws {
        try trying { compass, server in
            try server.add("large-12000x9000.jpg")
            let made = try thumb(compass, server, "\(manner)/large-12000x9000.jpg")
            #expect(made.status == 0, "\(made.standardError)")
            let again = try thumb(compass, server, "\(manner)/large-12000x9000.jpg")
            #expect(again.json.first?["cached"] == .bool(manner != "unnamed"))
        }
    }

    @Test("A file whose server names no version is that of one answer, or refused where it is too long for one")
    func unnamedVersions() throws {
        try trying { compass, server in
            // Two pictures of one length: bytes behind the end of a JPEG file are not looked at.
            let files = try ["large-12000x9000.jpg", "display-p3.jpg"].map {
                try Data(contentsOf: URL(fileURLWithPath: Checkout.sample($0)))
            }
            let longest = files.map(\.count).max()! + 1
            for (file, name) in zip(files, ["other", "first.jpg"]) {
                let padded = file + Data(count: longest - file.count)
                try padded.write(to: URL(fileURLWithPath: "\(server.folder)/\(name)"))
            }
            let near = try compass.run(["thumb", "--alone", "-o", "near.jpg", "\(server.folder)/other"])
            #expect(near.status == 0, "\(near.standardError)")
            _ = try server.count()
            let far = try compass.run(
                ["thumb", "--allow-private-addresses", "-o", "far.jpg", server.address("swapped/first.jpg")],
                environment: server.environment)
            #expect(far.status == 0, "\(far.standardError)")
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: compass.path("far.jpg")))
                    == Data(contentsOf: URL(fileURLWithPath: compass.path("near.jpg"))))
            #expect(try server.count().requests == 2)
            let path = "\(server.folder)/long.mp4"
            #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, 70_000_000) == 0)
            let long = try thumb(compass, server, "unnamed/long.mp4")
            #expect(long.json.first?["failure"]?["code"] == .string("tooLarge"))
            #expect(long.json.first?["failure"]?["message"]?.string?.contains("no version") == true)
        }
    }

    @Test("A server that goes silent is given up after its time")
    func silent() throws {
        try trying { compass, server in
            try server.add("large-12000x9000.jpg")
            let made = try thumb(compass, server, "stuck/large-12000x9000.jpg")
            #expect(made.json.first?["failure"]?["code"] == .string("timedOut"))
            #expect(made.json.first?["failure"]?["message"]?.string?.contains("slow") == true)
        }
    }

    @Test("Private networks are not asked unless that is allowed", arguments: ["localhost", "127.0.0.1", "[::1]"])
    func privateNetworks(host: String) throws {
        try trying { compass, server in
            try server.add("h264.mp4")
            let made = try compass.run(
                ["thumb", "https://\(host):\(server.port)/h264.mp4"],
                environment: server.environment.merging(["https_proxy": "http://127.0.0.1:1"]) { $1 })
            #expect(made.status == 2)
            #expect(made.standardError.contains("private network"))
            #expect(try server.count().requests == 0)
        }
    }

    @Test("Jobs name sources on other machines, which a thumbd makes pictures of where it is allowed to")
    func jobs() throws {
        try trying { compass, server in
            try server.add("h264.mp4")
            let store = try TestStore.shared.get()
            let picture = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg"))))
            let key = "remote-\(UUID().uuidString)/a.jpg"
            try store.client().put(picture, as: key)
            let settings = [
                "COMPASS_S3_ENDPOINT": store.address, "AWS_ACCESS_KEY_ID": TestStore.accessKey,
                "AWS_SECRET_ACCESS_KEY": TestStore.secretKey, "COMPASS_QUEUE": compass.path("queue/queue.sqlite"),
            ].merging(server.environment) { $1 }
            let (film, object) = (server.address("h264.mp4"), "s3://\(TestStore.bucket)/\(key)")
            func queued(_ addresses: String...) throws -> [JobID] {
                let output = try compass.run(
                    ["enqueue", "--json", "--preset", "grid"] + addresses, environment: settings)
                #expect(output.status == 0, "\(output.standardError)")
                return try output.json.map { JobID(rawValue: try #require($0["job"]?.integer)) }
            }

            let refusing = try ThumbdProgram(in: compass, environment: settings)
            defer { refusing.remove() }
            _ = try refusing.port()
            let refused = try refusing.waitFor(try queued(film)[0], toBe: .dead).lastFailure
            #expect(refused?.message.contains("remote-sources") == true, "\(refusing.text)")
            #expect(try refusing.end() == 0)

            let thumbd = try ThumbdProgram(
                ["--remote-sources", "yes", "--allow-private-addresses"], in: compass, environment: settings)
            defer { thumbd.remove() }
            _ = try thumbd.port()
            let ids = try queued(film, object, server.address("missing.mp4"), "\(object).missing")
            try #require(ids.count == 4)
            _ = try thumbd.waitFor(ids[0], toBe: .done)
            #expect(try thumbd.waitFor(ids[1], toBe: .done).digest == SHA256.digest(of: picture))
            for id in ids[2...] {
                #expect(try thumbd.waitFor(id, toBe: .dead).lastFailure?.code == .sourceMissing, "\(thumbd.text)")
            }
            // The pictures belong to the content, and are found for the same content elsewhere.
            for name in ["h264.mp4", "orientation-1.jpg"] {
                let hit = try compass.run(["thumb", "--alone", "--json", "--preset", "grid", Checkout.sample(name)])
                #expect(hit.json.first?["cached"]?.bool == true, "\(hit.standardOutput) \(hit.standardError)")
            }
            #expect(try thumbd.end() == 0)
        }
    }

    @Test("A certificate that nobody vouches for is refused")
    func untrusted() throws {
        try trying { compass, server in
            let made = try compass.run(["thumb", "--allow-private-addresses", server.address("h264.mp4")])
            #expect(made.status == 3 && made.standardError.contains("certificate"))
        }
    }

    @Test(
        "An invalid address is a usage error",
        arguments: ["https://", "https://[", "s3://bucket", "s3:///key"])
    func noAddress(text: String) throws {
        let compass = try CompassProgram()
        defer { compass.remove() }
        let made = try compass.run(
            ["thumb", text], environment: ["AWS_REGION": "x", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])
        #expect(made.status == 2, "\(made.standardError)")
    }
}
