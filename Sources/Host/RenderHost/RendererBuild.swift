/// What a renderer is made of, as it says when it is ready.
public struct RendererBuild: Hashable, Sendable {
    /// Its libraries with their versions: `libvips 8.14.1`.
    public let libraries: [String]

    /// What of its confinement this kernel does not give; empty is best.
    public let notes: [String]

    /// One text that changes with every upgrade of a library: failures that are kept in the cache carry it.
    public var text: String { libraries.joined(separator: ", ") }
}
