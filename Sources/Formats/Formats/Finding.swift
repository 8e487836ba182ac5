internal import Media

/// A file's type as found by a reader.
struct Finding: Equatable {
    var mediaType: MediaType
    /// Whether the file needs a password; `nil` if unknown.
    var isEncrypted: Bool?
    /// Whether the container has a video stream; `nil` if unknown.
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
