public import Media

/// The work that a renderer's child does on one source: read the facts, and make pictures.
public struct RenderTask: Sendable {
    /// The source's media type; with `recognition`, a guess at it.
    public var mediaType: MediaType
    /// Receives the child's own word on the media type; the child goes on only where `mediaType` was right.
    public var recognition: Recognition?
    /// The child's limits; `wallTime` holds for all children of the task together.
    public var limits: Limits
    /// The page of a document, from 0.
    public var pageIndex: Int
    /// The moment of a video.
    public var time: TimePosition
    /// How many threads the child may use.
    public var threadCount: Int
    /// Records how the task was done, for a person who asked.
    public var explanation: Explanation?
    /// Whether text is wanted (`RenderedSource.text`), without pictures: of a PDF or of `MediaType.pageWords` the page's, else by the class
    /// `text` the document's.
    public var readsText = false
    /// How many further pages' texts may come along (`RenderedSource.furtherPages`).
    public var furtherPageCount = 0
    /// The source itself where it lies elsewhere: the children ask it for the bytes that they read.
    public var rangedSource: RangedSource?
    /// The pictures wanted; without any, only facts are read.
    public var pictures: [Picture]
    /// Ends the task before its time.
    public var cancellation: Cancellation?
    /// Called as soon as the pictures are complete and nobody can write to them any more, while the child still ends.
    ///
    /// The task may fail all the same; and where another child follows, this is called again.
    public var drawn: (@Sendable ([Bitmap]) -> Void)?
    /// Whether no other task is expected for its renderer, which then need not fork: less time for this task, more for another.
    public var isOnly: Bool
    /// Whether the first try is made as a second one always is: by the library alone, without readers and shortcuts of our
    /// own, without stand-ins, by one thread.
    public var skipsShortcuts: Bool

    /// A task; by default it reads the facts of a source whose media type is known.
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
        /// The largest size of the picture.
        public var box: Box
        /// Whether the picture stays inside the box or covers it.
        public var fit: Fit
        /// The part that stays where the box cuts.
        public var gravity: Gravity
        /// Whether a source smaller than the box is enlarged.
        public var enlarge: Bool

        /// A picture that meets `box` by `fit`.
        public init(box: Box, fit: Fit, gravity: Gravity, enlarge: Bool) {
            self.box = box
            self.fit = fit
            self.gravity = gravity
            self.enlarge = enlarge
        }
    }
}
