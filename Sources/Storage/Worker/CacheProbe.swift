internal import CLinux
internal import Linux
internal import Media

/// Checks whether the cache can be written.
enum CacheProbe {
    /// Writes as much as a large rendition to an unnamed file in the cache's folder.
    ///
    /// - Throws: `unavailable` with the kernel's reason.
    static func write(below path: String) throws(Failure) {
        do throws(SystemError) {
            // A new cache has no folder yet.
            _ = mkdir(path, OwnerOnly.folder)
            // An unnamed file leaves nothing behind, however this process ends.
            let file = Descriptor(owning: try checking("open") { clinux_open_unnamed(path) })
            try file.write([UInt8](repeating: 0x5A, count: byteCount))
        } catch {
            throw Failure(.unavailable, detail: "the cache \(path) cannot be written: \(error.reason)")
        }
    }

    private static let byteCount = 1 << 20
}
