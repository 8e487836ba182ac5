public import Media

/// What a recipe made of a source: encoded bytes, and what is known of them.
public struct Rendition: Hashable, Sendable {
    /// The encoded picture.
    public var bytes: [UInt8]
    public var format: RenditionFormat
    /// Pixels of the picture itself, `contain`'s padding included.
    public var width: Int
    public var height: Int
    /// The ThumbHash as the text that programs print.
    public var placeholder: String?
    /// The video frame that is shown.
    public var poster: Facts.Poster?
    /// The renderer's build that made it.
    public var build: String

    public init(
        bytes: [UInt8], format: RenditionFormat, width: Int, height: Int, placeholder: String? = nil,
        poster: Facts.Poster? = nil, build: String
    ) {
        self.bytes = bytes
        self.format = format
        self.width = width
        self.height = height
        self.placeholder = placeholder
        self.poster = poster
        self.build = build
    }
}
