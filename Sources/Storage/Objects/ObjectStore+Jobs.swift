public import Media
public import SourceFiles

extension ObjectStore {
    /// The source of a job that names an object.
    ///
    /// - Parameters:
    ///   - key: the object's identity, as stored in the job.
    ///   - maxByteCount: the size beyond which a source is refused.
    /// - Throws: `sourceMissing` if there is no such object; `tooLarge`; `unavailable` if a retry may succeed.
    public func source(ofJob key: String, maxByteCount: UInt64) throws(Failure) -> SourceFile {
        let source: SourceFile
        do throws(ObjectError) {
            guard let id = ObjectID(rawValue: key) else { throw .missing }
            source = try self.source(id, name: key)
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
