internal import Encoding
internal import Linux
public import Media
public import RenderHost
public import ThumbnailCache

/// The engine behind every program: source → digest → cache → renderer → cache.
///
/// Calls block and may come from many threads at once. A cached answer opens no media, starts no renderer and does not
/// read the source.
public final class Thumbnailer: Sendable {
    package let host: RenderHost
    package let cache: FolderCache?
    package let limits: Limits
    package let maxUnhashedByteCount: Int64
    package let threadCount: Int
    let isForOneSource: Bool
    let warmEngine: (any WarmEngine)?
    private let warn: @Sendable (Failure) -> Void

    /// What stands in records that no renderer has served: it changes when the icons do.
    static let ownBuild = "icon 1"

    /// - Parameters:
    ///   - cache: without one, everything is made anew and handed over in memory.
    ///   - limits: what one source may use.
    ///   - maxUnhashedByteCount: a larger file is kept under its stat key instead of being hashed.
    ///   - threadCount: how many threads one child may use.
    ///   - isForOneSource: whether the host's renderers need not outlive the first source.
    ///   - warmEngine: asked for what the cache lacks before a renderer is started here.
    ///   - warn: told of what went wrong beside the work: a cache that cannot be written.
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
    /// - Throws: what concerns the whole source: it is missing, changed while it was read, no renderer can be had. What
    ///   concerns one rendition is that rendition's result.
    public func thumbnails(of source: SourceFile, order: Order) throws(Failure) -> Thumbnails {
        var order = order
        return try startingOverOnChange(source) { source throws(Failure) in
            var run = ThumbnailRun(self, source, order)
            // What was known of a file that changes is known no more.
            order.knownDigest = nil
            return try run.result()
        }
    }

    /// The facts of a source, from the cache or read now by the renderer of its type.
    ///
    /// - Throws: also where the source is of a type with a renderer, but damaged.
    public func facts(of source: SourceFile, wantsDigest: Bool = false) throws(Failure) -> Thumbnails {
        try startingOverOnChange(source) { source throws(Failure) in
            var run = ThumbnailRun(self, source, Order(recipes: [], wantsDigest: wantsDigest))
            return try run.factsResult()
        }
    }

    /// The source with bytes that nobody can change while they are hashed and decoded: itself where only this user can write to it,
    /// else a copy.
    ///
    /// - Throws: `cancelled`; `unavailable` where there is no room for a copy.
    public func secured(_ source: SourceFile, cancellation: Cancellation? = nil) throws(Failure) -> SourceFile {
        if source.isSecure { return source }
        return try source.copied { host.isCancelled || cancellation?.isCancelled == true }
    }

    /// What a source is, by the sniffer alone: the only answer that a document type's rule may be applied to.
    public func sniff(_ source: SourceFile) throws(Failure) -> Facts {
        try host.sniff(source.descriptor, limits: limits)
    }

    /// The whole picture of a source within a box, without the cache: its pixels, or its file-type icon.
    ///
    /// - Throws: where the source has a renderer that fails.
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
    ///   - skipsShortcuts: whether it is made as after a crash: by the library alone, with every library as it is.
    ///   - explanation: where it is written down how it was made.
    /// - Throws: `unsupported` where there is no renderer for it.
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
        let task = RenderTask(
            mediaType: mediaType, limits: limits, explanation: explanation, pictures: [picture],
            skipsShortcuts: skipsShortcuts)
        return try host.perform(task, on: source.descriptor, by: rendererClass).bitmaps[0]
    }

    /// A source that changes while it is read is started over once.
    private func startingOverOnChange(
        _ source: SourceFile, _ body: (SourceFile) throws(Failure) -> Thumbnails?
    ) throws(Failure) -> Thumbnails {
        if let thumbnails = try body(source) { return thumbnails }
        if let thumbnails = try body(try source.reopened()) { return thumbnails }
        throw Self.changing
    }

    /// What this machine lacks of the renderers' confinement, as those that serve by now have said; empty is best.
    public var missingLayers: [String] { host.missingLayers }

    /// The build of the renderer that has the last word on this type now; `nil` where it cannot be told.
    func build(for mediaType: MediaType?) -> String? {
        guard let mediaType else { return nil }
        return mediaType.rendererClass.map { build(of: $0.successor ?? $0) } ?? Self.ownBuild
    }

    func build(of rendererClass: RendererClass) -> String? { try? host.build(of: rendererClass).text }

    /// Does what the result does not depend on; its failure is passed on as a warning.
    func warning(_ body: () throws(Failure) -> Void) {
        do throws(Failure) {
            try body()
        } catch {
            warn(error)
        }
    }
}
