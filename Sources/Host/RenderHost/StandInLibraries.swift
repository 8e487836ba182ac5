internal import Linux
internal import Media

/// The empty libraries that a class's renderers load in place of those that they never call.
struct StandInLibraries {
    /// Their folder.
    let path: String

    /// - Parameter directory: where the renderers are.
    init(of rendererClass: RendererClass, in directory: String) {
        path = "\(directory)/stand-ins/\(rendererClass.name)"
    }

    /// Whether the machine still has the libraries that they were made for: an upgrade may call what none called before.
    /// `false` where there are no stand-ins.
    var fit: Bool { FileOrigins.areUnchanged(in: "\(path).origins") }
}
