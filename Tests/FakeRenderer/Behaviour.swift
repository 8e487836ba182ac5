import CLinux
import Linux
import Rendering

/// What a test has written beside this program: only the fake renderer looks for it, the real ones have no such switch.
struct Behaviour {
    var refusesToStart = false
    var layers = ConfinementLayers.all

    /// `refuse`, or `only` with the names of layers; without a file, a sound renderer.
    static let ofThisProcess: Behaviour = {
        let path = CommandLine.arguments[0]
        let file = "\(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])/behaviour"
        guard let text = try? Descriptor.open(file, O_RDONLY).readAll(limit: 1000) else { return Behaviour() }
        return Behaviour(String(decoding: text, as: UTF8.self).split(separator: " ").map(String.init))
    }()

    private init(_ words: [String] = []) {
        refusesToStart = words.contains("refuse")
        guard words.first == "only" else { return }
        layers = []
        if words.contains("systemCalls") { layers.insert(.systemCalls) }
        if words.contains("fileRules") { layers.insert(.fileRules) }
        if words.contains("namespaces") { layers.insert(.namespaces) }
        if words.contains("limits") { layers.insert(.limits) }
    }
}

/// Tests run as root too, for whom permissions prove nothing.
enum OrdinaryUser {
    /// From here on this is nobody's process.
    static func become() {
        guard getuid() == 0 else { return }
        guard clinux_call(Int(SYS_setgroups), 0, 0, 0, 0, 0) == 0, setgid(65534) == 0, setuid(65534) == 0 else {
            exit(1)
        }
        // A changed user makes /proc/self root's, and then no namespace could be mapped.
        clinux_prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    }
}
