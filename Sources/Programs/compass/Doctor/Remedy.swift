/// The packages that contain a decoder, by their names in each release of Debian.
struct Remedy: ExpressibleByStringLiteral, CustomStringConvertible {
    private let bookworm: String
    private let trixie: String

    private init(_ bookworm: String, _ trixie: String) {
        self.bookworm = bookworm
        self.trixie = trixie
    }

    /// A package with one name in all releases.
    init(stringLiteral name: String) { self.init(name, name) }

    static let libvips = Remedy("libvips42", "libvips42t64")
    static let heic = Remedy("libheif1, libde265-0", "libheif-plugin-libde265")
    static let avif = Remedy("libheif1, libaom3 or libdav1d6", "libheif-plugin-dav1d or libheif-plugin-aomdec")
    static let jpegXL = Remedy("libjxl0.7", "libjxl0.11")
    static let libavcodec = Remedy("libavcodec59", "libavcodec61")
    static let poppler = Remedy("libpoppler-glib8", "libpoppler-glib8t64")

    var description: String {
        switch OperatingSystem.current.supported {
        case .bookworm: bookworm
        case .trixie: trixie
        case nil: bookworm == trixie ? bookworm : "\(bookworm) (Debian 12), \(trixie) (Debian 13)"
        }
    }
}
