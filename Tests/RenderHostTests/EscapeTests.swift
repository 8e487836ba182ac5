import CLinux
import Media
import RenderHost
import Testing

/// Each probe is tried in a real child of the fork server, as an ordinary user (see `Probe` of the fake renderer).
@Suite("What a child that was taken over can do", .serialized)
struct EscapeTests {
    private static let probes = [
        "readPasswords", "statPasswords", "listPrograms", "writeFile", "openOwnMemory",
        "connect", "listenAbstractly", "receive", "keepSocket",
        "execute", "fork", "trace", "readParent", "signalParent", "ownSignals",
        "mapExecutable", "makeExecutable", "mapBeyondLimit",
        "growPixels", "writePixelsFile", "writeSource",
        "userNamespace", "ring", "keys",
    ]

    @Test("Nothing: every way out is refused, for every class", arguments: RendererClass.allCases)
    func complete(rendererClass: RendererClass) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        try #require(try fake.host.build(of: rendererClass).notes == [], "this machine lacks a layer")
        #expect(try escapes(of: rendererClass, in: fake) == [])
        #expect(try fake.run("paint", as: rendererClass).bitmaps.count == 1, "a sound job goes on")
    }

    @Test("With no layer at all the same probes escape, or they would prove nothing")
    func nothing() throws {
        let escapes = try escapes(with: [])
        // What is left to itself: whether a parent may be traced or read is the kernel's setting (Yama).
        let mustEscape: Set = Set(Self.probes).subtracting([
            "keepSocket", "growPixels", "trace", "readParent", "ring", "userNamespace", "openOwnMemory",
        ])
        #expect(mustEscape.subtracting(escapes) == [])
        #expect(!escapes.contains("keepSocket"), "the control socket is closed by no layer but by the fork itself")
        #expect(!escapes.contains("growPixels"), "the memory file is sealed by the host")
    }

    @Test("System calls alone: files can be read where a class reads fonts, nothing else")
    func systemCallsAlone() throws {
        #expect(
            try escapes(with: ["systemCalls"]).subtracting(["writePixelsFile", "writeSource", "mapBeyondLimit"])
                == ["readPasswords", "statPasswords", "listPrograms"])
    }

    @Test("File rules alone: no file, no network, no signal; memory and processes are free")
    func fileRulesAlone() throws {
        let escapes = try escapes(with: ["fileRules"])
        #expect(escapes.isDisjoint(with: ["readPasswords", "listPrograms", "writeFile", "openOwnMemory", "execute"]))
        #expect(escapes.isSuperset(of: ["fork", "mapExecutable", "makeExecutable", "mapBeyondLimit", "statPasswords"]))
    }

    @Test("Namespaces alone: no file, no network; memory and processes are free")
    func namespacesAlone() throws {
        let escapes = try escapes(with: ["namespaces"])
        #expect(
            escapes.isDisjoint(with: [
                "readPasswords", "statPasswords", "listPrograms", "writeFile", "openOwnMemory", "execute", "connect",
            ]))
        #expect(escapes.isSuperset(of: ["fork", "mapExecutable", "signalParent", "mapBeyondLimit"]))
    }

    @Test("Limits alone: no memory over them, no write to any file; the rest is free")
    func limitsAlone() throws {
        let escapes = try escapes(with: ["limits"])
        #expect(escapes.isDisjoint(with: ["mapBeyondLimit", "writePixelsFile", "writeSource"]))
        #expect(escapes.isSuperset(of: ["readPasswords", "connect", "execute", "fork", "mapExecutable"]))
    }

    /// The probes that got through in a child with these layers only, of the class that may do the most: pages.
    private func escapes(with layers: [String]) throws -> Set<String> {
        let fake = try FakeHost(behaviour: (["only"] + layers).joined(separator: " "))
        defer { fake.close() }
        return try escapes(of: .pdf, in: fake)
    }

    private func escapes(of rendererClass: RendererClass, in fake: FakeHost) throws -> Set<String> {
        var escapes: Set<String> = []
        for probe in Self.probes {
            do throws(Failure) {
                _ = try fake.run("probe \(probe)", as: rendererClass)
                escapes.insert(probe)
            } catch {
                if try isEscape(error) { escapes.insert(probe) }
            }
        }
        return escapes
    }

    /// What a failed probe means; anything that is neither a refusal nor an end by the kernel is the test's mistake.
    private func isEscape(_ failure: Failure) throws -> Bool {
        switch (failure.code, failure.detail) {
        case (.sandboxed, _), (.unsupported, "refused"): return false
        // The file size limit's signal.
        case (.crashed, "signal \(SIGXFSZ)"): return false
        // The shell that the probe executed.
        case (.crashed, "the child left with status 42 and no answer"): return true
        default: throw failure
        }
    }
}
