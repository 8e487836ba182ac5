/// How a viewer shows a source.
public enum Kind: String, Hashable, Sendable, CaseIterable {
    case image
    case pdf
    case video
    /// With a file-type icon: documents, tables, text, audio, archives.
    case other
}

/// A class of renderers, which opens certain media types in a sandbox of its own.
public enum RendererClass: UInt8, Hashable, Sendable, CaseIterable {
    /// libmagic: identifies the type of a file.
    case sniff = 0
    /// libvips: still images.
    case image = 1
    /// libvips with librsvg, the same program as `image`; its sandbox allows fonts.
    case svg = 2
    /// Poppler.
    case pdf = 3
    /// FFmpeg: video, cover art, and the still formats that only FFmpeg's decoders read.
    case video = 4
    /// libjpeg-turbo and ISA-L: common JPEGs and PNGs, without libvips's start-up time.
    case plain = 5
    /// The project's own readers and expat: the text of word processor documents, no pictures.
    case text = 6
    /// Tesseract: the words of a page that is a picture. It opens no type: the host passes it drawings of pages.
    case recognition = 7

    /// The program's file name.
    public var programName: String {
        switch self {
        case .sniff: "compass-sniff"
        case .image, .svg: "compass-render-image"
        case .pdf: "compass-render-pdf"
        case .video: "compass-render-video"
        case .plain: "compass-render-plain"
        case .text: "compass-read-text"
        case .recognition: "compass-recognize"
        }
    }

    /// The name in logs, `compass doctor` and the cache.
    public var name: String {
        switch self {
        case .sniff: "sniff"
        case .image: "image"
        case .svg: "svg"
        case .pdf: "pdf"
        case .video: "video"
        case .plain: "plain"
        case .text: "text"
        case .recognition: "recognition"
        }
    }

    /// The class that opens a file that this class declines; a class with a successor never fails a file itself.
    public var successor: RendererClass? { self == .plain ? .image : nil }
}

extension MediaType {
    /// How a viewer shows this media type.
    public var kind: Kind {
        switch rendererClass {
        case .plain, .image, .svg: .image
        case .pdf: .pdf
        case .video: rawValue.hasPrefix("image/") ? .image : rawValue.hasPrefix("audio/") ? .other : .video
        case .sniff, .text, .recognition, nil: .other
        }
    }

    /// The class that opens this media type first; `nil` if there is no preview.
    public var rendererClass: RendererClass? {
        if let listed = Self.rendererClasses[rawValue] { return listed }
        if rawValue.hasPrefix("video/") || rawValue.hasPrefix("audio/") { return .video }
        return nil
    }

    /// The class that reads the text of this media type: `pdf` page by page, `text` as paragraphs; `nil` if no text can
    /// be read.
    public var textClass: RendererClass? {
        if self == .pdf { return .pdf }
        return Self.textTypes.contains(rawValue) ? .text : nil
    }

    /// The types of documents with paragraphs, including those with macros, which nothing runs. A protected one is
    /// opened only to fail.
    private static let textTypes: Set<String> = [
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "application/vnd.ms-word.document.macroenabled.12", "application/vnd.ms-word.template.macroenabled.12",
        "application/x-ooxml-protected", "application/msword",
        "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text-template",
        "text/rtf", "text/plain", "text/csv", "text/tab-separated-values",
    ]

    /// Every image type with a renderer, and the video containers whose names do not begin with `video/`.
    private static let rendererClasses: [String: RendererClass] = [
        "image/jpeg": .plain,
        "image/png": .plain, "image/webp": .image, "image/gif": .image, "image/tiff": .image, "image/heic": .image,
        "image/heif": .image, "image/avif": .image, "image/jp2": .image,
        "image/x-jp2-codestream": .image, "image/jxl": .image, "image/x-portable-anymap": .image,
        "image/vnd.radiance": .image,
        "image/svg+xml": .svg,
        "application/pdf": .pdf,
        "image/bmp": .video, "image/x-pcx": .video, "image/x-sgi": .video, "image/x-dds": .video,
        "image/x-tga": .video, "image/x-sun-raster": .video, "image/vnd.microsoft.icon": .video,
        "image/x-win-bitmap": .video, "image/vnd.adobe.photoshop": .video, "image/x-exr": .video,
        "application/mxf": .video, "application/vnd.ms-asf": .video, "application/ogg": .video,
    ]
}
