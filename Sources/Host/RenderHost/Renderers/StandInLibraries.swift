internal import Linux
internal import Media

/// The empty libraries that a class's renderers load in place of unused ones.
struct StandInLibraries {
    /// Their folder.
    let path: String

    /// - Parameter directory: the folder of the renderers' programs.
    init(of rendererClass: RendererClass, in directory: String) {
        path = "\(directory)/stand-ins/\(rendererClass.name)"
    }

    /// Whether the machine still has the libraries that the stand-ins were made for; `false` if there are none.
    ///
    /// After an upgrade, a renderer may call a library that it did not call before.
    var fit: Bool { FileOrigins.areUnchanged(in: "\(path).origins") }
}
