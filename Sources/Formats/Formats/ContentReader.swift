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

/// One family of formats: says what a file is, or `nil` where it is none of the family.
///
/// Readers take nothing on trust: they read through the source's budget, bound every loop by a number of their own, and
/// call nothing by a name that they did not check. They throw only where the file cannot be read at all.
protocol ContentReader: SendableMetatype {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding?
}
