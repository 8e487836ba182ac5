internal import Media

/// How pictures of one media type are opened.
struct ImageFormat {
    /// The name of the libvips operation that loads them.
    let loader: String
    let kind: Kind
    /// The loader's module, if it is not part of libvips itself.
    let module: VipsModule?

    enum Kind {
        case jpeg, png, webp, gif, tiff, heif, svg, jpeg2000, jpegXL, portableAnymap, radiance
    }

    /// The format of a media type; `nil` if Debian's libvips has no loader that is trusted with it.
    init?(_ mediaType: MediaType) {
        switch mediaType {
        case .jpeg: self.init("jpegload_source", .jpeg)
        case .png: self.init("pngload_source", .png)
        case .webp: self.init("webpload_source", .webp)
        case .gif: self.init("gifload_source", .gif)
        case .tiff: self.init("tiffload_source", .tiff)
        case .heic, .heif, .avif: self.init("heifload_source", .heif, module: .heif)
        case .svg: self.init("svgload_source", .svg)
        case .jpeg2000, .jpeg2000Codestream: self.init("jp2kload_source", .jpeg2000)
        case .jpegXL: self.init("jxlload_source", .jpegXL, module: .jxl)
        case .portableAnymap: self.init("ppmload_source", .portableAnymap)
        case .radianceHDR: self.init("radload_source", .radiance)
        default: return nil
        }
    }

    private init(_ loader: String, _ kind: Kind, module: VipsModule? = nil) {
        self.loader = loader
        self.kind = kind
        self.module = module
    }

    /// Whether EXIF's orientation must still be applied. libheif applies `irot` and `imir`, libjxl its own header; EXIF
    /// in those files only repeats them (ISO/IEC 23008-12, clause A.2.2; ISO/IEC 18181-2).
    var appliesOrientation: Bool { kind != .heif && kind != .jpegXL }

    /// Whether pictures after the first are pages, which a request may name; in other formats they are frames.
    var hasPages: Bool { kind == .tiff }

    /// The class names of the loaders that stay open when all others are blocked. Modules register their classes when
    /// they are loaded.
    static let loaderClasses = [
        "VipsForeignLoadJpegSource", "VipsForeignLoadPngSource", "VipsForeignLoadWebpSource",
        "VipsForeignLoadNsgifSource",
        "VipsForeignLoadTiffSource", "VipsForeignLoadSvgSource", "VipsForeignLoadJp2kSource",
        "VipsForeignLoadPpmSource",
        "VipsForeignLoadRadSource",
    ]
}
