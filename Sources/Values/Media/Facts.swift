/// What is known of a source. An unknown fact is absent, never zero.
public struct Facts: Hashable, Sendable {
    public var mediaType: MediaType
    public var kind: Kind
    public var byteCount: Int64
    /// Pixels as shown: orientation, rotation and pixel shape applied.
    public var width: Int?
    public var height: Int?
    /// The EXIF orientation that was applied, 1...8, or a video's clockwise rotation as the EXIF value that means the same.
    public var orientation: Int?
    public var pageCount: Int?
    /// The first page, or the page asked for, as shown, in points (1/72 inch).
    public var pageWidth: Double?
    public var pageHeight: Double?
    /// Whether nothing but white is on that page; known once it was drawn.
    public var isBlank: Bool?
    /// Seconds.
    public var duration: Double?
    /// Frames a second.
    public var frameRate: Double?
    public var codec: String?
    public var hasAlpha: Bool?
    /// `srgb`, `gray`, `cmyk`, `bt709`, …
    public var colorSpace: String?
    /// `pq` or `hlg`, where the picture is high dynamic range.
    public var hdr: String?
    public var title: String?
    /// Whether the file needs a password (an office file's own word; an encrypted PDF fails instead).
    public var isEncrypted: Bool?
    /// Whether a container holds a moving picture, as the sniffer reads it.
    public var hasVideo: Bool?
    public var poster: Poster?

    public init(mediaType: MediaType, kind: Kind? = nil, byteCount: Int64) {
        self.mediaType = mediaType
        self.kind = kind ?? mediaType.kind
        self.byteCount = byteCount
    }

    /// Which frame of a video a rendition shows.
    public struct Poster: Hashable, Sendable {
        /// Seconds from the start.
        public var time: Double
        /// `first`, `asked`, `cover`, …
        public var reason: String

        public init(time: Double, reason: String) {
            self.time = time
            self.reason = reason
        }
    }
}

extension Facts {
    /// The facts as a JSON object with DESIGN's keys.
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

    /// Facts from their JSON object; `nil` where a required key is missing.
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
    public var json: JSON { .object(["time": .number(time), "reason": .string(reason)]) }

    public init?(json: JSON) {
        guard let time = json["time"]?.number, let reason = json["reason"]?.string else { return nil }
        self.init(time: time, reason: reason)
    }
}
