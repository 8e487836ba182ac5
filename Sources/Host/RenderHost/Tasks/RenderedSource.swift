public import Media
public import Wire

/// The result of a render task: a source's facts and pictures.
public struct RenderedSource: Sendable {
    /// The facts that the renderer read.
    public let facts: Facts
    /// One a picture of the task, in their order: the cut picture without `contain`'s padding.
    public let bitmaps: [Bitmap]
    /// The text of the page or document, where the task read it.
    public var text: SourceText?
    /// The texts of the pages behind it that came along.
    public var furtherPages: [PageText] = []
    /// The child's use of processors and memory.
    public let usage: ChildEnd
    /// The class of the renderer whose child it was: the one asked, or its successor.
    public let rendererClass: RendererClass
}
