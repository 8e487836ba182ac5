public import Documents
public import Linux
public import Media
internal import Objects
internal import Thumbnailer

extension DocumentLibrary {
    /// Begins to take a file in.
    ///
    /// - Parameters:
    ///   - owner: whose document or file of the bucket it is to be.
    ///   - byteCount: the bytes that the file is known to have at least.
    ///   - memory: the memory for the file's bytes, from the store of files; without it all bytes are at hand.
    /// - Throws: `overQuota`.
    public func receive(
        for owner: ID<Person>, announcing byteCount: Int64 = 0, in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> Intake {
        let room = try reserveRoom(for: byteCount, of: owner)
        let file = try DocumentError.converting { () throws(ObjectError) in try objects.begin(in: memory) }
        return Intake(self, file, room)
    }

    /// Begins to take a résumé in, which becomes no document.
    ///
    /// - Parameters:
    ///   - owner: whose résumé it is; `nil` for nobody's.
    ///   - byteCount: the bytes that the file is known to have at least.
    ///   - memory: as for `receive`.
    /// - Throws: `overQuota`; `crowded` for nobody's.
    public func receiveResume(
        of owner: ID<Person>?, announcing byteCount: Int64, in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> Intake {
        let room = try reserveRoom(for: byteCount, of: owner)
        let file = try DocumentError.converting { () throws(ObjectError) in try objects.begin(in: memory) }
        return Intake(self, file, room, limit: options.maxResumeByteCount)
    }

    /// Stores a file of this machine as the first version of a document, with the file's name as its title.
    public func importFile(
        _ path: String, as type: DocumentType, owner: ID<Person>
    ) throws(DocumentError) -> Document {
        let source = try DocumentError.convertingFailure { () throws(Failure) in try SourceFile.open(path) }
        let intake = try receive(for: owner)
        do throws(DocumentError) {
            try intake.setType(type)
            try intake.setFileName(path)
            try intake.expect(source.byteCount)
            try intake.append(source)
            return try intake.finish(
                owner: owner, uploader: owner, title: nil, description: nil, school: nil, predecessor: nil)
        } catch {
            intake.discard()
            throw error
        }
    }
}
