internal import Media
internal import RenderHost
internal import ThumbnailCache
internal import Thumbnailer
internal import Wire

extension WarmTerms {
    /// What this engine goes by now; `nil` where it has no cache, or its renderers are not all there.
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
