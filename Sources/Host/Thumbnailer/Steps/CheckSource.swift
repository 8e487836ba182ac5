internal import Media
internal import SourceFiles

extension Pipeline {
    /// Compares the source with the file's state when it was opened.
    ///
    /// - Before: nothing reads the source any more.
    /// - After: whatever was made is the picture of the bytes that the key represents.
    @discardableResult
    static func checkSource(_ run: inout ThumbnailRun) -> Progress {
        run.source.isUnchanged ? .ongoing : .sourceChanged
    }
}
