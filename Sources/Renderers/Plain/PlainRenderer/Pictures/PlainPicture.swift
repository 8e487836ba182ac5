internal import Formats
internal import Media
internal import Rendering

/// A plain file whose header has been read.
protocol PlainPicture {
    /// The size before the orientation is applied.
    var size: PixelSize { get }
    var orientation: Orientation { get }
    var profile: EmbeddedProfile { get }
    var kind: ComponentColours { get }
    var hasAlpha: Bool { get }
    /// The components, decoded no larger than a rendition needs.
    ///
    /// - Parameters:
    ///   - wanted: the size of the largest rendition's whole picture, before the orientation is applied.
    ///   - threadCount: how many threads may work on it.
    func planes(for wanted: PixelSize, threadCount: Int) throws(Declined) -> DecodedPlanes
}

/// The components of a picture, decoded.
struct DecodedPlanes {
    /// One or three planes, each in its own resolution; if there is alpha, one more plane of the same resolution.
    let planes: [Plane]
    /// The decoder's name, for `--explain`.
    let decoder: String
}
