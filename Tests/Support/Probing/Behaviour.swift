internal import CLinux
internal import Linux
package import Rendering

/// The words in a file that a test puts next to this program.
///
/// Only the tests' renderers read it; the shipped renderers have no such switch.
package struct Behaviour: Sendable {
    package private(set) var refusesToStart = false
    /// Whether each call outside the class's list is named (see `CallRecorder`) instead of ending the child.
    package private(set) var recordsCalls = false
    /// Whether a renderer started by root stays root, as the shipped ones do.
    package private(set) var staysRoot = false
    package private(set) var layers = ConfinementLayers.all

    /// `refuse`, `record`, `root`, or `only` with the names of layers; without a file, an ordinary renderer.
    package static let ofThisProcess: Behaviour = {
        let path = CommandLine.arguments[0]
        let file = "\(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])/behaviour"
        guard let text = try? Descriptor.open(file, O_RDONLY).readAll(limit: 1000) else { return Behaviour() }
        return Behaviour(String(decoding: text, as: UTF8.self).split(separator: " ").map(String.init))
    }()

    private init(_ words: [String] = []) {
        refusesToStart = words.contains("refuse")
        staysRoot = words.contains("root")
        recordsCalls = words.contains("record")
        // The recorder has the list, and replaces the filter.
        if recordsCalls { layers.remove(.systemCalls) }
        guard words.first == "only" else { return }
        layers = []
        if words.contains("systemCalls") { layers.insert(.systemCalls) }
        if words.contains("fileRules") { layers.insert(.fileRules) }
        if words.contains("namespaces") { layers.insert(.namespaces) }
        if words.contains("limits") { layers.insert(.limits) }
    }
}
