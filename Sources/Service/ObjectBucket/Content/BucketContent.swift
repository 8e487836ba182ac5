internal import CLinux
internal import Linux
internal import Media
internal import Objects
internal import S3
internal import Thumbnailer

/// The sums of objects, and their bytes as local files.
struct BucketContent {
    private let client: S3Client
    private let keys: BucketKeys

    /// 80,000 blocks have their sums in 2.6 MB.
    private static let mostSums = 8 << 20

    init(_ client: S3Client, _ keys: BucketKeys) {
        self.client = client
        self.keys = keys
    }

    /// The sums of an object; `nil` where another program has written it, or somebody is removing it.
    func sums(of object: S3Object) throws(ObjectError) -> ContentSums? {
        let sums: ContentSums
        if let id = ContentSums.id(in: object.metadata) {
            let bytes: [UInt8]
            do throws(S3Fault) {
                bytes = try client.read(whole: keys.sums(id), limit: Self.mostSums).bytes
            } catch {
                if error == .missing { return nil }
                throw ObjectError(error)
            }
            guard let known = ContentSums(bytes: bytes) else {
                throw ObjectError(S3Fault.corrupted("the sums of an object"))
            }
            sums = known
        } else {
            guard let known = ContentSums(metadata: object.metadata, byteCount: object.byteCount) else { return nil }
            sums = known
        }
        guard sums.byteCount == object.byteCount else {
            throw ObjectError(S3Fault.corrupted("\(object.byteCount) bytes in place of \(sums.byteCount)"))
        }
        return sums
    }

    /// Larger files lie on the disk: several at once would fill the memory.
    private static let mostInMemory: Int64 = 32 << 20

    /// All bytes in a file that nobody can change.
    ///
    /// - Parameter folder: where large files lie, without a name.
    static func source(_ reader: BucketReader, name: String, folder: String) throws(ObjectError) -> SourceFile {
        let inMemory = reader.byteCount <= mostInMemory
        let file = try attempt { () throws(SystemError) in
            try inMemory ? MemoryFile.unsized(name: "source") : Descriptor.unnamed(in: folder)
        }
        try copy(reader, 0..<reader.byteCount, to: file)
        return try source(file, name: name, inMemory: inMemory)
    }

    /// The beginning and the end of a file, with zeros between, in memory: what tells a file's type.
    ///
    /// - Parameter edge: the bytes at each end.
    static func outline(_ reader: BucketReader, name: String, edge: Int64) throws(ObjectError) -> SourceFile {
        let byteCount = reader.byteCount
        let file = try attempt { () throws(SystemError) in try MemoryFile.unsized(name: "source") }
        try attempt { () throws(SystemError) in
            _ = try checking("ftruncate") { ftruncate(file.number, off_t(byteCount)) }
        }
        try copy(reader, 0..<min(edge, byteCount), to: file)
        try copy(reader, max(edge, byteCount - edge)..<max(edge, byteCount), to: file)
        return try source(file, name: name, inMemory: true)
    }

    /// Bytes as a file in memory.
    static func source(_ buffer: PartBuffer?, name: String) throws(ObjectError) -> SourceFile {
        let file = try attempt { () throws(SystemError) in
            let file = try MemoryFile.unsized(name: "source")
            if let buffer { try file.write(buffer.bytes) }
            return file
        }
        return try source(file, name: name, inMemory: true)
    }

    private static func copy(
        _ reader: BucketReader, _ range: Range<Int64>, to file: Descriptor
    ) throws(ObjectError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockHasher.blockByteCount, alignment: 64)
        defer { buffer.deallocate() }
        var place = range.lowerBound
        while place < range.upperBound {
            let count = min(Int64(buffer.count), range.upperBound - place)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)])
            guard try reader.read(into: part, at: place) == part.count else {
                throw .unavailable(detail: "an object ended early")
            }
            try attempt { () throws(SystemError) in
                try file.write(UnsafeRawBufferPointer(part), at: place)
            }
            place += count
        }
    }

    private static func source(_ file: Descriptor, name: String, inMemory: Bool) throws(ObjectError) -> SourceFile {
        let readable = try attempt { () throws(SystemError) in
            if inMemory {
                try MemoryFile.seal(file)
                return file
            }
            return try file.reopenedForReading()
        }
        do throws(Failure) {
            return try SourceFile.opened(readable, name: name)
        } catch {
            throw .unavailable(detail: error.detail)
        }
    }
}

/// Runs calls of a module, and turns the kernel's error into the store's.
private func attempt<Answer>(_ body: () throws(SystemError) -> Answer) throws(ObjectError) -> Answer {
    do throws(SystemError) {
        return try body()
    } catch {
        let isFull = [ENOSPC, EDQUOT, ENOMEM].contains(error.number)
        throw isFull ? .noSpace(detail: "\(error)") : .unavailable(detail: "\(error)")
    }
}
