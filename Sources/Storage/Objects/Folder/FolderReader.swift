internal import CLinux
internal import Linux

/// The reader of a `FolderStore`: an open file.
final class FolderReader: ObjectReader {
    let byteCount: Int64
    let modified: Int64
    private let file: Descriptor
    private let files: any ObjectFiles

    init(_ file: Descriptor, _ status: FileStatus, _ files: any ObjectFiles) {
        self.file = file
        self.files = files
        byteCount = status.byteCount
        modified = status.modified
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ObjectError) -> Int {
        do throws(SystemError) {
            return try files.read(file, into: buffer, at: offset)
        } catch {
            throw error.number == EIO ? .damaged(detail: "\(error)") : ObjectError(error)
        }
    }
}
