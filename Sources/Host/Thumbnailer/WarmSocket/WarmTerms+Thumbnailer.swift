internal import Media
internal import RenderHost
internal import ThumbnailCache
internal import Wire

extension WarmTerms {
    /// The present terms of an engine; `nil` if it has no cache, or renderers are missing.
    init?(of engine: Thumbnailer) {
        guard let (device, inode) = engine.cache?.identity, let renderers = engine.host.programs.fingerprint else {
            return nil
        }
        self.init(
            version: Release.version, renderers: renderers, cacheDevice: device, cacheInode: inode,
            limits: engine.limits, maxUnhashedByteCount: engine.maxUnhashedByteCount,
            requiresSandbox: engine.host.requiresSandbox)
    }
}
