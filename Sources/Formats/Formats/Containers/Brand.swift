internal import Media

/// Brands of the `ftyp` box, as registered by mp4ra.org.
enum Brand {
    /// The media type of a file with these brands; the first is the major brand.
    static func mediaType(of brands: [String]) -> MediaType {
        guard let major = brands.first else { return .mp4 }
        if let type = ownType(major) { return type }
        if imageContainers.contains(major) {
            // A still image's major brand may name only the container: a compatible brand then names the codec.
            return brands.dropFirst().lazy.compactMap(pictureCoding).first ?? .heif
        }
        // If the major brand is unknown, a compatible brand may name the format.
        let general = ["isom", "iso2", "mp41", "mp42", "avc1", "dash"]
        return general.contains(major) ? .mp4 : brands.dropFirst().lazy.compactMap(ownType).first ?? .mp4
    }

    private static let imageContainers: Set<String> = ["mif1", "mif2", "mif3", "msf1", "miaf", "MiHB", "MiHE", "MiAB"]

    private static func pictureCoding(_ brand: String) -> MediaType? {
        switch brand {
        case "avif", "avis", "avio", "MA1A", "MA1B": .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
        default: nil
        }
    }

    private static func ownType(_ brand: String) -> MediaType? {
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
