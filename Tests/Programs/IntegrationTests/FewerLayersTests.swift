import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// Imitates a machine without user namespaces, such as most containers, by a namespace that allows no further ones.
@Suite("Where the machine lacks a layer of the sandbox", .deadline)
struct FewerLayersTests {
    @Test("doctor warns of it for every renderer, and all decoders work")
    func doctor() throws {
        let output = try runWithoutNamespaces(["doctor"])
        #expect(output.status == 0)
        let warnings = output.lines.filter { $0.hasPrefix("WARNING") }
        #expect(warnings.count == RendererClass.allCases.count)
        #expect(warnings.allSatisfy { $0.contains("NO NAMESPACES: unshare") })
        #expect(!output.lines.contains { $0.hasPrefix("PROBLEM") })
    }

    @Test(
        "Thumbnails are made, with one loud line", arguments: ["h264.mp4", "pages-24.pdf", "drawing.svg", "card.heic"])
    func thumb(sample: String) throws {
        let output = try runWithoutNamespaces(["thumb", Checkout.sample(sample)])
        #expect(output.status == 0)
        #expect(output.lines.count == 1)
        let warnings = output.errorLines.filter { $0.contains("WARNING") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("NO NAMESPACES: unshare") == true)
    }

    @Test("--require-sandbox opens nothing, and says why")
    func required() throws {
        let output = try runWithoutNamespaces(["thumb", "--require-sandbox", Checkout.sample("alpha.png")])
        #expect(output.status == 3)
        #expect(output.lines == [])
        #expect(output.standardError.contains("NO NAMESPACES: unshare"))
    }

    @Test(
        "Without a font cache, or with one that is older than the fonts, pages and drawings come out",
        arguments: ["page-1.pdf", "drawing.svg"])
    func fontCache(sample: String) throws {
        let output = try run(
            ["thumb", "--no-icon", Checkout.sample(sample)], in: "--mount",
            after: "mount -t tmpfs none /var/cache/fontconfig")
        #expect(output.standardError == "")
        #expect(output.status == 0)
    }

    @Test("With all layers there is no warning")
    func complete() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let output = try program.run([
            "thumb", "--require-sandbox", "--no-cache", "-o", "a.png", Checkout.sample("alpha.png"),
        ])
        #expect(output.status == 0)
        #expect(!output.standardError.contains("WARNING"))
    }

    private func runWithoutNamespaces(_ arguments: [String]) throws -> CompassProgram.Output {
        try run(arguments, after: "echo 0 > /proc/sys/user/max_user_namespaces")
    }

    /// Runs `compass` in a user namespace (and further ones by name) after a command there has changed its limits.
    private func run(
        _ arguments: [String], in namespace: String? = nil, after preparation: String
    ) throws -> CompassProgram.Output {
        let program = try CompassProgram()
        defer { program.remove() }
        let script = ["sh", "-c", "\(preparation) && exec \"$@\"", "sh"]
        return try CompassProgram.run(
            "/usr/bin/unshare",
            ["--user", "--map-root-user"] + (namespace.map { [$0] } ?? []) + script + [CompassProgram.executable]
                + arguments,
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": program.scratch.path, "COMPASS_CACHE": program.path("cache"),
            ], folder: program.scratch)
    }
}
