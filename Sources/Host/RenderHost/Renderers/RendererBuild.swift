/// A renderer's libraries and confinement, as reported when it is ready.
public struct RendererBuild: Hashable, Sendable {
    /// Its libraries with their versions: `libvips 8.14.1`.
    public let libraries: [String]

    /// The layers of its confinement that this kernel lacks; ideally empty.
    public let notes: [String]

    /// One text that changes with every library upgrade; cached failures contain it.
    public var text: String { libraries.joined(separator: ", ") }
}
