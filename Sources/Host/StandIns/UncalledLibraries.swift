internal import Media

/// The unused libraries of each class: its renderer is linked with them through others, and no task calls them.
///
/// Names have no version. A library that is not listed is loaded unchanged. A call into a listed one ends the child, so
/// each line has its reason.
enum UncalledLibraries {
    static func names(for rendererClass: RendererClass) -> [String] {
        switch rendererClass {
        case .sniff, .plain, .text, .recognition: []
        case .pdf: windows + pages
        case .image: imageWriters + rareImages + drawings
        case .svg: windows + imageWriters + rareImages
        case .video: protocols + encoders + audio + hardware + drawings + ["libgobject-2.0", "libglib-2.0"]
        }
    }

    /// Cairo can draw into windows.
    private static let windows = ["libX11", "libXext", "libXrender", "libxcb", "libxcb-render", "libxcb-shm"]

    private static let pages = [
        // Signatures are not verified.
        "libnss3", "libsmime3", "libplc4", "libnspr4",
        // Poppler only writes TIFF.
        "libtiff",
        // Documents are opened from a descriptor or from memory. A remote source is read through a stream, by the
        // renderer with all libraries.
        "libgio-2.0",
    ]

    /// Formats that libvips writes, and libraries for writing.
    private static let imageWriters = [
        "libcgif", "libimagequant", "libfftw3",
        // From version 8.16, for archives of tiles.
        "libarchive",
    ]

    /// Formats from astronomy, laboratories and film, which are not read (MATLAB's comes with HDF5 and curl).
    private static let rareImages = ["libcfitsio", "libmatio", "libOpenEXR-3_1"]

    /// SVG and text: the class `svg` loads them.
    private static let drawings = [
        "librsvg-2", "libcairo", "libpango-1.0", "libpangocairo-1.0", "libpangoft2-1.0", "libfontconfig",
    ]

    /// Sources are plain files.
    private static let protocols = [
        "libbluray", "libgnutls", "librabbitmq", "librist", "libsrt-gnutls", "libssh-gcrypt", "libssh", "libzmq",
        // Playlists of streams (DASH).
        "libxml2",
        // Discs, from FFmpeg 7 on.
        "libdvdnav", "libdvdread",
    ]

    /// Not libaom, libvpx and libx265: FFmpeg queries their capabilities when it builds its list of codecs.
    private static let encoders = [
        "librav1e", "libSvtAv1Enc", "libtheoraenc", "libtheoradec", "libx264", "libxvidcore", "libwebp", "libwebpmux",
        "libsnappy",
        // FFmpeg's own decoders take precedence.
        "libopenjp2", "libjxl", "libjxl_threads",
    ]

    /// Audio encoders, and decoders if FFmpeg's own take precedence. Not libgme and libopenmpt, which FFmpeg asks
    /// whether a stream is theirs; not libcodec2 and libzvbi, whose decoders FFmpeg may open to identify a stream.
    private static let audio = [
        "libchromaprint", "libgsm", "libmp3lame", "libopus", "libshine", "libsoxr", "libspeex", "libtwolame",
        "libvorbis", "libvorbisenc",
    ]

    /// The sandbox has no access to graphics hardware.
    private static let hardware = [
        "libOpenCL", "libX11", "libdrm", "libmfx", "libva", "libva-drm", "libva-x11", "libvdpau", "libvpl",
    ]
}
