internal import Database
public import Documents
public import Linux
public import Media
internal import Objects
internal import SourceFiles

extension DocumentLibrary {
    /// Begins to take in a file.
    ///
    /// - Parameters:
    ///   - owner: the owner of the future document or file of the bucket.
    ///   - byteCount: the known minimum size of the file, in bytes.
    ///   - memory: the memory for the file's bytes, from the store of files; without it all bytes are at hand.
    /// - Throws: `overQuota`.
    public func receive(
        for owner: ID<Person>, announcing byteCount: Int64 = 0, in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> Intake {
        try intake(of: owner, announcing: byteCount, in: memory)
    }

    /// Begins to take in a résumé, which becomes no document.
    ///
    /// - Parameters:
    ///   - owner: whose résumé it is; `nil` for one without an owner.
    ///   - byteCount: the known minimum size of the file, in bytes.
    ///   - memory: as for `receive`.
    /// - Throws: `overQuota`; `crowded` without an owner.
    public func receiveResume(
        of owner: ID<Person>?, announcing byteCount: Int64, in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> Intake {
        try intake(of: owner, announcing: byteCount, in: memory, limit: options.maxResumeByteCount)
    }

    /// Every file that arrives within one request has its row, with reserved space, before its first byte.
    private func intake(
        of owner: ID<Person>?, announcing byteCount: Int64, in memory: MemoryBudget.Share?, limit: Int64? = nil
    ) throws(DocumentError) -> Intake {
        let id = try announce(byteCount, of: owner)
        do throws(ObjectError) {
            let file = try objects.begin(id, in: memory)
            return Intake(self, file, .intake, of: owner, reserved: byteCount, limit: limit)
        } catch {
            endIntake(of: id, leavesBytes: true)
            throw DocumentError(error)
        }
    }

    /// Announces a file, which gets a new ID and reserved space.
    func announce(_ byteCount: Int64, of owner: ID<Person>?) throws(DocumentError) -> ObjectID {
        let id = ObjectID.random()
        try repeating { () throws(DocumentError) in
            try store.addIntake(
                of: id, for: owner, byteCount: byteCount, allowed: options.allowedByteCount(of: owner))
        }
        return id
    }

    /// Ends the arrival of a file that is not stored. If that fails, `endAbandonedIntakes` does it.
    ///
    /// A file that was stored after all, by a call whose response was lost or is still to come, stays: its arrival has
    /// ended, or ends first.
    public func endIntake(of object: ObjectID, leavesBytes: Bool) {
        // This is not a change of the person's: a person whose right was revoked leaves nothing behind.
        ChangePermit.with(nil) {
            do throws(DocumentError) {
                try store.endIntake(of: object, leavesBytes: leavesBytes)
            } catch {
                warn(error)
            }
        }
    }

    /// Stores a local file as the first version of a document, with the file's name as its title.
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
                by: owner, title: nil, description: nil, school: nil, predecessor: nil)
        } catch {
            intake.discard()
            throw error
        }
    }
}
