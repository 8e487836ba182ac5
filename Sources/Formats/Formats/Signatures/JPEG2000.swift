internal import Media

/// The file formats of JPEG 2000: a signature box, then a brand (ISO/IEC 15444-1 Annex I, 15444-2, -3, -6).
enum JPEG2000 {
    /// The media type by the brand; `nil` without the signature box.
    static func mediaType(_ head: Bytes) -> MediaType? {
        guard head.has([0, 0, 0, 12]), head.has("jP  \r\n", at: 4) || head.has("jP\u{1A}\u{1A}\r\n", at: 4) else {
            return nil
        }
        guard head.has("ftyp", at: 16) else { return .jpeg2000 }
        return switch head.text(at: 20, count: 4) {
        case "jpx ": MediaType(rawValue: "image/jpx")
        case "jpm ": MediaType(rawValue: "image/jpm")
        case "mjp2": MediaType(rawValue: "video/mj2")
        default: .jpeg2000
        }
    }
}
