/// A media type (RFC 6838) in lower case, without parameters.
public struct MediaType: RawRepresentable, Hashable, Sendable {
    /// The text in JSON and in the cache, as in `image/png`.
    public let rawValue: String

    /// A type from `type/subtype`, ignoring case and parameters (`; charset=…`); any other text becomes
    /// `application/octet-stream`.
    public init(rawValue: String) {
        self.rawValue = Self.sound(rawValue) ?? Self.sound(Self.bare(rawValue)) ?? "application/octet-stream"
    }

    /// The text itself if it is a type in lower case without parameters, as nearly all are.
    private static func sound(_ name: String) -> String? {
        let isSound =
            name.utf8.count <= 127 && name.utf8.allSatisfy(isNameByte)
            && name.utf8.count { $0 == UInt8(ascii: "/") } == 1
        return isSound ? name : nil
    }

    private static func bare(_ text: String) -> String {
        text.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    private init(known: String) { rawValue = known }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "^"):
            true
        default: false
        }
    }
}

extension MediaType: CustomStringConvertible {
    /// The same text as `rawValue`.
    public var description: String { rawValue }
}

extension MediaType {
    // Unknown types.
    /// Bytes of an unknown type.
    public static let octetStream = MediaType(known: "application/octet-stream")
    /// A file without bytes.
    public static let empty = MediaType(known: "inode/x-empty")

    // Images.
    /// JPEG (ITU-T T.81).
    public static let jpeg = MediaType(known: "image/jpeg")
    /// PNG, animated (APNG) or not.
    public static let png = MediaType(known: "image/png")
    /// WebP, lossy, lossless or animated.
    public static let webp = MediaType(known: "image/webp")
    /// GIF, animated or not.
    public static let gif = MediaType(known: "image/gif")
    /// TIFF and BigTIFF.
    public static let tiff = MediaType(known: "image/tiff")
    /// HEIF with HEVC pictures.
    public static let heic = MediaType(known: "image/heic")
    /// HEIF with other pictures.
    public static let heif = MediaType(known: "image/heif")
    /// HEIF with AV1 pictures.
    public static let avif = MediaType(known: "image/avif")
    /// SVG, as text or gzipped.
    public static let svg = MediaType(known: "image/svg+xml")
    /// JPEG 2000 in its file format, JP2.
    public static let jpeg2000 = MediaType(known: "image/jp2")
    /// JPEG 2000 as a bare codestream.
    public static let jpeg2000Codestream = MediaType(known: "image/x-jp2-codestream")
    /// JPEG XL, bare or in boxes.
    public static let jpegXL = MediaType(known: "image/jxl")
    /// PBM, PGM, PPM and PAM.
    public static let portableAnymap = MediaType(known: "image/x-portable-anymap")
    /// Radiance RGBE, with the extension `.hdr`.
    public static let radianceHDR = MediaType(known: "image/vnd.radiance")
    /// BMP of Windows and OS/2.
    public static let bmp = MediaType(known: "image/bmp")

    // Pages.
    /// PDF of any version.
    public static let pdf = MediaType(known: "application/pdf")

    // Moving pictures.
    /// MPEG-4 in an ISO base media file.
    public static let mp4 = MediaType(known: "video/mp4")
    /// QuickTime, with the extension `.mov`.
    public static let quickTime = MediaType(known: "video/quicktime")
    /// Apple's variant of MP4.
    public static let m4v = MediaType(known: "video/x-m4v")
    /// 3GP and 3G2.
    public static let threeGPP = MediaType(known: "video/3gpp")
    /// RIFF with the form type `AVI `.
    public static let avi = MediaType(known: "video/x-msvideo")
    /// Matroska with any codecs.
    public static let matroska = MediaType(known: "video/x-matroska")
    /// Matroska restricted to WebM's codecs.
    public static let webm = MediaType(known: "video/webm")

    // Documents.
    /// Text without markup in a known encoding.
    public static let plainText = MediaType(known: "text/plain")
    /// Comma-separated values.
    public static let csv = MediaType(known: "text/csv")
    /// HTML of any version.
    public static let html = MediaType(known: "text/html")
    /// Rich Text Format.
    public static let rtf = MediaType(known: "text/rtf")
    /// Word 97 to 2003, `.doc`.
    public static let word = MediaType(known: "application/msword")
    /// Excel 97 to 2003, `.xls`.
    public static let excel = MediaType(known: "application/vnd.ms-excel")
    /// PowerPoint 97 to 2003, `.ppt`.
    public static let powerPoint = MediaType(known: "application/vnd.ms-powerpoint")
    /// A compound file (OLE) of an unknown program.
    public static let oleStorage = MediaType(known: "application/x-ole-storage")
    /// Word in Office Open XML, `.docx`.
    public static let wordOpenXML = MediaType(
        known: "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
    /// Excel in Office Open XML, `.xlsx`.
    public static let excelOpenXML = MediaType(
        known: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    /// An Office Open XML file with a password: an OLE file with an `EncryptedPackage` stream (MS-OFFCRYPTO 2.3.4.4).
    public static let encryptedOpenXML = MediaType(known: "application/x-ooxml-protected")
    /// A ZIP archive that is not a document of a known type.
    public static let zip = MediaType(known: "application/zip")
}
