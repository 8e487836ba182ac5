/// A media type (RFC 6838) as told from content: lower case, without parameters.
public struct MediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// Any `type/subtype`; case and parameters (`; charset=…`) are dropped, other text becomes `application/octet-stream`.
    public init(rawValue: String) {
        let name = rawValue.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        let isSound =
            name.utf8.count <= 127 && name.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && name.utf8.allSatisfy(Self.isNameByte)
        self.rawValue = isSound ? name : "application/octet-stream"
    }

    private init(known: String) { rawValue = known }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/.+-_!#$&^".utf8.contains(byte)
        }
    }
}

extension MediaType: CustomStringConvertible {
    public var description: String { rawValue }
}

extension MediaType {
    // What nothing else fits.
    public static let octetStream = MediaType(known: "application/octet-stream")
    public static let empty = MediaType(known: "inode/x-empty")

    // Images.
    public static let jpeg = MediaType(known: "image/jpeg")
    public static let png = MediaType(known: "image/png")
    public static let webp = MediaType(known: "image/webp")
    public static let gif = MediaType(known: "image/gif")
    public static let tiff = MediaType(known: "image/tiff")
    public static let heic = MediaType(known: "image/heic")
    public static let heif = MediaType(known: "image/heif")
    public static let avif = MediaType(known: "image/avif")
    public static let svg = MediaType(known: "image/svg+xml")
    public static let jpeg2000 = MediaType(known: "image/jp2")
    public static let jpeg2000Codestream = MediaType(known: "image/x-jp2-codestream")
    public static let jpegXL = MediaType(known: "image/jxl")
    public static let portableAnymap = MediaType(known: "image/x-portable-anymap")
    public static let radianceHDR = MediaType(known: "image/vnd.radiance")
    public static let bmp = MediaType(known: "image/bmp")

    // Pages.
    public static let pdf = MediaType(known: "application/pdf")

    // Moving pictures.
    public static let mp4 = MediaType(known: "video/mp4")
    public static let quickTime = MediaType(known: "video/quicktime")
    public static let m4v = MediaType(known: "video/x-m4v")
    public static let threeGPP = MediaType(known: "video/3gpp")
    public static let avi = MediaType(known: "video/x-msvideo")
    public static let matroska = MediaType(known: "video/x-matroska")
    public static let webm = MediaType(known: "video/webm")

    // Documents.
    public static let plainText = MediaType(known: "text/plain")
    public static let csv = MediaType(known: "text/csv")
    public static let html = MediaType(known: "text/html")
    public static let rtf = MediaType(known: "text/rtf")
    public static let word = MediaType(known: "application/msword")
    public static let excel = MediaType(known: "application/vnd.ms-excel")
    public static let powerPoint = MediaType(known: "application/vnd.ms-powerpoint")
    public static let oleStorage = MediaType(known: "application/x-ole-storage")
    public static let wordOpenXML = MediaType(
        known: "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
    public static let excelOpenXML = MediaType(
        known: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    /// An Office Open XML file with a password: an OLE file with an `EncryptedPackage` stream (MS-OFFCRYPTO 2.3.4.4).
    public static let encryptedOpenXML = MediaType(known: "application/x-ooxml-protected")
    public static let zip = MediaType(known: "application/zip")
}
