public import Documents
public import JobQueue
internal import Linux
public import Media
public import Objects
internal import Synchronization
public import ThumbnailCache
public import Thumbnailer

/// The documents of all people: the one place that does the work, whichever face asks for it.
///
/// Rows are in the store, bytes in the object store, pictures in the cache. Bytes are written before their row, and
/// removed after it. So a crash leaves at most bytes without a row, which are no file. Calls block, except `async`
/// ones.
public final class DocumentLibrary: Sendable {
    /// The rows.
    public let store: DocumentStore
    /// The files.
    public let objects: any ObjectStore
    /// The queue from which a worker, here or elsewhere, makes pictures.
    let queue: any JobQueue
    /// Recognises types, and reads facts and texts, in confined children.
    let engine: Thumbnailer
    /// The renditions.
    let cache: FolderCache
    /// The pictures of other machines; `nil` if there are none.
    let shared: (any SharedPictures)?
    /// Looks for malware in each file before anybody gets it; `nil` if none is set.
    let scanner: (any Scanner)?
    /// The limits that the operator has set.
    public let options: Options
    /// Says whether a person may change an owner's data now; called by the step that stores what they sent.
    public typealias PermissionCheck =
        @Sendable (_ actor: ID<Person>, _ owner: ID<Person>) throws(DocumentError) -> Bool
    let mayChange: PermissionCheck

    /// People may change their own data only.
    public static let onlyOwn: PermissionCheck = { actor, owner throws(DocumentError) in actor == owner }

    /// Called with trouble that no caller sees.
    let warn: @Sendable (DocumentError) -> Void
    /// Where the settling of ended pictures continues; `nil` for the beginning.
    let settledPlace = Mutex<StorePlace?>(nil)
    /// Announced files that the last check did not find.
    let missingIntakes = Mutex<Set<ObjectID>>([])
    /// Requests that wait for a picture.
    let desk = PictureDesk()
    /// Pictures that are made for visitors.
    let visits = VisitorPictures()
    /// Pictures that are made while nobody waits for one.
    let ahead = PicturesAhead()
    /// Requests that write to resumable uploads.
    public let uploads = UploadDesk()
    /// Clients that follow events.
    public let events: EventHub

    /// The limits that the operator sets.
    public struct Options: Sendable {
        /// The largest file, in bytes.
        public var maxUploadByteCount: Int64 = 100_000_000
        /// The largest résumé, in bytes.
        public var maxResumeByteCount: Int64 = 10_000_000
        /// The most bytes of one person's versions and résumés; `nil` for no limit.
        public var personByteCount: Int64?
        /// The most bytes of all files without an owner together; `nil` for no limit.
        public var nobodyByteCount: Int64? = 2 << 30

        /// The default limits.
        public init() {}

        /// The most bytes that files may take.
        ///
        /// - Parameter owner: whose files they are; `nil` for files without an owner.
        func allowedByteCount(of owner: ID<Person>?) -> Int64? {
            owner == nil ? nobodyByteCount : personByteCount
        }
    }

    /// A library over these stores.
    ///
    /// - Parameters:
    ///   - queue: in one file with the store's rows.
    ///   - shared: the renditions of other machines.
    ///   - scanner: looks for malware; a file that it has not passed is in quarantine.
    ///   - mayChange: by default people may change their own data only. It may block.
    ///   - warn: called with trouble that no caller sees, such as a failed removal of a file that is retried.
    public init(
        store: DocumentStore, objects: any ObjectStore, queue: any JobQueue, engine: Thumbnailer,
        cache: FolderCache, shared: (any SharedPictures)? = nil, scanner: (any Scanner)? = nil,
        options: Options = Options(),
        mayChange: @escaping PermissionCheck = DocumentLibrary.onlyOwn,
        warn: @escaping @Sendable (DocumentError) -> Void
    ) {
        self.store = store
        self.objects = objects
        self.queue = queue
        self.engine = engine
        self.cache = cache
        self.shared = shared
        self.scanner = scanner
        self.options = options
        self.mayChange = mayChange
        self.warn = warn
        events = EventHub(store: store)
    }

}

extension Instant {
    /// The current time, by the wall clock.
    public static var now: Instant { Instant(microseconds: Time.wall / 1000) }
}

extension DocumentLibrary {
    /// Changes texts and school after checking the texts.
    ///
    /// - Throws: `invalid` naming the field, `notFound`.
    public func change(
        _ id: ID<Document>, of owner: ID<Person>, to change: DocumentChange
    ) throws(DocumentError) -> Document {
        var checked = change
        if let title = change.title { checked.title = try TextRules.title(title) }
        if let description = change.description {
            checked.description = .some(try TextRules.description(description))
        }
        return try store.change(id, of: owner, to: checked)
    }

    /// Adds schools, all or none, after checking their names.
    public func addSchools(named names: [String], of owner: ID<Person>) throws(DocumentError) -> [School] {
        var checked: [String] = []
        for name in names { checked.append(try TextRules.schoolName(name)) }
        return try store.addSchools(named: checked, of: owner)
    }

    /// Renames a school after checking its name.
    public func renameSchool(
        _ id: ID<School>, of owner: ID<Person>, to name: String
    ) throws(DocumentError) -> School {
        try store.renameSchool(id, of: owner, to: try TextRules.schoolName(name))
    }

    /// Adds a communication template after checking its texts.
    public func addTemplate(
        named name: String, type: CommunicationTemplate.Channel, body: String, of owner: ID<Person>
    ) throws(DocumentError) -> CommunicationTemplate {
        try store.addTemplate(
            named: try TextRules.templateName(name), type: type, body: try TextRules.templateBody(body), of: owner)
    }

    /// Changes a communication template field by field after checking its texts.
    public func changeTemplate(
        _ id: ID<CommunicationTemplate>, of owner: ID<Person>, name: String?, type: CommunicationTemplate.Channel?,
        body: String?
    ) throws(DocumentError) -> CommunicationTemplate {
        var (name, body) = (name, body)
        if let given = name { name = try TextRules.templateName(given) }
        if let given = body { body = try TextRules.templateBody(given) }
        return try store.changeTemplate(id, of: owner, name: name, type: type, body: body)
    }
}
