internal import Formats
internal import Media

/// A colour space stated by code points (ITU-T H.273). HEIC and AVIF files have them in a `colr` box of type `nclx`
/// (ISO/IEC 14496-12, clause 12.1.5), PNGs in the chunk `cICP`. libvips ignores both.
struct CodedColour {
    enum Primaries { case bt709, bt2020, displayP3 }
    /// `standard` is sRGB's curve, and also stands for curves that hardly differ from it.
    enum Transfer { case standard, pq, hlg }

    let primaries: Primaries
    let transfer: Transfer

    /// The space of two code points; `nil` if it is sRGB or unknown.
    init?(primaries: Int, transfer: Int) {
        self.primaries =
            switch primaries {
            case 9: .bt2020
            case 11, 12: .displayP3
            default: .bt709
            }
        self.transfer =
            switch transfer {
            case 16: .pq
            case 18: .hlg
            default: .standard
            }
        if self.primaries == .bt709, self.transfer == .standard { return nil }
    }

    /// The first `nclx` box among the properties of a file's items: that of the main picture, which writers list first.
    init?(inHEIF source: Source) {
        guard let bounded = try? BoundedSource(source), let colour = try? Self.colour(inHEIF: bounded) else {
            return nil
        }
        self = colour
    }

    private static func colour(inHEIF source: BoundedSource) throws(Failure) -> CodedColour? {
        var file = ISOBoxWalker(source, limit: 16)
        guard let meta = try file.next("meta"), meta.payload.count > 4 else { return nil }
        // `meta` begins with a version and flags.
        var properties = ISOBoxWalker(source, in: meta.payload.lowerBound + 4..<meta.payload.upperBound)
        while let box = try properties.next("iprp") {
            var containers = ISOBoxWalker(source, in: box.payload)
            while let container = try containers.next("ipco") {
                var colours = ISOBoxWalker(source, in: container.payload, limit: 10_000)
                while let box = try colours.next("colr") {
                    guard box.payload.count >= 10, let fields = try source.bytes(at: box.payload.lowerBound, count: 8),
                        fields.text(at: 0, count: 4) == "nclx", let primaries = fields.big(UInt16.self, at: 4),
                        let transfer = fields.big(UInt16.self, at: 6)
                    else { continue }
                    return CodedColour(primaries: Int(primaries), transfer: Int(transfer))
                }
            }
        }
        return nil
    }

    /// The name in the facts.
    var spaceName: String {
        switch primaries {
        case .bt709: "bt709"
        case .bt2020: "bt2020"
        case .displayP3: "display-p3"
        }
    }

    /// The name in the facts; `nil` for standard dynamic range.
    var hdrName: String? {
        switch transfer {
        case .standard: nil
        case .pq: "pq"
        case .hlg: "hlg"
        }
    }
}
