public import Media

/// One task for one child: the source's media type, the moment or page, and the requested pixels.
public struct RenderRequest: Hashable, Sendable {
    /// The host's number for the task; reports name it.
    public var taskID: UInt64
    /// The source's media type; with `recognizes`, a guess.
    public var mediaType: MediaType
    /// Whether the child first recognises the source and reports it (`RenderRecognition`); it continues only if
    /// `mediaType` was right.
    public var recognizes: Bool
    /// The child's limits.
    public var limits: Limits
    /// The page of a document, from 0.
    public var pageIndex: Int
    /// The moment of a video.
    public var time: TimePosition
    /// How many threads the child may use.
    public var threadCount: Int
    /// Whether the child sends notes on its work (`RenderNotes`).
    public var explains: Bool
    /// Whether it is the renderer's only task: the renderer itself becomes the child instead of forking one.
    public var isOnly: Bool
    /// Whether only the library reads the source, without the project's own readers, updates and shortcuts: the retry
    /// after a crash.
    public var skipsShortcuts: Bool
    /// Whether the source is remote, so that the child requests its bytes (`WindowRequest`).
    public var hasWindow: Bool
    /// The bytes reserved at the beginning of the task's memory for the text of the page or document; 0 if no text is
    /// requested. A request for text has no targets.
    public var textByteCount: Int
    /// How many further pages' texts the answer may include if space and a short time allow; the answer is then a
    /// `PageSeries`.
    public var furtherPageCount: Int
    /// The renditions' pixels, the largest first if it matters for speed; empty if only the facts are requested.
    public var targets: [RenderTarget]

    /// A request; by default for the facts of a source whose media type is known.
    public init(
        taskID: UInt64, mediaType: MediaType, recognizes: Bool = false, limits: Limits, pageIndex: Int = 0,
        time: TimePosition = .poster, threadCount: Int = 1, explains: Bool = false, isOnly: Bool = false,
        skipsShortcuts: Bool = false, hasWindow: Bool = false, textByteCount: Int = 0, furtherPageCount: Int = 0,
        targets: [RenderTarget] = []
    ) {
        self.taskID = taskID
        self.mediaType = mediaType
        self.recognizes = recognizes
        self.limits = limits
        self.pageIndex = pageIndex
        self.time = time
        self.threadCount = threadCount
        self.explains = explains
        self.isOnly = isOnly
        self.skipsShortcuts = skipsShortcuts
        self.hasWindow = hasWindow
        self.textByteCount = textByteCount
        self.furtherPageCount = furtherPageCount
        self.targets = targets
    }
}

/// The place of one rendition's pixels, and how the picture fits its box.
public struct RenderTarget: Hashable, Sendable {
    /// The largest size of the picture.
    public var box: Box
    /// Whether the picture stays inside the box or covers it.
    public var fit: Fit
    /// The part that remains if the box crops.
    public var gravity: Gravity
    /// Whether a source smaller than the box is enlarged.
    public var enlarge: Bool
    /// The offset of the pixels in the task's pixel memory, in bytes; rows have no gaps.
    public var offset: Int
    /// The space for the pixels: four bytes for each pixel of the box.
    public var byteCount: Int

    /// A target with its place.
    public init(box: Box, fit: Fit, gravity: Gravity, enlarge: Bool, offset: Int, byteCount: Int) {
        self.box = box
        self.fit = fit
        self.gravity = gravity
        self.enlarge = enlarge
        self.offset = offset
        self.byteCount = byteCount
    }

    /// The layout of a picture of this size, as shown, in the target's box.
    public func layout(of source: PixelSize) -> Layout {
        Layout(of: source, in: box, fit: fit, gravity: gravity, enlarge: enlarge)
    }
}

extension RenderRequest: WireMessage {
    /// The request as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(taskID)
        writer.write(mediaType.rawValue)
        writer.write(recognizes)
        writer.write(limits)
        writer.write(UInt32(pageIndex))
        writer.write(time)
        writer.write(UInt8(threadCount))
        writer.write(explains)
        writer.write(isOnly)
        writer.write(skipsShortcuts)
        writer.write(hasWindow)
        writer.write(UInt32(textByteCount))
        writer.write(UInt8(furtherPageCount))
        writer.write(targets) { $0.write($1) }
        return writer.bytes
    }

    /// Parses a request; a renderer of another version fails here.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        taskID = try reader.integer()
        mediaType = MediaType(rawValue: try reader.text())
        recognizes = try reader.bool()
        limits = try reader.limits()
        pageIndex = Int(try reader.integer(UInt32.self))
        time = try reader.time()
        threadCount = max(1, Int(try reader.integer(UInt8.self)))
        explains = try reader.bool()
        isOnly = try reader.bool()
        skipsShortcuts = try reader.bool()
        hasWindow = try reader.bool()
        textByteCount = Int(try reader.integer(UInt32.self))
        furtherPageCount = Int(try reader.integer(UInt8.self))
        targets = try reader.list { reader throws(WireError) in try reader.target() }
        guard textByteCount <= Wire.longestPageText, textByteCount == 0 || targets.isEmpty,
            furtherPageCount < PageSeries.mostPages
        else {
            throw reader.failure("room for text")
        }
        try reader.finish()
    }
}

extension WireWriter {
    mutating func write(_ limits: Limits) {
        write(Int64(limits.wallTime.components.seconds))
        write(limits.memoryByteCount)
        write(limits.streamedPixelCount)
        write(limits.wholePixelCount)
        write(limits.framePixelCount)
        write(limits.streamCount)
        write(limits.posterReadByteCount)
    }

    fileprivate mutating func write(_ time: TimePosition) {
        switch time {
        case .poster:
            write(UInt8(0))
            write(Int64(0))
        case .milliseconds(let count):
            write(UInt8(1))
            write(count)
        case .permille(let count):
            write(UInt8(2))
            write(count)
        }
    }

    fileprivate mutating func write(_ target: RenderTarget) {
        write(UInt16(target.box.width ?? 0))
        write(UInt16(target.box.height ?? 0))
        write(target.fit.rawValue)
        write(target.gravity.rawValue)
        write(target.enlarge)
        write(UInt64(target.offset))
        write(UInt64(target.byteCount))
    }
}

extension WireReader {
    mutating func limits() throws(WireError) -> Limits {
        var limits = Limits()
        limits.wallTime = .seconds(try integer(Int64.self))
        limits.memoryByteCount = try integer()
        limits.streamedPixelCount = try integer()
        limits.wholePixelCount = try integer()
        limits.framePixelCount = try integer()
        limits.streamCount = try integer()
        limits.posterReadByteCount = try integer()
        return limits
    }

    fileprivate mutating func time() throws(WireError) -> TimePosition {
        let kind = try integer(UInt8.self)
        let count = try integer(Int64.self)
        switch (kind, count) {
        case (0, _): return .poster
        case (1, 0...): return .milliseconds(count)
        case (2, 0...1000): return .permille(count)
        default: throw failure("time")
        }
    }

    fileprivate mutating func target() throws(WireError) -> RenderTarget {
        let width = Int(try integer(UInt16.self))
        let height = Int(try integer(UInt16.self))
        guard let box = Box(width: width == 0 ? nil : width, height: height == 0 ? nil : height) else {
            throw failure("box")
        }
        return RenderTarget(
            box: box, fit: try choice(), gravity: try choice(), enlarge: try bool(),
            offset: try memorySize(), byteCount: try memorySize())
    }

    /// A size or offset in the pixel memory, in bytes.
    private mutating func memorySize() throws(WireError) -> Int {
        let value = try integer(UInt64.self)
        guard value < 1 << 40 else { throw failure("size") }
        return Int(value)
    }
}
