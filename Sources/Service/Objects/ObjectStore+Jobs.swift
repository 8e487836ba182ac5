public import Media
public import Thumbnailer

extension ObjectStore {
    /// The source of a job that names an object.
    ///
    /// - Parameters:
    ///   - key: the object's path, as the job has it.
    ///   - maxByteCount: the size beyond which a source is refused.
    /// - Throws: `sourceMissing` where there is no such object; `tooLarge`; `unavailable` where another try may succeed.
    public func source(ofJob key: String, maxByteCount: UInt64) throws(Failure) -> SourceFile {
        let source: SourceFile
        do throws(ObjectError) {
            source = try self.source(ObjectPath(key))
        } catch {
            throw error.failure
        }
        guard source.byteCount <= Int64(clamping: maxByteCount) else {
            throw Failure(
                .tooLarge, message: "File is over the limit of \(maxByteCount) bytes (setting max-source).",
                detail: "\(source.byteCount) bytes")
        }
        return source
    }
}
