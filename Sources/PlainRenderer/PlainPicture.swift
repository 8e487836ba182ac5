internal import Media
internal import Rendering

/// A file whose header has been read and is plain.
protocol PlainPicture {
    /// As stored.
    var size: PixelSize { get }
    var orientation: Orientation { get }
    var profile: EmbeddedProfile { get }
    var kind: ComponentColours { get }

    /// The components, decoded no larger than a rendition needs.
    ///
    /// - Parameter wanted: the size of the largest rendition's whole picture, not turned yet.
    /// - Returns: one plane or three, each in its own resolution.
    func planes(for wanted: PixelSize) throws(Declined) -> [Plane]
}

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

    func planes(for wanted: PixelSize) throws(Declined) -> [Plane] {
        try JPEGPlanes.decoded(source, header, for: wanted)
    }
}

struct PNGPicture: PlainPicture {
    private let source: Source
    private let header: PNGHeader
    let profile: EmbeddedProfile

    init(_ source: Source) throws(Declined) {
        self.source = source
        header = try PNGHeader(source)
        profile = try EmbeddedProfile(nil, componentCount: header.channelCount)
    }

    var size: PixelSize { header.size }
    var orientation: Orientation { .upright }
    var kind: ComponentColours { header.channelCount == 1 ? .gray : .rgb }

    func planes(for wanted: PixelSize) throws(Declined) -> [Plane] {
        try PNGPlanes.decoded(source, header, for: wanted)
    }
}
