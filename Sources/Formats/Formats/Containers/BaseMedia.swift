internal import Media

/// MP4, QuickTime and their relatives: containers of boxes (ISO/IEC 14496-12; Apple, QuickTime File Format).
enum BaseMedia: ContentReader {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard let type = try mediaType(of: source) else { return nil }
        if type.rawValue.hasPrefix("image/") { return Finding(type) }
        let content = try MovieTracks.content(of: source)
        return Finding(content == .audio ? audioType(for: type) : type, hasVideo: content.hasVideo)
    }

    /// By the brand where there is one; else QuickTime, if the first boxes are all of its kind.
    private static func mediaType(of source: BoundedSource) throws(Failure) -> MediaType? {
        guard let first = source.head.text(at: 4, count: 4), openingTypes.contains(first) else { return nil }
        var walk = BoxWalk(source, in: 0..<source.byteCount, limit: 8)
        var hasMovie = false
        var boxCount = 0
        while let box = try walk.next(), openingTypes.contains(box.type) {
            if box.type == "ftyp" || box.type == "styp" { return try brandedType(box, in: source) }
            boxCount += 1
            hasMovie =
                hasMovie || ((box.type == "moov" || box.type == "mdat" || box.type == "moof") && !box.payload.isEmpty)
        }
        // One box alone is little proof, unless it fills the file to the last byte.
        return hasMovie && (boxCount > 1 || walk.isComplete || first == "moov") ? .quickTime : nil
    }

    /// What a file may begin with.
    private static let openingTypes: Set<String> = [
        "ftyp", "styp", "moov", "mdat", "wide", "free", "skip", "pnot", "moof", "sidx", "uuid", "PICT", "junk",
    ]

    private static func brandedType(_ box: Box, in source: BoundedSource) throws(Failure) -> MediaType? {
        let count = Int(min(box.payload.upperBound - box.payload.lowerBound, 1024))
        guard count >= 4, let payload = try source.bytes(at: box.payload.lowerBound, count: count) else { return nil }
        // Major brand, a version, then compatible brands.
        let brands = [0] + Array(stride(from: 8, to: payload.count, by: 4))
        return Brand.mediaType(of: brands.compactMap { payload.text(at: $0, count: 4) })
    }

    private static func audioType(for type: MediaType) -> MediaType {
        switch type {
        case .threeGPP: MediaType(rawValue: "audio/3gpp")
        case MediaType(rawValue: "video/3gpp2"): MediaType(rawValue: "audio/3gpp2")
        default: MediaType(rawValue: "audio/mp4")
        }
    }
}

/// Brands of the `ftyp` box, as mp4ra.org registers them.
enum Brand {
    /// The media type of a file with these brands, the major one first.
    static func mediaType(of brands: [String]) -> MediaType {
        guard let major = brands.first else { return .mp4 }
        if let type = telling(major) { return type }
        if imageContainers.contains(major) {
            // A picture's major brand may be general; the coding is then among the compatible ones.
            return brands.dropFirst().lazy.compactMap(pictureCoding).first ?? .heif
        }
        // A sequence or picture may also hide behind a brand that is not known here.
        let general = ["isom", "iso2", "mp41", "mp42", "avc1", "dash"]
        return general.contains(major) ? .mp4 : brands.dropFirst().lazy.compactMap(telling).first ?? .mp4
    }

    private static let imageContainers: Set<String> = ["mif1", "mif2", "mif3", "msf1", "miaf", "MiHB", "MiHE", "MiAB"]

    private static func pictureCoding(_ brand: String) -> MediaType? {
        switch brand {
        case "avif", "avis", "avio", "MA1A", "MA1B": .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
        default: nil
        }
    }

    private static func telling(_ brand: String) -> MediaType? {
        if let picture = pictureCoding(brand) { return picture }
        switch brand {
        case "qt  ": return .quickTime
        case "M4V ", "M4VH", "M4VP": return .m4v
        case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": return MediaType(rawValue: "audio/mp4")
        case "jp2 ": return .jpeg2000
        case "jpx ": return MediaType(rawValue: "image/jpx")
        case "jpm ": return MediaType(rawValue: "image/jpm")
        case "mjp2", "mj2s": return MediaType(rawValue: "video/mj2")
        case "crx ": return MediaType(rawValue: "image/x-canon-cr3")
        default: break
        }
        if brand.hasPrefix("3g2") || brand.hasPrefix("kddi") { return MediaType(rawValue: "video/3gpp2") }
        return brand.hasPrefix("3g") ? .threeGPP : nil
    }
}
