internal import Linux
public import Media
public import RenderHost
public import SourceFiles
public import ThumbnailCache

/// The engine behind every program: from a source to its renditions, through the cache and the renderers.
///
/// Its steps are in `Pipeline`. Calls block and may come from many threads at once. A cached answer opens no media,
/// starts no renderer and does not read the source.
public final class Thumbnailer: Sendable {
    /// The owner of the renderers.
    package let host: RenderHost
    /// `nil` if everything is made from scratch.
    package let cache: FolderCache?
    /// The limits of each source.
    package let limits: Limits
    /// A larger file is stored under its stat key instead of being hashed.
    package let maxUnhashedByteCount: Int64
    /// How many threads one child may use.
    package let threadCount: Int
    let isForOneSource: Bool
    let warmEngine: (any WarmEngine)?
    private let warn: @Sendable (Failure) -> Void

    /// The build in records that no renderer has served: it changes when the icons do.
    static let ownBuild = "icon 1"

    /// An engine on these renderers and this cache.
    ///
    /// - Parameters:
    ///   - cache: without one, everything is made from scratch and returned in memory.
    ///   - limits: the limits of each source.
    ///   - maxUnhashedByteCount: a larger file is stored under its stat key instead of being hashed.
    ///   - threadCount: how many threads one child may use.
    ///   - isForOneSource: whether the host's renderers need not outlive the first source.
    ///   - warmEngine: asked for the missing renditions before a renderer is started here.
    ///   - warn: called with problems that do not affect the answer: a cache that cannot be written.
    public init(
        host: RenderHost, cache: FolderCache?, limits: Limits, maxUnhashedByteCount: UInt64, threadCount: Int,
        isForOneSource: Bool = false, warmEngine: (any WarmEngine)? = nil,
        warn: @escaping @Sendable (Failure) -> Void
    ) {
        self.host = host
        self.cache = cache
        self.limits = limits
        self.maxUnhashedByteCount = Int64(clamping: maxUnhashedByteCount)
        self.threadCount = threadCount
        self.isForOneSource = isForOneSource
        self.warmEngine = warmEngine
        self.warn = warn
    }

    /// The renditions of a source, from the cache or made now.
    ///
    /// - Throws: a failure of the whole source: it changed while it was read, or there is no renderer. The failure of
    ///   one rendition is that rendition's result.
    public func thumbnails(of source: SourceFile, order: Order) throws(Failure) -> Thumbnails {
        var knownDigest = order.knownDigest
        return try startingOverOnChange(source) { source throws(Failure) in
            var run = ThumbnailRun(self, source, order, knownDigest: knownDigest)
            // The caller's knowledge of a file that changes does not apply to the second run.
            knownDigest = nil
            return try run.result(of: Pipeline.renditions)
        }
    }

    /// The facts of a source, from the cache or read now by the renderer of its type.
    ///
    /// - Throws: also if the source's type has a renderer, but the source is damaged.
    public func facts(of source: SourceFile, wantsDigest: Bool = false) throws(Failure) -> Thumbnails {
        try startingOverOnChange(source) { source throws(Failure) in
            var run = ThumbnailRun(self, source, Order(recipes: [], wantsDigest: wantsDigest))
            return try run.result(of: Pipeline.facts)
        }
    }

    /// The source with bytes that nobody can change while they are hashed and decoded.
    ///
    /// It is the source itself if only this user can write to it, otherwise a copy.
    ///
    /// - Throws: `cancelled`; `unavailable` if there is no room for a copy.
    public func secured(_ source: SourceFile, cancellation: Cancellation? = nil) throws(Failure) -> SourceFile {
        if source.isSecure { return source }
        return try source.copied { host.isCancelled || cancellation?.isCancelled == true }
    }

    /// What a source is, according to the sniffer alone: rules of document types use no other answer.
    public func sniff(_ source: SourceFile, cancellation: Cancellation? = nil) throws(Failure) -> Facts {
        try host.sniff(
            source.descriptor, limits: limits, cancellation: cancellation, rangedSource: source.ranged)
    }

    /// The whole picture of a source within a box, without the cache: its pixels, or its file-type icon.
    ///
    /// - Throws: if the source has a renderer that fails.
    public func picture(of source: SourceFile, in box: Box) throws(Failure) -> Bitmap {
        let sniffed = try sniff(source)
        do throws(Failure) {
            return try preview(of: source, as: sniffed.mediaType, in: box)
        } catch {
            guard error.code == .unsupported else { throw error }
            return FileTypeIcon.draw(for: sniffed.mediaType, size: box.iconSize)
        }
    }

    /// The whole picture of a source within a box, without the cache and without icons.
    ///
    /// - Parameters:
    ///   - skipsShortcuts: whether it is made as after a crash: by the library alone, with all real libraries.
    ///   - explanation: records how it was made.
    /// - Throws: `unsupported` if there is no renderer for it.
    public func preview(
        of source: SourceFile, in box: Box, skipsShortcuts: Bool = false, explanation: Explanation? = nil
    ) throws(Failure) -> Bitmap {
        try preview(
            of: source, as: try sniff(source).mediaType, in: box, skipsShortcuts: skipsShortcuts, explanation)
    }

    private func preview(
        of source: SourceFile, as mediaType: MediaType, in box: Box, skipsShortcuts: Bool = false,
        _ explanation: Explanation? = nil
    ) throws(Failure) -> Bitmap {
        guard let rendererClass = mediaType.rendererClass else {
            throw Failure(.unsupported, detail: mediaType.rawValue)
        }
        let picture = RenderTask.Picture(box: box, fit: .inside, gravity: .centre, enlarge: false)
        var task = RenderTask(
            mediaType: mediaType, limits: limits, explanation: explanation, pictures: [picture],
            skipsShortcuts: skipsShortcuts)
        task.rangedSource = source.ranged
        return try host.perform(task, on: source.descriptor, by: rendererClass).bitmaps[0]
    }

    /// Starts over once for a source that changes while it is read.
    func startingOverOnChange<Answer>(
        _ source: SourceFile, _ body: (SourceFile) throws(Failure) -> Answer?
    ) throws(Failure) -> Answer {
        if let answer = try body(source) { return answer }
        if let answer = try body(try source.reopened()) { return answer }
        throw Self.changing
    }

    /// The layers of the confinement that this machine lacks, as reported by the ready renderers; ideally empty.
    public var missingLayers: [String] { host.missingLayers }

    /// The build of the renderer that has the final decision on this type now; `nil` if it cannot be determined.
    package func build(for mediaType: MediaType?) -> String? {
        guard let mediaType else { return nil }
        return mediaType.rendererClass.map { build(of: $0.successor ?? $0) } ?? Self.ownBuild
    }

    func build(of rendererClass: RendererClass) -> String? { try? host.build(of: rendererClass).text }

    /// Does work on which the answer does not depend: its failure is a warning.
    func warning(_ body: () throws(Failure) -> Void) {
        do throws(Failure) {
            try body()
        } catch {
            warn(error)
        }
    }
}
