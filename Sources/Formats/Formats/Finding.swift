internal import Media

/// A file's type as a reader found it.
struct Finding: Equatable {
    var mediaType: MediaType
    /// Whether opening the file takes a password; `nil` where that is unknown.
    var isEncrypted: Bool?
    /// Whether the container holds a video stream; `nil` where that is unknown.
    var hasVideo: Bool?

    init(_ mediaType: MediaType, isEncrypted: Bool? = nil, hasVideo: Bool? = nil) {
        self.mediaType = mediaType
        self.isEncrypted = isEncrypted
        self.hasVideo = hasVideo
    }

    init(_ name: String, isEncrypted: Bool? = nil, hasVideo: Bool? = nil) {
        self.init(MediaType(rawValue: name), isEncrypted: isEncrypted, hasVideo: hasVideo)
    }
}
