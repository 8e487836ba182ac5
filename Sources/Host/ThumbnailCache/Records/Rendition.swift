public import Media

/// The picture that a recipe made from a source: encoded bytes, and facts about them.
public struct Rendition: Hashable, Sendable {
    /// The encoded picture.
    public var bytes: [UInt8]
    /// The encoding of the bytes.
    public var format: RenditionFormat
    /// In pixels, including `contain`'s padding.
    public var width: Int
    /// In pixels, including `contain`'s padding.
    public var height: Int
    /// The ThumbHash as the text that programs print.
    public var placeholder: String?
    /// The video frame shown.
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
