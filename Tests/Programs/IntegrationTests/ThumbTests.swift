import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("compass thumb, as a person uses it", .deadline)
struct ThumbTests {
    @Test("The path of the rendition is printed; the second time no renderer runs and the source is not read")
    func cached() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let photo = Checkout.sample("orientation-1.jpg")
        let first = try program.run(["thumb", photo])
        #expect(first.status == 0)
        let path = try #require(first.lines.first)
        #expect(FileManager.default.fileExists(atPath: path))
        let trace = program.path("trace")
        let second = try CompassProgram.run(
            "/usr/bin/strace",
            [
                "-f", "-y", "-e", "trace=execve,read,pread64,mmap", "-o", trace, CompassProgram.executable, "thumb",
                photo,
            ],
            environment: ["COMPASS_CACHE": program.path("cache"), "HOME": program.scratch.path])
        #expect(second.lines == [path])
        let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        #expect(calls.filter { $0.contains("execve(") }.count == 1)
        #expect(!calls.contains { $0.contains("orientation-1.jpg") && !$0.contains("execve(") })
    }

    @Test("--json prints one line with all facts for each file")
    func json() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let files = ["orientation-1.jpg", "pages-24.pdf", "stats.csv"].map(Checkout.sample)
        let output = try program.run(["thumb", "--json", "--preset", "list", "--preset", "grid"] + files + ["missing"])
        #expect(output.status == 1)
        let lines = output.json
        #expect(lines.count == 4)
        #expect(lines.map { $0["source"]?.string } == files + ["missing"])
        #expect(lines[0]["renditions"]?.array?.map { $0["recipe"]?.string } == ["list", "grid"])
        #expect(lines[0]["renditions"]?.array?[0]["width"]?.int == 240)
        #expect(lines[0]["digest"]?.string?.count == 64)
        #expect(lines[0]["placeholder"]?.string?.isEmpty == false)
        #expect(lines[1]["facts"]?["pageCount"]?.int == 24)
        #expect(lines[2]["facts"]?["kind"]?.string == "other")
        #expect(lines[3]["failure"]?["code"]?.string == "sourceMissing")
        #expect(output.standardError.isEmpty, "failures are in the lines")
    }

    @Test("thumb - -o - reads standard input and writes standard output")
    func pipes() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let photo = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg")))
        let output = try program.run(["thumb", "-", "-o", "-", "--size", "64", "--format", "png"], input: photo)
        #expect(output.status == 0)
        #expect(output.bytes.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        let tooMuch = try program.run(
            ["thumb", "-", "-o", "-"], input: photo, environment: ["COMPASS_MAX_INPUT": "1k"])
        #expect(tooMuch.status == 1)
        #expect(tooMuch.standardError.contains("max-input"))
    }

    @Test("A pattern names the files, with the extension of the format")
    func patterns() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let files = ["orientation-1.jpg", "alpha.png"].map(Checkout.sample)
        let output = try program.run(
            ["thumb"] + files + [
                "--preset", "list", "--preset", "grid", "-o", program.path("{index}-{stem}-{recipe}.{ext}"),
            ])
        #expect(output.status == 0, "\(output.standardError)")
        for name in ["1-orientation-1-list.jpg", "1-orientation-1-grid.jpg", "2-alpha-list.png", "2-alpha-grid.png"] {
            #expect(FileManager.default.fileExists(atPath: program.path(name)), "\(name)")
        }
    }

    @Test("The extension of -o chooses the format")
    func formats() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let beginnings = ["a.jpg": [0xFF, 0xD8], "a.png": [0x89, 0x50], "a.webp": [0x52, 0x49]] as [String: [UInt8]]
        for (name, beginning) in beginnings {
            let path = program.path(name)
            #expect(try program.run(["thumb", Checkout.sample("orientation-1.jpg"), "-o", path]).status == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(2) == Data(beginning))
        }
    }

    @Test("Twenty processes that want one rendition render it once")
    func singleFlight() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let photo = Checkout.sample("orientation-1.jpg")
        let threads = 20
        let command = "seq \(threads) | xargs -P \(threads) -I'<number>' \"$1\" thumb --json \"$2\""
        let output = try CompassProgram.run(
            "/bin/sh", ["-c", command, "sh", CompassProgram.executable, photo],
            environment: [
                "COMPASS_CACHE": program.path("cache"), "HOME": program.scratch.path, "PATH": "/usr/bin:/bin",
            ])
        #expect(output.json.count == threads)
        #expect(output.json.filter { $0["timings"]?["render"] != nil }.count == 1)
        #expect(output.json.allSatisfy { $0["failure"] == .null })
    }

    @Test(
        "A call that is read without ArgumentParser has the same outcome as with it",
        arguments: [
            ["--size", "300"], ["--size", "x90", "--alone"], ["--preset", "list", "--preset", "grid"], ["--force"],
            ["--no-cache", "-o", "out.webp"], ["--output", "out.png", "--size", "40x40"], ["--size", "0"], ["--size"],
            ["--size", "90", "--format", "jpg", "--quality", "40"], ["--size", "50x20", "--fit", "cover", "--enlarge"],
            ["--page", "1", "--at", "10%", "--no-icon"], ["--format", "PNG", "--background", "black", "--jobs", "1"],
            ["--quality", "0"], ["--quality", "ten"], ["--page", "0"], ["--fit", "cover"], ["--format", "gif"],
            ["--format", "png", "--format", "webp"], ["--quality=30"], ["--background", "-1"], ["--jobs", "none"],
            ["--preset", "list", "--size", "9"], ["--no-cache"], ["--preset", "huge"], ["-o", "a.png", "-o", "b.png"],
            ["--timeout", "9", "--memory", "512M"], ["--timeout", "soon"], ["--cache-budget", "1G", "--digest"],
            ["--max-pixels", "100"], ["--require-sandbox"], ["--control-group", "--json"], ["--print0"],
        ])
    func bothReaders(flags: [String]) throws {
        let (read, parsed) = (try CompassProgram(), try CompassProgram())
        defer {
            read.remove()
            parsed.remove()
        }
        func outcome(_ program: CompassProgram, _ words: [String]) throws -> [String] {
            let output = try program.run(["thumb", "--json"] + words + [Checkout.sample("alpha.png")])
            let renditions = (output.json.first?["renditions"]?.array ?? []).map { rendition in
                let fields = ["recipe", "format", "width", "height", "byteCount"].map { "\(rendition[$0] as Any)" }
                let name = rendition["path"]?.string?.split(separator: "/").last ?? ""
                return fields.joined(separator: " ") + " \(name)"
            }
            return ["\(output.status)", output.standardError] + renditions
        }
        // A flag with an equals sign goes to ArgumentParser; this one changes nothing.
        #expect(try outcome(read, flags) == outcome(parsed, ["--max-streams=64"] + flags))
    }

    @Test("A failure that belongs to the content is kept, and found again without decoding")
    func failuresAreKept() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = Checkout.sample("password.pdf")
        let first = try program.run(["thumb", "--json", file])
        #expect(first.json.first?["failure"]?["code"]?.string == "encrypted")
        #expect(first.json.first?["timings"]?["render"] != nil || first.json.first?["timings"]?["sniff"] != nil)
        let second = try program.run(["thumb", "--json", file])
        #expect(second.json.first?["failure"]?["code"]?.string == "encrypted")
        #expect(second.json.first?["timings"]?["sniff"] == nil)
    }

    @Test("--no-icon fails where there is no preview; without it the icon is drawn")
    func icons() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let refused = try program.run(["thumb", "--no-icon", Checkout.sample("stats.csv")])
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("Preview unavailable for this file type"))
        #expect(try program.run(["thumb", Checkout.sample("stats.csv")]).status == 0)
    }

    @Test("compass loads no library at its start, and holds nothing that opens media")
    func linkedLibraries() throws {
        let libraries = try CompassProgram.run("/usr/bin/ldd", [CompassProgram.executable])
        #expect((libraries.standardOutput + libraries.standardError).contains("not a dynamic executable"))
        let symbols = try CompassProgram.run(
            "/usr/bin/env", ["readelf", "--symbols", "--wide", CompassProgram.executable])
        let names = Set(symbols.lines.compactMap { $0.split(separator: " ").last.map(String.init) })
        #expect(names.isSuperset(of: ["tjCompress2", "WebPEncode", "deflate"]))
        let openers: Set<String> = [
            "vips_init", "poppler_document_new_from_fd", "avformat_open_input", "magic_open",
            "inflate", "WebPDecode", "sqlite3_open_v2",
        ]
        #expect(names.intersection(openers) == [])
    }
}

@Suite("The other commands", .deadline)
struct OtherCommandTests {
    @Test("check applies the document type's rule to the content")
    func check() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let good = try program.run(["check", Checkout.sample("page-1.pdf"), "--type", "resume"])
        #expect(good.status == 0)
        #expect(good.standardOutput.contains("Resume"))
        let bad = try program.run(["check", Checkout.sample("html-named.pdf"), "--type", "resume", "--json"])
        #expect(bad.status == 1)
        #expect(bad.json.first?["allowed"]?.bool == false)
        #expect(
            bad.json.first?["failure"]?["message"]?.string == "Invalid file type. Resume requires .pdf, .doc, .docx.")
    }

    @Test("facts prints what is known, and finds it in the cache again")
    func facts() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let first = try program.run(["facts", "--json", Checkout.sample("pages-24.pdf")])
        #expect(first.json.first?["facts"]?["pageCount"]?.int == 24)
        #expect(first.json.first?["cached"]?.bool == false)
        let second = try program.run(["facts", "--json", Checkout.sample("pages-24.pdf")])
        #expect(second.json.first?["facts"] == first.json.first?["facts"])
        #expect(second.json.first?["cached"]?.bool == true)
    }

    @Test("cache stats, verify, gc and purge count, check, evict and forget")
    func cache() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let made = try program.run(["thumb", "--json", Checkout.sample("orientation-1.jpg")])
        let line = try #require(made.json.first)
        let path = try #require(line["renditions"]?.array?.first?["path"]?.string)
        #expect(try program.run(["cache", "stats", "--json"]).json.first?["renditions"]?.int == 1)
        #expect(try program.run(["cache", "verify"]).status == 0)
        // A flipped byte is found, counts as a miss, and the rendition is made again.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let verified = try program.run(["cache", "verify"])
        #expect(verified.status == 1)
        #expect(verified.standardOutput.contains("checksum"))
        #expect(try program.run(["thumb", Checkout.sample("orientation-1.jpg")]).lines == [path])
        #expect(try program.run(["cache", "verify"]).status == 0)
        let collected = try program.run(["cache", "gc", "--cache-budget", "1"])
        #expect(collected.standardOutput.contains("removed: 1 renditions"))
        let digest = try #require(line["digest"]?.string)
        #expect(try program.run(["cache", "purge", digest]).status == 1)
        try program.run(["thumb", Checkout.sample("orientation-1.jpg")])
        #expect(try program.run(["cache", "purge", digest]).status == 0)
    }

    @Test("doctor finds no problem")
    func doctor() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let output = try program.run(["doctor"])
        #expect(output.status == 0, "\(output.standardOutput)")
        #expect(output.standardOutput.contains("libvips"))
    }

    @Test("doctor names the system, and warns of none that the programs are tested on")
    func system() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let release = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        let isSupported = ["VERSION_ID=\"12\"", "VERSION_ID=\"13\""].contains(where: release.contains)
        let check = try #require(try program.run(["doctor", "--json"]).json.first)
        #expect(check["check"]?.string == "system")
        #expect(release.contains("PRETTY_NAME=\"\(check["found"]?.string ?? "")\""))
        #expect((check["warning"]?.string == nil) == isSupported)
    }

    @Test("config prints the origin of each value")
    func config() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(Data("jobs = 3\n".utf8), "config")
        let environment = ["COMPASS_CONFIG": file, "COMPASS_MEMORY": "1G"]
        let output = try program.run(["config", "--timeout", "7", "--json"], environment: environment)
        let settings = try #require(output.json.first)
        #expect(settings["timeout"]?["origin"]?.string == "flag")
        #expect(settings["memory"]?["origin"]?.string == "COMPASS_MEMORY")
        #expect(settings["jobs"]?["origin"]?.string == file)
        #expect(settings["max-pixels"]?["origin"]?.string == "default")
    }

    @Test("--help has examples, --version has the libraries' versions")
    func helpAndVersion() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        #expect(try program.run(["--help"]).standardOutput.contains("compass thumb talk.mp4"))
        #expect(try program.run(["thumb", "--help"]).standardOutput.contains("Examples"))
        let version = try program.run(["--version"])
        for library in ["libvips", "poppler", "libmagic"] { #expect(version.standardOutput.contains(library)) }
    }

    @Test("Every flag stands in the manual")
    func manual() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let manual = try String(contentsOfFile: "\(Checkout.folder)/packaging/compass.1", encoding: .utf8)
            .replacingOccurrences(of: "\\-", with: "-")
        for command in [
            "thumb", "facts", "text", "check", "sheet", "cache gc", "cache verify", "cache stats", "doctor", "config",
            "enqueue", "backfill", "queue status", "queue list", "queue show", "queue requeue", "queue cancel",
            "queue pause", "queue resume", "queue prune", "queue migrate",
        ] {
            let help = try program.run(command.split(separator: " ").map(String.init) + ["--help"]).standardOutput
            for word in help.split(whereSeparator: { " [],|\n/".contains($0) }) where word.hasPrefix("--") {
                #expect(manual.contains(word), "\(command) \(word)")
            }
        }
    }
}
