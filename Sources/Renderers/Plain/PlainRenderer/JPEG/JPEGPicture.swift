internal import Formats
internal import Media
internal import Rendering

/// A plain JPEG.
struct JPEGPicture: PlainPicture {
    private let source: Source
    private let header: JPEGHeader
    let profile: EmbeddedProfile

    init(_ source: Source) throws(Declined) {
        self.source = source
        header = try JPEGHeader(source)
        profile = try EmbeddedProfile(header.profile, componentCount: header.frame.components.count)
    }

    var size: PixelSize { header.frame.size }
    var orientation: Orientation { header.orientation }
    var kind: ComponentColours { header.frame.components.count == 1 ? .gray : .luma }
    var hasAlpha: Bool { false }

    func planes(for wanted: PixelSize, threadCount: Int) throws(Declined) -> DecodedPlanes {
        try JPEGPlanes.decoded(source, header, for: wanted, threadCount: threadCount)
    }
}
