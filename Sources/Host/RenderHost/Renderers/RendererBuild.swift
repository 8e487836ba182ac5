/// The libraries of a renderer and its confinement, as it reports them when it is ready.
public struct RendererBuild: Hashable, Sendable {
    /// Its libraries with their versions: `libvips 8.14.1`.
    public let libraries: [String]

    /// The layers of its confinement that this kernel lacks; empty is best.
    public let notes: [String]

    /// One text that changes with every upgrade of a library; cached failures carry it.
    public var text: String { libraries.joined(separator: ", ") }
}
