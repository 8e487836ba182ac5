import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("compass thumb beside a running service with warm renderers", .deadline)
struct WarmThumbTests {
    /// The service, which ends with its standard input.
    private final class Service {
        let process = Process()
        private let input = Pipe()
        private let errors: URL

        init(_ program: CompassProgram, _ environment: [String: String]) throws {
            process.executableURL = URL(fileURLWithPath: CompassProgram.built("warm-host"))
            var all = ["PATH": "/usr/bin:/bin", "HOME": program.scratch.path, "COMPASS_CACHE": program.path("cache")]
            all.merge(environment) { $1 }
            process.environment = all
            process.standardInput = input
            let output = Pipe()
            process.standardOutput = output
            errors = URL(fileURLWithPath: try program.write(Data(), "service.err"))
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            // The service prints its socket's path when it listens.
            _ = output.fileHandleForReading.availableData
        }

        var said: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

        func stop() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    private func environment(_ program: CompassProgram) -> [String: String] {
        ["COMPASS_WARM_SOCKET": program.path("run/warm")]
    }

    /// The programs that a traced call started, and the number of sockets that it made.
    private func trace(
        _ program: CompassProgram, _ arguments: [String]
    ) throws -> (starts: Int, sockets: Int, output: CompassProgram.Output) {
        let file = program.path("trace")
        let output = try CompassProgram.run(
            "/usr/bin/strace",
            ["-f", "-e", "trace=execve,socket", "-o", file, CompassProgram.executable] + arguments,
            environment: environment(program).merging([
                "COMPASS_CACHE": program.path("cache"), "HOME": program.scratch.path,
            ]) { $1 })
        let calls = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        return (
            calls.count { $0.contains("execve(") }, calls.count { $0.contains("socket(") }, output
        )
    }

    @Test("A cache miss is rendered by the service without starting a renderer, and a cache hit opens no socket")
    func missAndHit() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let service = try Service(program, environment(program))
        defer { service.stop() }
        let photo = Checkout.sample("orientation-1.jpg")
        let miss = try trace(program, ["thumb", "--explain", "--json", photo])
        #expect(miss.output.json.first?["warm"]?.bool == true, "\(miss.output.standardError)")
        #expect(miss.output.json[0]["explanation"]?["service"]?.string == "made by a running thumbd")
        #expect(miss.starts == 1 && miss.sockets == 1)
        let hit = try trace(program, ["thumb", photo])
        #expect(hit.starts == 1 && hit.sockets == 0)
        #expect(hit.output.lines == [miss.output.json[0]["renditions"]?.array?[0]["path"]?.string ?? ""])
    }

    @Test("The service makes the same facts, placeholders, renditions and failures of every sample")
    func same() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let service = try Service(program, environment(program))
        defer { service.stop() }
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.folder)/samples").sorted()
        let files = names.filter { $0.contains(".") }.map(Checkout.sample)
        let flags = ["thumb", "--json", "--preset", "list", "--preset", "preview"]
        let warm = try program.run(flags + files, environment: environment(program)).json
        let alone = try program.run(
            flags + ["--alone"] + files, environment: ["COMPASS_CACHE": program.path("other")]
        ).json
        #expect(warm.count == files.count && alone.count == files.count)
        for (first, second) in zip(warm, alone) {
            let name = first["source"]?.string ?? ""
            // A file that fails as a whole does not tell which of both found that out.
            #expect(first["warm"]?.bool == (first["facts"] != nil) && second["warm"]?.bool == false, "\(name)")
            for key in ["digest", "facts", "placeholder", "failure"] {
                #expect(first[key] == second[key], "\(name) \(key)")
            }
            let sizes = [first, second].map { $0["renditions"]?.array?.map { $0["byteCount"]?.int } }
            #expect(sizes[0] == sizes[1], "\(name)")
        }
    }

    @Test("With --alone, another limit or a killed service compass renders itself, and --explain says why")
    func alone() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let service = try Service(program, environment(program))
        let photo = Checkout.sample("orientation-1.jpg")
        func explained(_ flags: [String]) throws -> String {
            let output = try program.run(
                ["thumb", "--force", "--explain"] + flags + [photo], environment: environment(program))
            #expect(output.status == 0 && output.lines.count == 1)
            return output.standardError
        }
        // On a busy machine the service may answer too late, and is asked again by the next call.
        func expectWarm() throws {
            _ = try Waiting.forValue("not made by the service: \(service.said)") {
                try explained([]).contains("made by a running thumbd") ? true : nil
            }
        }
        try expectWarm()
        #expect(try explained(["--alone"]).contains("not asked"))
        #expect(try explained(["--timeout", "7"]).contains("other limits"))
        kill(service.process.processIdentifier, SIGKILL)
        service.process.waitUntilExit()
        #expect(try explained([]).contains("nothing listens"))
        let silent = try program.run(["thumb", "--force", photo], environment: environment(program))
        #expect(silent.standardError.isEmpty)
        // The socket that the killed service left does no harm.
        let next = try Service(program, environment(program))
        defer { next.stop() }
        try expectWarm()
    }

    @Test("The service is found in the run-time folder, else below the cache")
    func places() throws {
        for runtime in ["runtime", nil] {
            let program = try CompassProgram()
            defer { program.remove() }
            var environment: [String: String] = [:]
            if let runtime {
                try FileManager.default.createDirectory(
                    atPath: program.path(runtime), withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
                environment["XDG_RUNTIME_DIR"] = program.path(runtime)
            }
            let service = try Service(program, environment)
            defer { service.stop() }
            let photo = Checkout.sample("orientation-1.jpg")
            var said = ""
            _ = try Waiting.forValue("\(said) \(service.said)") {
                said = try program.run(["thumb", "--force", "--explain", photo], environment: environment).standardError
                return said.contains("made by a running thumbd") ? true : nil
            }
        }
    }
}
