/// The file format of a finished rendition.
public enum RenditionFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg
    case webp
    case png

    /// The rendition's extension in the cache, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .webp: "webp"
        case .png: "png"
        }
    }
}
