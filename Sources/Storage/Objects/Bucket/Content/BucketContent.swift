internal import CLinux
internal import Linux
internal import Media
internal import RenderHost
internal import S3
internal import SourceFiles

extension BucketStore {
    /// The sums of an object; `nil` if it is being removed.
    func sums(of object: S3Object, _ id: ObjectID) throws(ObjectError) -> ContentSums? {
        let sums: ContentSums
        if ContentSums.areKnown(by: object.metadata) {
            guard let known = ContentSums(metadata: object.metadata, byteCount: object.byteCount) else {
                throw ObjectError(S3Fault.corrupted("the sums of the object \(id)"))
            }
            sums = known
        } else {
            guard let known = try rows.sums(of: id) else { return nil }
            sums = known
        }
        guard sums.byteCount == object.byteCount else {
            throw ObjectError(S3Fault.corrupted("\(object.byteCount) bytes instead of \(sums.byteCount)"))
        }
        return sums
    }
}

/// The bytes of objects as local files.
enum BucketContent {
    /// An object's bytes: in memory if it has one block, otherwise on demand.
    ///
    /// - Parameter folder: the folder for large unnamed files.
    static func source(_ reader: BucketReader, name: String, folder: String) throws(ObjectError) -> SourceFile {
        guard reader.byteCount > BlockHasher.blockByteCount else {
            let bytes = try reader.blocks(touching: 0..<reader.byteCount).bytes
            return try bytes.withUnsafeBytes { bytes in
                Result { () throws(ObjectError) in try source(of: bytes, name: name) }
            }.get()
        }
        do throws(Failure) {
            let ranged = try RangedSource(BucketRanges(reader: reader), folder: folder)
            return try SourceFile(name: name, ranged: ranged, key: reader.key)
        } catch {
            throw .unavailable(detail: error.detail)
        }
    }

    /// Bytes as a file in memory.
    static func source(_ buffer: PartBuffer?, name: String) throws(ObjectError) -> SourceFile {
        try source(of: buffer?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0), name: name)
    }

    private static func source(of bytes: UnsafeRawBufferPointer, name: String) throws(ObjectError) -> SourceFile {
        let file = try attempt { () throws(SystemError) in
            let file = try MemoryFile.unsized(name: "source")
            try file.write(bytes)
            try MemoryFile.seal(file)
            return file
        }
        do throws(Failure) {
            return try SourceFile.opened(file, name: name)
        } catch {
            throw .unavailable(detail: error.detail)
        }
    }
}
