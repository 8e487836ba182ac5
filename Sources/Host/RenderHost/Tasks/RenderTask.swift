public import Media

/// The work that a renderer's child does on one source: read the facts, and make pictures.
public struct RenderTask: Sendable {
    /// The source's media type; with `recognition`, a guess.
    public var mediaType: MediaType
    /// Receives the child's own statement on the media type; the child continues only if `mediaType` was right.
    public var recognition: Recognition?
    /// The child's limits; `wallTime` covers all children of the task together.
    public var limits: Limits
    /// The page of a document, from 0.
    public var pageIndex: Int
    /// The position in a video.
    public var time: TimePosition
    /// The number of threads that the child may use.
    public var threadCount: Int
    /// Records how the task was done, for a person who asked.
    public var explanation: Explanation?
    /// Whether text is wanted (`RenderedSource.text`), without pictures: the page's text for a PDF or
    /// `MediaType.pageWords`, otherwise the document's text from the class `text`.
    public var readsText = false
    /// How many further pages' texts may be included (`RenderedSource.furtherPages`).
    public var furtherPageCount = 0
    /// The source itself if it is remote: the children request from it the bytes that they read.
    public var rangedSource: RangedSource?
    /// The pictures wanted; without any, only facts are read.
    public var pictures: [Picture]
    /// Ends the task early.
    public var cancellation: Cancellation?
    /// Called as soon as the pictures are complete and nobody can write to them any more, while the child still ends.
    ///
    /// The task may still fail. If another child follows, this is called again.
    public var drawn: (@Sendable ([Bitmap]) -> Void)?
    /// Whether no other task is expected for its renderer, which then need not fork: less time for this task, more for
    /// another.
    public var isOnly: Bool
    /// Whether the first attempt already runs the way a retry does: by the library alone, without custom readers and
    /// shortcuts, without stand-ins, on one thread.
    public var skipsShortcuts: Bool

    /// A task; by default it reads the facts of a source with a known media type.
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

    /// One picture of the source: how it fits its box.
    public struct Picture: Hashable, Sendable {
        /// The largest size of the picture.
        public var box: Box
        /// Whether the picture stays inside the box or covers it.
        public var fit: Fit
        /// The part that is kept if the box crops the picture.
        public var gravity: Gravity
        /// Whether a source smaller than the box is enlarged.
        public var enlarge: Bool

        /// A picture that fits `box` by `fit`.
        public init(box: Box, fit: Fit, gravity: Gravity, enlarge: Bool) {
            self.box = box
            self.fit = fit
            self.gravity = gravity
            self.enlarge = enlarge
        }
    }
}
