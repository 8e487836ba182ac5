import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Names of files, whatever bytes they are", .deadline)
struct FileNameTests {
    /// Runs a shell's line in the scratch folder, with the program as `$compass` and a sample as `$photo`.
    private func shell(_ program: CompassProgram, _ line: String) throws -> CompassProgram.Output {
        try CompassProgram.run(
            "/bin/sh", ["-c", line],
            environment: [
                "compass": CompassProgram.executable, "photo": Checkout.sample("orientation-1.jpg"),
                "COMPASS_CACHE": program.path("cache"), "COMPASS_QUEUE": program.path("queue.sqlite"),
                "HOME": program.scratch.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            ], folder: program.scratch)
    }

    @Test("A name that is no UTF-8 opens its own file, not the one with U+FFFD in its place")
    func neighbours() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let latin = "$(printf 'caf\\351.jpg')"
        let neighbour = "$(printf 'caf\\357\\277\\275.jpg')"
        for command in ["thumb", "facts", "check --type transcript", "enqueue --no-hash"] {
            let missing = try shell(
                program,
                "cp \"$photo\" \"\(neighbour)\"; \"$compass\" queue migrate >/dev/null; \"$compass\" \(command) \"\(latin)\""
            )
            #expect(missing.status == 1, "\(command)")
            #expect(missing.standardOutput.isEmpty, "\(command)")
            #expect(missing.standardError.contains("$'caf\\xe9.jpg'"), "\(missing.standardError)")
        }
        let found = try shell(
            program,
            "rm *.jpg; cp \"$photo\" \"\(latin)\"; \"$compass\" thumb \"\(latin)\" --json -o '{stem}-thumb.{ext}'")
        let line = try #require(found.json.first)
        #expect(line["failure"] == .null)
        #expect(line["source"]?.string == "caf\u{FFFD}.jpg")
        #expect(line["sourceBytes"]?.string == "636166e92e6a7067")
        #expect(line["renditions"]?.array?[0]["pathBytes"]?.string == "636166e92d7468756d622e6a7067")
        #expect(try shell(program, "test -f \"$(printf 'caf\\351-thumb.jpg')\"").status == 0)
    }

    @Test("Names with every byte are opened, written and printed as they are")
    func everyByte() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let made = try shell(
            program,
            """
            mkdir in out
            perl -e 'open F, "<", $ENV{photo}; local $/; my $bytes = <F>; for (1..255) {
                next if $_ == 47; open O, ">", "in/x" . chr($_) . "y.jpg" or die; print O $bytes; close O }'
            find in -type f -print0 | LC_ALL=C sort -z > names
            xargs -0 "$compass" thumb --print0 -o 'out/{name}' < names > printed
            find out -type f -print0 | LC_ALL=C sort -z > written
            sed -z 's/^in/out/' names | cmp - written && cmp printed written && tr -cd '\\000' < written | wc -c
            """)
        #expect(made.standardOutput == "254\n", "\(made.standardError)")
    }

    @Test("sheet works over a folder of such names, and enqueue refuses names that are no UTF-8")
    func folders() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let sheet = try shell(
            program,
            """
            mkdir in && cp "$photo" "in/$(printf 'a\\nb.jpg')" && cp "$photo" "in/$(printf 'caf\\351.jpg')"
            "$compass" sheet in -o sheet.png
            """)
        #expect(sheet.status == 0, "\(sheet.standardError)")
        #expect(sheet.lines.contains { $0.hasPrefix("$'a\\nb.jpg'") && $0.contains("image/jpeg") })
        #expect(sheet.lines.contains { $0.hasPrefix("$'caf\\xe9.jpg'") && $0.contains("image/jpeg") })
        let queued = try shell(
            program, "\"$compass\" queue migrate >/dev/null; \"$compass\" enqueue in; \"$compass\" queue list")
        #expect(queued.standardError.contains("$'in/caf\\xe9.jpg': The path is not UTF-8"))
        #expect(queued.standardOutput.contains("/in/a\\nb.jpg'"), "the table's line is one")
    }

    @Test("A setting with a path that is no UTF-8 is refused", arguments: ["--cache", "COMPASS_CACHE"])
    func settings(name: String) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let value = "\"$(printf 'caf\\351')\""
        let line =
            name.hasPrefix("--")
            ? "\"$compass\" thumb \(name) \(value) \"$photo\"" : "\(name)=\(value) \"$compass\" thumb \"$photo\""
        let output = try shell(program, line)
        #expect(output.status == 2)
        #expect(output.standardError.contains("\(name) is not valid UTF-8"))
    }

    @Test(
        "No name steers a terminal or forges a line, on standard error or on a terminal",
        arguments: [
            "thumb", "facts", "text", "check --type transcript", "enqueue", "sheet -o x.png", "--strange-", "thumb --",
        ])
    func terminals(command: String) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let name = "$(printf 'x\\033]0;owned\\007\\ncompass: all is well\\302\\2331m.jpg')"
        let separator = command.hasPrefix("--") || command.hasSuffix("--") ? "" : " "
        let failing = try shell(
            program, "\"$compass\" queue migrate >/dev/null; \"$compass\" \(command)\(separator)\"\(name)\"")
        #expect(failing.status != 0)
        for forbidden in ["\u{1B}", "\u{7}", "\u{9B}"] { #expect(!failing.standardError.contains(forbidden)) }
        #expect(!failing.errorLines.contains { $0.hasPrefix("compass: all is well") }, "\(failing.standardError)")
    }

    @Test("On a terminal names are escaped; in a pipe they are as they are")
    func standardOutput() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let name = "$(printf 'x\\033]0;owned\\007.jpg')"
        let prepare = "cp \"$photo\" \"\(name)\""
        let piped = try shell(program, "\(prepare); \"$compass\" facts \"\(name)\"")
        #expect(piped.standardOutput.hasPrefix("x\u{1B}]0;owned\u{7}.jpg: image/jpeg"))
        _ = try shell(
            program,
            "printf '#!/bin/sh\\nexec \"$compass\" facts x*.jpg' > run; chmod +x run; exec script -qec ./run typescript > terminal"
        )
        let terminal = try String(contentsOfFile: program.path("terminal"), encoding: .utf8)
        #expect(terminal.contains("$'x\\x1b]0;owned\\x07.jpg': image/jpeg"), "\(terminal)")
        #expect(!terminal.contains("\u{1B}]0"))
    }

    @Test("--print0 ends each path with a zero byte, and does not go with --json")
    func print0() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let output = try shell(program, "\"$compass\" thumb --print0 --preset list --preset grid \"$photo\"")
        let paths = output.standardOutput.split(separator: "\0")
        #expect(paths.count == 2 && output.standardOutput.hasSuffix("\0"))
        for path in paths { #expect(FileManager.default.fileExists(atPath: String(path))) }
        #expect(try shell(program, "\"$compass\" thumb --print0 --json \"$photo\"").status == 2)
    }
}
