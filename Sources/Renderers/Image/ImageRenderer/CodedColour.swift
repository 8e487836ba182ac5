internal import Formats
internal import Media
internal import Rendering

/// Colours by code points instead of a profile (ITU-T H.273), as HEIC and AVIF files state them in a `colr` box of type
/// `nclx` (ISO/IEC 14496-12, clause 12.1.5) and PNGs in the chunk `cICP`. libvips passes over them.
struct CodedColour {
    enum Primaries { case bt709, bt2020, displayP3 }
    /// `standard` is sRGB's curve, which stands for those that hardly differ from it.
    enum Transfer { case standard, pq, hlg }

    let primaries: Primaries
    let transfer: Transfer

    /// The code points' meaning; `nil` where the picture is sRGB as far as can be told.
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

    /// The first `nclx` box among the properties of a file's items: the picture's own, as writers list it first.
    init?(inHEIF source: Source) {
        guard let meta = Self.meta(of: source) else { return nil }
        // `meta` begins with a version and flags.
        for properties in Self.boxes("iprp", in: meta.dropFirst(4)) {
            for container in Self.boxes("ipco", in: properties) {
                for box in Self.boxes("colr", in: container)
                where box.count >= 10 && box.prefix(4).elementsEqual("nclx".utf8) {
                    let bytes = Array(box)
                    self.init(
                        primaries: Int(bytes[4]) << 8 | Int(bytes[5]), transfer: Int(bytes[6]) << 8 | Int(bytes[7]))
                    return
                }
            }
        }
        return nil
    }

    /// The word for the facts.
    var spaceName: String {
        switch primaries {
        case .bt709: "bt709"
        case .bt2020: "bt2020"
        case .displayP3: "display-p3"
        }
    }

    /// The word for the facts; absent where the picture's range is the ordinary one.
    var hdrName: String? {
        switch transfer {
        case .standard: nil
        case .pq: "pq"
        case .hlg: "hlg"
        }
    }

    /// The body of the file's `meta` box, which is among its first boxes.
    private static func meta(of source: Source) -> [UInt8]? {
        var offset: Int64 = 0
        for _ in 0..<16 {
            guard let head = try? source.bytes(at: offset, count: 8), head.count == 8 else { return nil }
            let size = Int64(integer(head[...]))
            guard size >= 8 else { return nil }
            if head[4...].elementsEqual("meta".utf8) {
                return try? source.bytes(at: offset + 8, count: min(Int(size) - 8, longestMeta))
            }
            offset += size
        }
        return nil
    }

    /// Properties lie in the first kilobytes, even of grids of a thousand tiles.
    private static let longestMeta = 256 << 10

    /// The bodies of the boxes of one type that lie side by side in `bytes`.
    private static func boxes(_ type: String, in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var rest = bytes
        while rest.count >= 8 {
            let size = integer(rest)
            guard size >= 8, size <= rest.count else { break }
            if rest.dropFirst(4).prefix(4).elementsEqual(type.utf8) { found.append(rest.prefix(size).dropFirst(8)) }
            rest = rest.dropFirst(size)
        }
        return found
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
}
