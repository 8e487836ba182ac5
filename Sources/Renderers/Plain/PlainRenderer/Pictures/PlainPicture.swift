internal import Formats
internal import Media
internal import Rendering
internal import Resampling

/// A file whose header has been read and is plain.
protocol PlainPicture {
    /// As stored.
    var size: PixelSize { get }
    var orientation: Orientation { get }
    var profile: EmbeddedProfile { get }
    var kind: ComponentColours { get }
    var hasAlpha: Bool { get }
    /// The components, decoded no larger than a rendition needs.
    ///
    /// - Parameters:
    ///   - wanted: the size of the largest rendition's whole picture, not turned yet.
    ///   - threadCount: how many threads may work on it.
    func planes(for wanted: PixelSize, threadCount: Int) throws(Declined) -> DecodedPlanes
}

/// What became of a picture's file.
struct DecodedPlanes {
    /// One plane or three, each in its own resolution; where there is alpha, one more of the same resolution.
    let planes: [Plane]
    /// What read it, for a person who asks.
    let decoder: String
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
    var hasAlpha: Bool { false }

    func planes(for wanted: PixelSize, threadCount: Int) throws(Declined) -> DecodedPlanes {
        try JPEGPlanes.decoded(source, header, for: wanted, threadCount: threadCount)
    }
}

struct PNGPicture: PlainPicture {
    private let source: Source
    private let header: PNGHeader
    let profile: EmbeddedProfile

    init(_ source: Source) throws(Declined) {
        self.source = source
        header = try PNGHeader(source)
        let isGray = header.coding.isGray
        profile =
            if let calibrated = header.calibrated { try EmbeddedProfile(calibrated, isGray: isGray) } else {
                try EmbeddedProfile(header.profile, componentCount: isGray ? 1 : 3)
            }
        // Profiles are applied to eight bits here: of a linear one's dark colours too little would be left.
        guard header.coding.depth < 16 || profile.isStandard else { throw Declined("a profile of 16 bits") }
    }

    var size: PixelSize { header.size }
    var orientation: Orientation { header.orientation }
    var kind: ComponentColours { header.coding.isGray ? .gray : .rgb }
    var hasAlpha: Bool { header.hasAlpha }

    func planes(for wanted: PixelSize, threadCount: Int) throws(Declined) -> DecodedPlanes {
        DecodedPlanes(planes: try PNGPlanes.decoded(source, header, for: wanted), decoder: "PNG: ISA-L's inflate")
    }
}
