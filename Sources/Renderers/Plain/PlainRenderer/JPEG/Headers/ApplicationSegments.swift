internal import Media

/// What the application segments of a JPEG say: orientation, profile, and what the components are.
struct ApplicationData {
    private(set) var orientation: Orientation?
    private var hasEXIF = false
    private var isJFIF = false
    /// Adobe's word on the components (Technical Note 5116, 18): 0 RGB, 1 YCbCr.
    private var adobeTransform: UInt8?
    private var profileParts: [(number: UInt8, count: UInt8, bytes: ArraySlice<UInt8>)] = []

    mutating func take(_ segment: SegmentReader.Segment, of segments: SegmentReader) throws(Declined) {
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

    /// The ICC profile (ICC.1:2022, B.4): its parts in their order; `nil` where there are none.
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

    /// As libjpeg decides what three components are.
    ///
    /// - Throws: where they are not luma and chroma.
    func requireLuma(in frame: Frame) throws(Declined) {
        guard frame.components.count == 3, !isJFIF else { return }
        if let adobeTransform {
            guard adobeTransform == 1 else { throw Declined("Adobe's transform \(adobeTransform)") }
        } else if frame.components.map(\.identifier) == Array("RGB".utf8) {
            throw Declined("components are red, green and blue")
        }
    }
}

/// The orientation in EXIF's TIFF structure (EXIF 2.32, 4.6.4; TIFF 6.0, section 2).
enum EXIFOrientation {
    /// - Throws: where the structure is odd: libexif is then asked.
    static func read(from block: ArraySlice<UInt8>) throws(Declined) -> Orientation? {
        let bytes = Array(block)
        let isLittle = bytes.starts(with: "II*\0".utf8)
        guard isLittle || bytes.starts(with: "MM\0*".utf8) else { throw Declined("EXIF of an unknown order of bytes") }
        func integer(_ offset: Int, _ count: Int) throws(Declined) -> Int {
            guard offset >= 0, offset + count <= bytes.count else { throw Declined("EXIF that breaks off") }
            let part = bytes[offset..<offset + count]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }
        let directory = try integer(4, 4)
        var found: Int?
        for index in 0..<(try integer(directory, 2)) {
            let entry = directory + 2 + index * 12
            guard try integer(entry, 2) == 274 else { continue }
            guard found == nil, try integer(entry + 2, 2) == 3, try integer(entry + 4, 4) == 1 else {
                throw Declined("an odd orientation")
            }
            found = try integer(entry + 8, 2)
        }
        return found.flatMap(Orientation.init(rawValue:))
    }
}
