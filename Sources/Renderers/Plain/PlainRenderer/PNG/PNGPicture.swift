internal import Formats
internal import Media
internal import Rendering

/// A plain PNG.
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
        // This applies profiles to eight bits, which are too few for the dark colours of a linear profile.
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
