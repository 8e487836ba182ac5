import Media
import RenderHost
import TestDeadline
import Testing

/// Each probe is tried in a real child of each real renderer, after it has decoded a file, as an ordinary user, while another
/// task of the same renderer runs (see `Probe` and `ProbingRenderer`).
@Suite("The abilities of a child that was taken over", .serialized, .deadline)
struct EscapeTests {
    private static let files = [
        "readPasswords", "statPasswords", "statByFlag", "listPrograms", "writeFile", "openOwnMemory",
    ]
    private static let network = ["connect", "listenAbstractly", "receive", "keepSocket", "sendDescriptor"]
    private static let processes = [
        "execute", "fork", "trace", "readParent", "timeParent", "signalParent", "signalAll", "ownSignals",
        "openOthersFiles",
        "takeOthersFiles", "writeOthersMemory",
    ]
    private static let memory = [
        "mapExecutable", "makeExecutable", "mapBeyondLimit", "raiseLimit", "raiseLimitAtLowZero", "shareMemory",
        "growDownwards", "retireMemory", "moveStack", "splitStack", "placeMemory", "memoryFile", "mergeMemory",
    ]
    private static let tasks = ["threads", "pipe", "descriptors"]
    private static let traps = ["catchTrap", "blockTrap", "catchFault"]
    private static let descriptors = ["growPixels", "writePixelsFile", "writeSource"]
    private static let kernel = ["userNamespace", "ring", "keys", "requeueLocks", "handleFaults"]
    private static let probes = files + network + processes + memory + tasks + traps + descriptors + kernel
    /// What the filter leaves to the limits.
    private static let counted: Set = ["mapBeyondLimit", "threads", "descriptors"]

    @Test(
        "Nothing: every way out is refused, in every renderer, forked or not", arguments: RendererClass.allCases,
        [false, true])
    func complete(rendererClass: RendererClass, isOnly: Bool) throws {
        let renderer = try ProbedRenderer(rendererClass, isOnly: isOnly)
        defer { renderer.close() }
        try #require(try renderer.notes == [], "this machine lacks a layer")
        #expect(try renderer.escapes(Self.probes) == [])
        #expect(try renderer.perform(nil).facts.byteCount > 0, "a sound task goes on")
    }

    @Test("A child with a window has no more abilities", arguments: RendererClass.allCases, [false, true])
    func withWindow(rendererClass: RendererClass, isOnly: Bool) throws {
        let renderer = try ProbedRenderer(rendererClass, isOnly: isOnly, isRanged: true)
        defer { renderer.close() }
        // The window is one socket more that the child holds.
        #expect(try renderer.escapes(Self.probes.filter { $0 != "keepSocket" }) == [])
        #expect(try renderer.perform(nil).facts.byteCount > 0, "a sound task goes on")
    }

    @Test("A child of root has no more abilities", arguments: RendererClass.allCases)
    func ofRoot(rendererClass: RendererClass) throws {
        let renderer = try ProbedRenderer(rendererClass, staysRoot: true)
        defer { renderer.close() }
        #expect(try renderer.escapes(Self.probes) == [])
    }

    @Test(
        "Without namespaces the threads of root's child are counted as those of nobody",
        arguments: [[], ["systemCalls"]])
    func ofRootWithoutNamespaces(layers: [String]) throws {
        let renderer = try ProbedRenderer(.image, layers: ["limits"] + layers, staysRoot: true)
        defer { renderer.close() }
        #expect(try !renderer.escapes(["threads"]).contains("threads"))
        #expect(try !renderer.escapes(["raiseLimit"]).contains("raiseLimit"))
    }

    @Test(
        "With no layer at all the same probes escape, or they would prove nothing", arguments: RendererClass.allCases)
    func nothing(rendererClass: RendererClass) throws {
        let escapes = try escapes(of: rendererClass, with: [])
        // What is left to itself: whether a parent may be traced or read is the kernel's setting (Yama).
        let mustEscape: Set = Set(Self.probes).subtracting([
            "keepSocket", "growPixels", "trace", "readParent", "takeOthersFiles", "writeOthersMemory", "ring",
            "userNamespace", "openOwnMemory", "writePixelsFile", "handleFaults", "mergeMemory",
        ])
        // Poppler closes the source when it is done with the document.
        #expect(mustEscape.subtracting(escapes).subtracting(rendererClass == .pdf ? ["writeSource"] : []) == [])
        #expect(!escapes.contains("keepSocket"), "the control socket is closed by no layer but by the fork itself")
        #expect(
            escapes.isDisjoint(with: ["growPixels", "writePixelsFile"]),
            "the child closes the pixels' file, sealed besides")
    }

    @Test("With the filter alone, files can be read where a class reads fonts, and nothing else is possible")
    func systemCallsAlone() throws {
        // What a page's child then finds in /proc: a descriptor of the renderer that has a name, as the null device.
        #expect(
            try escapes(of: .pdf, with: ["systemCalls"])
                .subtracting(Self.counted).subtracting(["writeSource", "openOthersFiles"])
                == ["readPasswords", "statPasswords", "statByFlag", "listPrograms"])
        for rendererClass in [RendererClass.sniff, .plain, .image, .video, .text, .recognition] {
            #expect(
                try escapes(of: rendererClass, with: ["systemCalls"])
                    .subtracting(Self.counted).subtracting(["writeSource"]) == ["statByFlag"])
        }
    }

    @Test("With file rules alone, files, network and signals are refused; memory and processes are free")
    func fileRulesAlone() throws {
        let escapes = try escapes(of: .pdf, with: ["fileRules"])
        #expect(
            escapes.isDisjoint(with: [
                "readPasswords", "listPrograms", "writeFile", "openOwnMemory", "execute", "openOthersFiles",
            ]))
        #expect(
            escapes.isSuperset(of: [
                "fork", "mapExecutable", "makeExecutable", "mapBeyondLimit", "threads", "statPasswords",
            ]))
    }

    @Test("With namespaces alone, files and network are refused; memory and processes are free")
    func namespacesAlone() throws {
        let escapes = try escapes(of: .pdf, with: ["namespaces"])
        #expect(
            escapes.isDisjoint(with: [
                "readPasswords", "statPasswords", "statByFlag", "listPrograms", "writeFile", "openOwnMemory", "execute",
                "connect",
                "openOthersFiles",
            ]))
        #expect(escapes.isSuperset(of: ["fork", "mapExecutable", "signalParent", "mapBeyondLimit"]))
    }

    @Test("With limits alone, memory beyond them and writing to files are refused; the rest is free")
    func limitsAlone() throws {
        let escapes = try escapes(of: .pdf, with: ["limits"])
        #expect(
            escapes.isDisjoint(with: [
                "mapBeyondLimit", "raiseLimit", "writeSource", "shareMemory", "growDownwards", "retireMemory",
                "threads",
                "descriptors",
            ]))
        #expect(escapes.isSuperset(of: ["readPasswords", "connect", "execute", "fork", "mapExecutable"]))
    }

    /// The probes that got through in a child with these layers only.
    private func escapes(of rendererClass: RendererClass, with layers: [String]) throws -> Set<String> {
        let renderer = try ProbedRenderer(rendererClass, layers: layers)
        defer { renderer.close() }
        return try renderer.escapes(Self.probes)
    }
}
