/// The properties of a source. An unknown property is absent, never zero.
public struct Facts: Hashable, Sendable {
    /// The type by content, not by file name.
    public var mediaType: MediaType
    /// How a viewer shows the source.
    public var kind: Kind
    /// The size of the source file.
    public var byteCount: Int64
    /// Pixels as shown: orientation, rotation and pixel shape applied.
    public var width: Int?
    /// Pixels as shown, as for `width`.
    public var height: Int?
    /// The applied EXIF orientation, 1...8, or a video's clockwise rotation as the equivalent EXIF value.
    public var orientation: Int?
    /// Pages of a PDF or a multi-page TIFF.
    public var pageCount: Int?
    /// The width of the first or the requested page as shown, in points (1/72 inch).
    public var pageWidth: Double?
    /// The height of the same page in points.
    public var pageHeight: Double?
    /// Whether that page is all white; known once it has been drawn.
    public var isBlank: Bool?
    /// The playing time in seconds.
    public var duration: Double?
    /// Frames per second.
    public var frameRate: Double?
    /// FFmpeg's name of the video or audio codec.
    public var codec: String?
    /// Whether the source has an alpha channel.
    public var hasAlpha: Bool?
    /// The colour space: `srgb`, `gray`, `cmyk`, `bt709`, …
    public var colorSpace: String?
    /// The transfer function of a high dynamic range picture: `pq` or `hlg`.
    public var hdr: String?
    /// The title in the file's metadata.
    public var title: String?
    /// Whether an office file states that it needs a password; an encrypted PDF fails instead.
    public var isEncrypted: Bool?
    /// The sniffer's finding whether a container has video.
    public var hasVideo: Bool?
    /// The frame that a video's rendition shows.
    public var poster: Poster?

    /// The facts that every source has; all others are absent.
    public init(mediaType: MediaType, kind: Kind? = nil, byteCount: Int64) {
        self.mediaType = mediaType
        self.kind = kind ?? mediaType.kind
        self.byteCount = byteCount
    }

    /// The frame of a video that a rendition shows.
    public struct Poster: Hashable, Sendable {
        /// Seconds from the start.
        public var time: Double
        /// Why this frame was chosen: `first`, `asked`, `cover`, …
        public var reason: String

        /// A frame at a time, chosen for a reason.
        public init(time: Double, reason: String) {
            self.time = time
            self.reason = reason
        }
    }
}

extension Facts {
    /// The facts as a JSON object, as `--json` prints them and the cache stores them.
    public var json: JSON {
        .object([
            "mediaType": .string(mediaType.rawValue),
            "kind": .string(kind.rawValue),
            "byteCount": .integer(byteCount),
            "width": width.map { .integer(Int64($0)) },
            "height": height.map { .integer(Int64($0)) },
            "orientation": orientation.map { .integer(Int64($0)) },
            "pageCount": pageCount.map { .integer(Int64($0)) },
            "pageWidth": pageWidth.map(JSON.number),
            "pageHeight": pageHeight.map(JSON.number),
            "isBlank": isBlank.map(JSON.bool),
            "duration": duration.map(JSON.number),
            "frameRate": frameRate.map(JSON.number),
            "codec": codec.map(JSON.string),
            "hasAlpha": hasAlpha.map(JSON.bool),
            "colorSpace": colorSpace.map(JSON.string),
            "hdr": hdr.map(JSON.string),
            "title": title.map(JSON.string),
            "encrypted": isEncrypted.map(JSON.bool),
            "hasVideo": hasVideo.map(JSON.bool),
            "poster": poster?.json,
        ])
    }

    /// Facts from their JSON object; `nil` if a required key is missing.
    public init?(json: JSON) {
        guard let type = json["mediaType"]?.string, let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
            let byteCount = json["byteCount"]?.integer
        else { return nil }
        self.init(mediaType: MediaType(rawValue: type), kind: kind, byteCount: byteCount)
        width = json["width"]?.int
        height = json["height"]?.int
        orientation = json["orientation"]?.int
        pageCount = json["pageCount"]?.int
        pageWidth = json["pageWidth"]?.number
        pageHeight = json["pageHeight"]?.number
        isBlank = json["isBlank"]?.bool
        duration = json["duration"]?.number
        frameRate = json["frameRate"]?.number
        codec = json["codec"]?.string
        hasAlpha = json["hasAlpha"]?.bool
        colorSpace = json["colorSpace"]?.string
        hdr = json["hdr"]?.string
        title = json["title"]?.string
        isEncrypted = json["encrypted"]?.bool
        hasVideo = json["hasVideo"]?.bool
        poster = json["poster"].flatMap(Poster.init(json:))
    }
}

extension Facts.Poster {
    /// The JSON object in `poster`.
    public var json: JSON { .object(["time": .number(time), "reason": .string(reason)]) }

    /// A frame from its JSON object; `nil` if a key is missing.
    public init?(json: JSON) {
        guard let time = json["time"]?.number, let reason = json["reason"]?.string else { return nil }
        self.init(time: time, reason: reason)
    }
}
