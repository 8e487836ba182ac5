public import Media

/// The rows of documents and all that belongs to them. Each operation is atomic and, on return, on disk.
///
/// Calls block, and may come from any thread; other processes may share the store. Every operation names the person whose things
/// it is about: what belongs to others is `notFound`. A change and its event, and a new version and the job for its pictures, are
/// one transaction.
public protocol DocumentStore: ArrivalStore {
    /// Makes several changes one: on return all of them are on disk, after an error none.
    ///
    /// Calls of this store by `body`, on its thread, belong to the change: reads see what it has done, and a call that fails takes
    /// back its own part alone. All other changes wait meanwhile, so `body` must be short: it must not read files.
    /// - Parameter owners: the people whose things are changed, where what `body` reads decides about the change: nobody else changes these
    ///   things from the first read on.
    /// - Throws: what `body` throws, or `DocumentError`.
    func transaction<Value>(of owners: Set<ID<Person>>, _ body: () throws -> Value) throws -> Value

    // MARK: Documents

    /// Stores a version and queues its pictures. It becomes the current one of its line, with the line's next number.
    ///
    /// It has the title of its line, and the description and school that the line shows where it names none. A version that
    /// came by a resumable upload ends that upload. The call may be repeated after a lost answer: the version that names the object already is
    /// the answer, unless the object had a row before.
    /// - Parameter isAllowed: whether the uploader may still do so, asked inside the transaction: what it reads of the same database by
    ///   the stores of this thread stays so until the version is stored.
    /// - Throws: `notAllowed`; `notFound` where predecessor, school, upload or a stored object are not the owner's; `invalid` where the
    ///   predecessor has another type; `taken` where another file has the path; `conflict` where another version has the object or the
    ///   upload has failed; `overQuota`.
    func add(_ new: NewDocument, if isAllowed: () throws(DocumentError) -> Bool) throws(DocumentError) -> Document

    /// A version by its identity.
    func document(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document

    /// The version that names an object; `nil` where there is none.
    func document(withObject object: ObjectID) throws(DocumentError) -> Document?

    /// The newest document of a person with this type and title (to the letter), at the version that its line shows.
    func document(
        ofType type: DocumentType, titled title: String, of owner: ID<Person>
    ) throws(DocumentError) -> Document?

    /// A page of all versions of all lines, by identity.
    ///
    /// - Parameters:
    ///   - owner: `nil` for everybody's.
    ///   - limit: the most rows that are read.
    func allVersions(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Document, StorePlace>

    /// The versions of a person whose title or description may have a text, by an index of all texts. Any of them may not have it.
    ///
    /// - Parameter text: of at least three characters, all of them ASCII.
    /// - Returns: `nil` where there is no such index, or there are more than `most`: then each version has to be looked at.
    func versions(
        thatMayHave text: String, of owner: ID<Person>, atMost most: Int
    ) throws(DocumentError) -> [ID<Document>]?

    /// A page of the lines, each at the version that it shows. An unreadable row is left out.
    func list(_ query: ListQuery, of owner: ID<Person>) throws(DocumentError) -> ListPage

    /// Sums over all documents of a person.
    func statistics(of owner: ID<Person>) throws(DocumentError) -> DocumentStatistics

    /// All versions of a version's line, the highest number first.
    func versions(of id: ID<Document>, owner: ID<Person>) throws(DocumentError) -> [Document]

    /// Changes texts and school. A title becomes that of the whole line.
    func change(
        _ id: ID<Document>, of owner: ID<Person>, to change: DocumentChange
    ) throws(DocumentError) -> Document

    /// Takes the mark of the current version from a version: its line has none then, and lists show its highest version.
    func clearCurrent(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document

    /// Makes a version the current one of its line.
    func restore(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document

    /// Removes a version's whole line with its files.
    ///
    /// - Returns: the removed versions.
    @discardableResult
    func removeLine(of id: ID<Document>, owner: ID<Person>) throws(DocumentError) -> [Document]

    /// Removes one version alone with its file. If it was the current one, the highest of the rest is shown.
    @discardableResult
    func removeVersion(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document

    // MARK: Sharing

    /// Shares a version's line with schools; a school that has it gets the new permission.
    func share(
        _ id: ID<Document>, of owner: ID<Person>, with schools: [ID<School>], permission: Share.Permission
    ) throws(DocumentError) -> Document

    /// Ends the sharing of a version's line with schools.
    ///
    /// - Throws: `notFound` where it is not shared with one of them; nothing is changed then.
    func unshare(
        _ id: ID<Document>, of owner: ID<Person>, from schools: [ID<School>]
    ) throws(DocumentError) -> Document

    /// Makes a link to a version's line, which ends after `lifetime`.
    ///
    /// - Throws: `tooMany`, also for one document.
    func addLink(
        to id: ID<Document>, of owner: ID<Person>, by maker: ID<Person>, permission: ShareLink.Permission,
        lifetime: Duration
    ) throws(DocumentError) -> ShareLink

    /// The links to a version's line that have not ended, the newest first.
    func links(to id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> [ShareLink]

    /// The links to some of a person's lines that have not ended, the newest first.
    func links(toLines lines: [ID<Line>], of owner: ID<Person>) throws(DocumentError) -> [ShareLink]

    /// Ends a link to a version's line.
    func removeLink(
        _ link: ID<ShareLink>, to id: ID<Document>, of owner: ID<Person>
    ) throws(DocumentError)

    /// What the link with a token opens now; `notFound` where there is none, or it has ended. Whether its maker's right stands, the
    /// caller asks.
    ///
    /// - Parameter isVisit: whether this counts as a visit.
    func sharedDocument(by token: ShareLink.Token, isVisit: Bool) throws(DocumentError) -> SharedDocument

    // MARK: Schools

    /// A person's schools by name.
    func schools(of owner: ID<Person>) throws(DocumentError) -> [School]

    /// Adds schools, all or none.
    ///
    /// - Throws: `conflict` where the list has one of the names, or they have one twice.
    func addSchools(named names: [String], of owner: ID<Person>) throws(DocumentError) -> [School]

    /// Gives a school another name.
    func renameSchool(_ id: ID<School>, of owner: ID<Person>, to name: String) throws(DocumentError) -> School

    /// Removes a school; its documents become "General", and are no longer shared with it. Each of them is a changed document.
    func removeSchool(_ id: ID<School>, of owner: ID<Person>) throws(DocumentError)

    // MARK: Communication templates

    /// A person's templates, the last changed first.
    func templates(of owner: ID<Person>) throws(DocumentError) -> [CommunicationTemplate]

    /// Adds a template with checked texts.
    func addTemplate(
        named name: String, type: CommunicationTemplate.Channel, body: String, of owner: ID<Person>
    ) throws(DocumentError) -> CommunicationTemplate

    /// Changes a template, field by field.
    func changeTemplate(
        _ id: ID<CommunicationTemplate>, of owner: ID<Person>, name: String?, type: CommunicationTemplate.Channel?,
        body: String?
    ) throws(DocumentError) -> CommunicationTemplate

    /// Removes a template from its owner's list for good.
    func removeTemplate(_ id: ID<CommunicationTemplate>, of owner: ID<Person>) throws(DocumentError)

    // MARK: Objects

    /// Gives a file whose bytes are stored its row: from now on it counts. The call may be repeated after a lost answer.
    ///
    /// - Parameters:
    ///   - replacing: whether another file at its path is removed in the same change.
    ///   - allowed: the most bytes that the owner's files, or all of nobody's, may take with this one; `nil` for no bound.
    ///   - arrival: the row by which the file came, whose room it takes over, and which ends with it; `nil` for a file that nobody has
    ///     announced.
    ///   - isAllowed: as for `add(_:if:)` of a version.
    /// - Throws: `notAllowed`; `taken` where another file has the path and is not to be replaced; `referenced` where a version names that
    ///   file; `overQuota`; `crowded`; `tooMany`.
    func add(
        _ new: NewObject, replacing: Bool, allowed: Int64?, arrival: ObjectArrival?,
        if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> StoredObject

    /// An object by its identity; `nil` where there is none.
    func object(_ id: ObjectID) throws(DocumentError) -> StoredObject?

    /// The object at a path of the bucket; `nil` where there is none.
    func object(at path: String) throws(DocumentError) -> StoredObject?

    /// A page of objects by identity.
    ///
    /// - Parameter owner: whose; `nil` for everybody's.
    func objects(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<StoredObject, StorePlace>

    /// A page of the objects below a folder of the bucket, in the order of their paths' bytes, without their facts and the metadata of clients.
    ///
    /// - Parameters:
    ///   - folder: with a slash at its end; empty for all that have a path.
    ///   - place: its key is a path, of an object or of none.
    func objects(
        below folder: String, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<StoredObject, StorePlace>

    /// Whether an object has a row, be it readable or not.
    func hasObject(_ id: ObjectID) throws(DocumentError) -> Bool

    /// Those of some identities that are neither an object's nor of a file on its way, be their rows readable or not.
    func unknownObjects(among ids: [ObjectID]) throws(DocumentError) -> Set<ObjectID>

    /// Gives an object another path, and the owner of that path.
    ///
    /// - Parameter allowed: the most bytes that the files of another owner may take with this one; `nil` for no bound.
    /// - Throws: `notFound` where nothing is at the path; `referenced` where a version names it; `taken` where the new path has another
    ///   file; for another owner `overQuota`, `tooMany`, and `conflict` where the person was removed.
    func moveObject(
        from path: String, to newPath: String, of owner: ID<Person>, allowed: Int64?
    ) throws(DocumentError)

    /// Removes an object, whatever names it. A version that has named it stays without a file.
    ///
    /// - Parameter path: where the object has to be still; `nil` for anywhere.
    /// - Returns: whether there was one.
    @discardableResult
    func removeObject(_ id: ObjectID, at path: String?) throws(DocumentError) -> Bool

    /// The bytes that a person's files take, with the room of uploads that have begun.
    ///
    /// - Parameter owner: `nil` for all files that are nobody's.
    func usedByteCount(of owner: ID<Person>?) throws(DocumentError) -> Int64

    /// A page of the objects that no scanner has looked at yet, by identity.
    func pendingObjects(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<StoredObject, StorePlace>

    /// Writes what a scanner says of an object. A version that names a passed one ends its quarantine, and gets its pictures; that of an
    /// infected one stays there for good, with a reason for people. Only an object that waits is changed.
    func judge(_ id: ObjectID, _ verdict: StoredObject.Verdict, reason: String?) throws(DocumentError)

    // MARK: Pictures and removals

    /// A page of the contents whose picture jobs have ended and are not settled yet, by the jobs' numbers.
    func endedPictures(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<EndedPictures, StorePlace>

    /// Writes what became of a content's pictures to all versions with that content, with an event each. An end that another
    /// caller has settled meanwhile changes nothing.
    func settle(_ ended: EndedPictures, _ outcome: PictureOutcome) throws(DocumentError)

    /// Queues one picture of an object, beside those that each version gets. The job goes with the object.
    ///
    /// - Parameter urgency: an equal job that waits already is raised to it.
    /// - Returns: the job's number in the queue, that of an equal job where one is unfinished; `nil`, and no job, if the picture is awaited
    ///   and the owner has `PersonBounds.awaitedPictures` that are not made yet.
    /// - Throws: `notFound` for an object that was removed.
    func order(_ recipe: Recipe, of object: ObjectID, _ urgency: PictureUrgency) throws(DocumentError) -> Int64?

    /// Removals whose time has come, and which nobody has taken; at most `limit`.
    func dueRemovals(limit: Int) throws(DocumentError) -> [Removal]

    /// Takes the removal that has been due the longest: nobody else gets it until `lease` is over.
    ///
    /// - Returns: `nil` where none is due.
    func takeRemoval(for lease: Duration) throws(DocumentError) -> Removal?

    /// Whether bytes of a person are still to be removed, whoever has taken them.
    func hasRemovals(of owner: ID<Person>) throws(DocumentError) -> Bool

    /// Whether a change that failed as `unavailable` may have been made all the same, or still be made: the answer came, or did not
    /// come, by a network.
    var mayHideCommits: Bool { get }

    /// Whether any object has this content.
    func isUsed(_ digest: Digest) throws(DocumentError) -> Bool

    /// Deletes the jobs for a removed object.
    ///
    /// - Returns: `false` where a worker has one in work: it may still store pictures.
    func forgetJobs(of removal: Removal) throws(DocumentError) -> Bool

    /// Ends a removal that is done. One that somebody else has taken since stays.
    func endRemoval(_ removal: Removal) throws(DocumentError)

    /// Puts a removal off after a failed try. One that somebody else has taken since stays as it is.
    func delayRemoval(_ removal: Removal) throws(DocumentError)

    // MARK: Upkeep

    /// Deletes what nobody reads any more: events after a week, links that have ended, and the identities of removed persons after two days. A
    /// few rows at a time; nobody's change waits for another person's meanwhile.
    func removeExpiredRows() throws(DocumentError)

    // MARK: Persons

    /// Rows of a person's lists that no list shows, since they cannot be read: schools, templates and links.
    func unreadableRows(of owner: ID<Person>) throws(DocumentError) -> [UnreadableRow]

    /// Forgets what is left of a person whose documents are removed: schools, templates, uploads, events, counts, and rows that
    /// cannot be read.
    func forget(_ owner: ID<Person>) throws(DocumentError)

    // MARK: Events

    /// A person's events behind a number, the first one first; the oldest are forgotten after a week. One that cannot be read is left out,
    /// and makes the answer no shorter.
    func events(after number: Int64, of owner: ID<Person>, limit: Int) throws(DocumentError) -> [DocumentEvent]

    /// The number of a person's latest event, of those that are in work, too: every later one has a larger number. 0 without any.
    func latestEvent(of owner: ID<Person>) throws(DocumentError) -> Int64

    /// A number that has grown once a change by any process of this machine was answered to its client; a change on another machine
    /// counts milliseconds later. Asking is cheap, and does not block.
    func changeNumber() -> Int64

    /// Sleeps until something was written since the last call, or `limit` has passed.
    func makeListener() throws(DocumentError) -> any StoreListener
}
