internal import Media

/// Recognises MP4, QuickTime, HEIF and their relatives (ISO/IEC 14496-12; Apple, QuickTime File Format).
enum BaseMedia: ContentReader {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard let type = try mediaType(of: source) else { return nil }
        if type.rawValue.hasPrefix("image/") { return Finding(type) }
        let content = try MovieTracks.content(of: source)
        return Finding(content == .audio ? audioType(for: type) : type, hasVideo: content.hasVideo)
    }

    /// The type by the brand; without a brand QuickTime, if all first boxes are of its kinds.
    private static func mediaType(of source: BoundedSource) throws(Failure) -> MediaType? {
        guard let first = source.head.text(at: 4, count: 4), openingTypes.contains(first) else { return nil }
        var walker = ISOBoxWalker(source, limit: 8)
        var hasMovie = false
        var boxCount = 0
        while let box = try walker.next(), openingTypes.contains(box.type) {
            if box.type == "ftyp" || box.type == "styp" { return try brandedType(box, in: source) }
            boxCount += 1
            hasMovie =
                hasMovie || ((box.type == "moov" || box.type == "mdat" || box.type == "moof") && !box.payload.isEmpty)
        }
        // A single box proves little, unless it fills the file to the last byte.
        return hasMovie && (boxCount > 1 || walker.isComplete || first == "moov") ? .quickTime : nil
    }

    /// The box types that can begin a file.
    private static let openingTypes: Set<String> = [
        "ftyp", "styp", "moov", "mdat", "wide", "free", "skip", "pnot", "moof", "sidx", "uuid", "PICT", "junk",
    ]

    private static func brandedType(_ box: ISOBox, in source: BoundedSource) throws(Failure) -> MediaType? {
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
