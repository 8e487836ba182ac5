public import Media

/// The picture that a recipe made of a source: encoded bytes, and facts about them.
public struct Rendition: Hashable, Sendable {
    /// The encoded picture.
    public var bytes: [UInt8]
    /// The encoding of the bytes.
    public var format: RenditionFormat
    /// In pixels, `contain`'s padding included.
    public var width: Int
    /// In pixels, `contain`'s padding included.
    public var height: Int
    /// The ThumbHash as the text that programs print.
    public var placeholder: String?
    /// The video frame that is shown.
    public var poster: Facts.Poster?
    /// The renderer's build that made it.
    public var build: String

    /// A rendition that is not stored yet.
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
