internal import Media

/// What a reader found a file to be.
struct Finding: Equatable {
    var mediaType: MediaType
    /// Whether it needs a password; absent where it cannot be told.
    var isEncrypted: Bool?
    /// Whether a container holds a moving picture; absent where it cannot be told.
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
