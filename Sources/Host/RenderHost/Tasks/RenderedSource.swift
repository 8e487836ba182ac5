public import Media
public import Wire

/// The result of a render task: a source's facts and pictures.
public struct RenderedSource: Sendable {
    /// The facts that the renderer read.
    public let facts: Facts
    /// One per picture of the task, in order: the cropped picture without `contain`'s padding.
    public let bitmaps: [Bitmap]
    /// The text of the page or document, if the task read it.
    public var text: SourceText?
    /// The texts of the following pages that were included.
    public var furtherPages: [PageText] = []
    /// The child's processor and memory usage.
    public let usage: ChildEnd
    /// The class of the child's renderer: the requested class, or its successor.
    public let rendererClass: RendererClass
}
