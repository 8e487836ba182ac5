/// The layers of a confinement: each works on its own, and one stops what another lets through.
package struct ConfinementLayers: OptionSet, Sendable {
    /// One bit per layer.
    package let rawValue: Int

    /// The layers with these bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Only the system calls on the class's list (seccomp).
    package static let systemCalls = ConfinementLayers(rawValue: 1)
    /// Read access to the class's folders only; no network (Landlock).
    package static let fileRules = ConfinementLayers(rawValue: 2)
    /// Own user, network, IPC and mount namespaces, and a root that holds only the class's folders.
    package static let namespaces = ConfinementLayers(rawValue: 4)
    /// Memory, file size, descriptors, processor time.
    package static let limits = ConfinementLayers(rawValue: 8)

    /// Every layer, as in the shipped renderers.
    package static let all: ConfinementLayers = [.systemCalls, .fileRules, .namespaces, .limits]

    /// The names of the layers that are not in this set; only tests leave any out.
    var leftOut: [String] {
        let names: [(ConfinementLayers, String)] = [
            (.systemCalls, "SYSTEM CALL FILTER"), (.fileRules, "FILE RULES"), (.namespaces, "NAMESPACES"),
            (.limits, "LIMITS"),
        ]
        return names.filter { !contains($0.0) }.map(\.1)
    }
}
