internal import Linux
public import Media

extension FolderStore {
    /// Copies through an incoming file, so that the copy appears whole.
    public func copy(_ id: ObjectID, to copy: ObjectID) throws(ObjectError) {
        let object = try open(id)
        let copy = try begin(copy, in: nil)
        do throws(ObjectError) {
            try copy.append(object)
            try copy.commit()
        } catch {
            try? copy.discard()
            throw error
        }
    }

    /// Removes the file's name from its folder.
    @discardableResult
    public func remove(_ id: ObjectID) throws(ObjectError) -> Bool {
        do throws(SystemError) {
            return try tree.remove(id)
        } catch {
            throw .unavailable(detail: "\(error)")
        }
    }
}

extension IncomingObject {
    /// Adds the bytes of an object.
    public func append(_ object: any ObjectReader) throws(ObjectError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try object.read(into: buffer, at: offset)
            if count == 0 { return }
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }
}
