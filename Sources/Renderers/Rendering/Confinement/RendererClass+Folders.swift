internal import CLinux
package import Media

extension RendererClass {
    /// The existing folders that children of this class may read: fonts, their settings, and Poppler's character maps.
    ///
    /// Empty for the other classes, which have no access to the file system.
    package var readableFolders: [String] {
        switch self {
        case .sniff, .image, .video, .plain, .text, .recognition: []
        case .pdf: (Self.fontFolders + ["/usr/share/poppler"]).filter { access($0, R_OK | X_OK) == 0 }
        case .svg: Self.fontFolders.filter { access($0, R_OK | X_OK) == 0 }
        }
    }

    private static let fontFolders = [
        "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig",
    ]
}
