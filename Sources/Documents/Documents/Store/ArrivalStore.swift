public import Media

/// The rows of files on their way, and the room that they take: of those that arrive within one request, and of resumable uploads.
///
/// A row is there before the first byte, and ends in the transaction that stores the file.
public protocol ArrivalStore: Sendable {
    /// Gives a file on its way room for so many bytes in all.
    ///
    /// - Throws: as `addIntake`; `notFound` or `conflict` where the arrival has ended.
    func reserve(
        _ byteCount: Int64, for object: ObjectID, _ arrival: ObjectArrival, of owner: ID<Person>?, allowed: Int64?
    ) throws(DocumentError)

    // MARK: Within one request

    /// Announces a file that arrives within one request, before its first byte. It takes the room of the bytes that it has at least. The call
    /// may be repeated after a lost answer.
    ///
    /// - Parameters:
    ///   - owner: `nil` for a file of nobody's.
    ///   - allowed: the most bytes that the owner's files, or all of nobody's, may take with this one; `nil` for no bound.
    /// - Throws: `overQuota`; `crowded`; `conflict` where the person was removed.
    func addIntake(
        of object: ObjectID, for owner: ID<Person>?, byteCount: Int64, allowed: Int64?
    ) throws(DocumentError)

    /// Ends the arrival of a file that is not stored. One that has ended already is left as it is.
    ///
    /// - Parameter leavesBytes: whether something of it may be in the store, which then becomes a removal.
    func endIntake(of object: ObjectID, leavesBytes: Bool) throws(DocumentError)

    /// Files that arrive within one request, and were announced at least `age` ago.
    func intakes(olderThan age: Duration) throws(DocumentError) -> [ObjectID]

    // MARK: Resumable uploads

    /// Begins an upload that expires after `lifetime`. It takes the room of its declared length. The call may be repeated after a lost answer.
    ///
    /// - Parameter allowed: the most bytes that the person's files may take with this one; `nil` for no bound.
    /// - Throws: `overQuota`; `tooMany`.
    func addUpload(
        _ id: ID<Upload>, of owner: ID<Person>, by uploader: ID<Person>, for purpose: Upload.Purpose, length: Int64?,
        lifetime: Duration, allowed: Int64?
    ) throws(DocumentError) -> Upload

    /// An upload by its identity, expired or not.
    ///
    /// - Parameter owner: whose it has to be; `nil` for anybody's.
    func upload(_ id: ID<Upload>, of owner: ID<Person>?) throws(DocumentError) -> Upload

    /// Declares the size of an upload that began without one, and gives it that room.
    ///
    /// - Throws: `conflict` if another size was declared, or the upload takes no more bytes; `overQuota`.
    @discardableResult
    func declareLength(
        _ length: Int64, of id: ID<Upload>, owner: ID<Person>, allowed: Int64?
    ) throws(DocumentError) -> Upload

    /// Ends the arrival of an upload whose bytes are all on the disk: from `receiving` to `checking`. A later state stays.
    ///
    /// - Parameters:
    ///   - uploader: who asks for the end, and has to have the right to it; `nil` for who did before.
    ///   - replacing: whether they allow a file of the bucket to be replaced. That counts until the upload has ended.
    /// - Returns: the upload as it is now.
    func endArrival(
        of upload: Upload, by uploader: ID<Person>?, replacing: Bool
    ) throws(DocumentError) -> Upload

    /// Notes what an upload's file is: from `checking` to `finishing`. Another state stays.
    ///
    /// - Returns: the upload as it is now.
    func note(_ content: FileContent, of upload: Upload) throws(DocumentError) -> Upload

    /// Lets an upload whose bytes are lost receive them anew, if it is still in the state in which the caller has it.
    ///
    /// - Returns: the upload as it is now.
    func restart(_ upload: Upload) throws(DocumentError) -> Upload

    /// Notes what a client was told of an upload whose bytes are all there, and which a later request may finish all the same.
    func note(trouble: String, of upload: Upload) throws(DocumentError)

    /// Refuses an upload that is still in the state in which the caller has it, and removes its bytes. `add` ends one whose file is stored.
    ///
    /// - Returns: the upload as it is now.
    @discardableResult
    func refuse(_ upload: Upload, message: String) throws(DocumentError) -> Upload

    /// A page of the uploads that have not ended, the oldest first.
    ///
    /// - Parameter owner: whose, without those that take no more bytes as they have expired; `nil` for everybody's.
    func openUploads(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Upload, StorePlace>

    /// Removes an upload with its bytes. Whoever still writes to it cannot finish it any more.
    ///
    /// - Returns: `false` for one whose file is stored, which stays.
    @discardableResult
    func removeUpload(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) -> Bool

    /// Removes the uploads whose time is over, with the bytes that are no stored file: an hour later, and those whose bytes have all arrived a
    /// day later. Until then somebody may finish them.
    ///
    /// - Returns: how many there were.
    func removeExpiredUploads() throws(DocumentError) -> Int
}
