public import Media

extension RenditionFormat {
    /// The format that a recipe gives a picture: `automatic` is JPEG, or PNG if the picture is not opaque.
    public init(_ format: Recipe.Format, for picture: Bitmap) {
        switch format {
        case .automatic: self = picture.isOpaque ? .jpeg : .png
        case .jpeg: self = .jpeg
        case .webp: self = .webp
        case .png: self = .png
        }
    }
}
