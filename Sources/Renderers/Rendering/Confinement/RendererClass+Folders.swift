internal import CLinux
package import Media

extension RendererClass {
    /// The folders that the children of this class may read, as far as they exist: fonts and their settings, and
    /// Poppler's character maps. The other classes see no file system at all.
    package var readableFolders: [String] {
        switch self {
        case .sniff, .image, .video, .plain: []
        case .pdf: (Self.fontFolders + ["/usr/share/poppler"]).filter { access($0, R_OK | X_OK) == 0 }
        case .svg: Self.fontFolders.filter { access($0, R_OK | X_OK) == 0 }
        }
    }

    private static let fontFolders = [
        "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig",
    ]
}
