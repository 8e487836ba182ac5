internal import CLinux
internal import Linux
internal import Media

/// Whether the cache's folder takes files now.
enum CacheProbe {
    /// Writes as much as a large rendition into the folder that renditions are staged in, and takes it away again.
    ///
    /// - Throws: `unavailable` with the kernel's reason.
    static func write(below path: String) throws(Failure) {
        do throws(SystemError) {
            // A cache begins without its folder.
            _ = mkdir(path, 0o777)
            // Unnamed: nothing is left behind, however this process ends.
            let file = Descriptor(owning: try checking("open") { clinux_open_unnamed(path) })
            try file.write([UInt8](repeating: 0x5A, count: byteCount))
        } catch {
            throw Failure(.unavailable, detail: "the cache \(path) cannot be written: \(error.reason)")
        }
    }

    private static let byteCount = 1 << 20
}
