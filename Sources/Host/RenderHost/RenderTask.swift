public import Media
public import Wire

/// What a renderer is to do with one source.
public struct RenderTask: Sendable {
    /// What the source is; with `recognition`, what it probably is.
    public var mediaType: MediaType
    /// Where the child is to say first what the source is; it goes on only where `mediaType` was right.
    public var recognition: Recognition?
    public var limits: Limits
    public var pageIndex: Int
    public var time: TimePosition
    /// How many threads the child may use.
    public var threadCount: Int
    /// Where it is written down how the task was done, for a person who asked.
    public var explanation: Explanation?
    /// The pictures wanted; without any, only facts are read.
    public var pictures: [Picture]
    /// What ends the task before its time.
    public var cancellation: Cancellation?
    /// Called as soon as the pictures are there and nobody can write to them any more, while the child still ends; what it
    /// ends in is still to come, and if another child follows, it is called again.
    public var drawn: (@Sendable ([Bitmap]) -> Void)?
    /// Whether no other is expected for its renderer, which then need not fork: less time for this task, more for another.
    public var isOnly: Bool
    /// Whether the first try already is what the second one always is: by the library alone, without readers and shortcuts of our
    /// own, without stand-ins, by one thread.
    public var skipsShortcuts: Bool

    public init(
        mediaType: MediaType, recognition: Recognition? = nil, limits: Limits, pageIndex: Int = 0,
        time: TimePosition = .poster, threadCount: Int = 1, explanation: Explanation? = nil, pictures: [Picture] = [],
        cancellation: Cancellation? = nil, drawn: (@Sendable ([Bitmap]) -> Void)? = nil, isOnly: Bool = false,
        skipsShortcuts: Bool = false
    ) {
        self.mediaType = mediaType
        self.recognition = recognition
        self.limits = limits
        self.pageIndex = pageIndex
        self.time = time
        self.threadCount = threadCount
        self.explanation = explanation
        self.pictures = pictures
        self.cancellation = cancellation
        self.drawn = drawn
        self.isOnly = isOnly
        self.skipsShortcuts = skipsShortcuts
    }

    /// One picture of the source: how it meets its box.
    public struct Picture: Hashable, Sendable {
        public var box: Box
        public var fit: Fit
        public var gravity: Gravity
        public var enlarge: Bool

        public init(box: Box, fit: Fit, gravity: Gravity, enlarge: Bool) {
            self.box = box
            self.fit = fit
            self.gravity = gravity
            self.enlarge = enlarge
        }
    }
}

/// What came of a task.
public struct RenderedSource: Sendable {
    public let facts: Facts
    /// One a picture, in their order: the cut picture without `contain`'s padding.
    public let bitmaps: [Bitmap]
    /// What the child used.
    public let usage: ChildEnd
    /// Whose child it was: the class that was asked, or its successor.
    public let rendererClass: RendererClass
}
