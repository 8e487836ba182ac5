internal import Media

/// The application segments of a JPEG (APP0 to APP14): EXIF orientation, ICC profile, and the components' colour space.
struct ApplicationSegments {
    private(set) var orientation: Orientation?
    private var hasEXIF = false
    private var isJFIF = false
    /// The transform flag of Adobe's segment (Technical Note 5116, 18): 0 RGB, 1 YCbCr.
    private var adobeTransform: UInt8?
    private var profileParts: [(number: UInt8, count: UInt8, bytes: ArraySlice<UInt8>)] = []

    mutating func take(_ segment: MarkerSegment, of segments: MarkerSegmentReader) throws(Declined) {
        var segments = segments
        switch segment.marker {
        case 0xE0:
            if try segments.beginning(of: segment, count: 5) == Array("JFIF\0".utf8) { isJFIF = true }
        case 0xE1:
            guard try segments.beginning(of: segment, count: 6) == Array("Exif\0\0".utf8) else { return }
            guard !hasEXIF else { throw Declined("two EXIF segments") }
            hasEXIF = true
            orientation = try EXIFOrientation.read(from: try segments.body(of: segment).dropFirst(6))
        case 0xE2:
            guard try segments.beginning(of: segment, count: 12) == Array("ICC_PROFILE\0".utf8) else { return }
            let body = try segments.body(of: segment)
            guard body.count > 14 else { throw Declined("an empty part of a profile") }
            profileParts.append((body[12], body[13], body[14...]))
        case 0xEE:
            let body = try segments.beginning(of: segment, count: 12)
            if body.count == 12, body.starts(with: "Adobe".utf8) { adobeTransform = body[11] }
        default: break
        }
    }

    /// The ICC profile (ICC.1:2022, B.4), with its parts joined in order; `nil` if the file has none.
    var profile: [UInt8]? {
        get throws(Declined) {
            if profileParts.isEmpty { return nil }
            let parts = profileParts.sorted { $0.number < $1.number }
            guard parts.enumerated().allSatisfy({ $1.number == $0 + 1 && Int($1.count) == parts.count }) else {
                throw Declined("parts of a profile are missing")
            }
            return parts.flatMap(\.bytes)
        }
    }

    /// Applies libjpeg's rules for the colour space of a picture with three components.
    ///
    /// - Throws: unless the components are Y, Cb and Cr.
    func requireLuma(in frame: JPEGFrame) throws(Declined) {
        guard frame.components.count == 3, !isJFIF else { return }
        if let adobeTransform {
            guard adobeTransform == 1 else { throw Declined("Adobe's transform \(adobeTransform)") }
        } else if frame.components.map(\.identifier) == Array("RGB".utf8) {
            throw Declined("components are red, green and blue")
        }
    }
}
