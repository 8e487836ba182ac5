public import Documents
internal import Linux
public import Media
public import Objects
internal import Thumbnailer

/// One file on its way into the library, checked while it arrives. Used by one request at a time.
///
/// Its name and first bytes are held against the type's rule as soon as type, name and bytes are there, in whatever order they
/// come, and the whole file at the end. Then `finish` stores it, `close` keeps what arrived for uploads that go on later, or `discard`
/// removes it.
public final class Intake: Sendable {
    private let library: DocumentLibrary
    private let file: any IncomingObject
    /// `nil` for a file that was resumed.
    private let owner: ID<Person>?
    /// The most bytes.
    private let limit: Int64
    private let state: State
    private let room: RoomReservation

    /// What the form has told so far; one request at a time has it.
    private final class State: @unchecked Sendable {
        var type: DocumentType?
        var fileName: String?
        var isBeginningChecked = false
    }

    /// - Parameters:
    ///   - room: the file's.
    ///   - limit: the most bytes; the library's own where it is `nil`.
    init(
        _ library: DocumentLibrary, _ file: any IncomingObject, _ room: RoomReservation, owner: ID<Person>? = nil,
        limit: Int64? = nil
    ) {
        self.library = library
        self.limit = limit ?? library.options.maxUploadByteCount
        self.file = file
        self.room = room
        self.owner = owner
        state = State()
        state.isBeginningChecked = file.byteCount >= Self.beginningByteCount
    }

    private init(_ other: Intake, _ room: RoomReservation) {
        (library, file, owner, limit, state) = (other.library, other.file, other.owner, other.limit, other.state)
        self.room = room
    }

    /// The same file with a room of its own.
    func taking(_ room: RoomReservation) -> Intake { Intake(self, room) }

    /// The name under which the upload can go on later.
    public var id: IncomingID { file.id }

    /// The number of bytes that arrived.
    public var byteCount: Int64 { file.byteCount }

    /// Notes what the document is to be.
    ///
    /// - Throws: `refusedType` where name or first bytes do not fit.
    public func setType(_ type: DocumentType) throws(DocumentError) {
        state.type = type
        try checkBeginning(isWhole: false)
        intend()
    }

    /// Notes the file's name.
    ///
    /// - Throws: `refusedType` where type or first bytes do not fit.
    public func setFileName(_ name: String) throws(DocumentError) {
        state.fileName = FileName.shown(name)
        try checkBeginning(isWhole: false)
        intend()
    }

    /// Tells the store where the file will lie, as soon as that is known.
    private func intend() {
        guard let owner, let type = state.type, let fileName = state.fileName else { return }
        let path = try? ObjectPath(
            user: owner.text, type: type, milliseconds: Instant.now.microseconds / 1000, fileName: fileName)
        if let path { file.intend(path) }
    }

    /// Refuses a file that says it is over the limit, or has more bytes than there is room for.
    public func expect(_ byteCount: Int64) throws(DocumentError) {
        guard byteCount <= limit else { throw .tooLarge(limit: limit) }
        try room.grow(to: byteCount)
    }

    /// Adds bytes.
    ///
    /// - Throws: `tooLarge` beyond the limit, `overQuota`, `refusedType`, `full`; the bytes before stay.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        try expect(file.byteCount + Int64(bytes.count))
        try DocumentError.converting { () throws(ObjectError) in try file.append(bytes) }
        try checkBeginning(isWhole: false)
    }

    /// Adds the bytes of a file.
    func append(_ source: SourceFile) throws(DocumentError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count: Int
            do throws(SystemError) {
                count = try source.descriptor.read(into: buffer, at: offset)
            } catch {
                throw .unavailable(detail: "the file cannot be read: \(error)")
            }
            if count == 0 { return }
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Brings to the disk what arrived, and lets go of the file, so that the upload can go on later.
    public func close() throws(DocumentError) {
        try DocumentError.converting { () throws(ObjectError) in try file.close() }
    }

    /// Stores the whole file as a version of a document.
    ///
    /// - Parameters:
    ///   - title: checked here; without one, the file's name without its extension.
    ///   - predecessor: any version of the line that the new version joins.
    ///   - upload: the resumable upload by which the file came.
    /// Whether the uploader may still change the owner's things is asked inside the transaction that stores the version.
    /// - Throws: `notAllowed`; `invalid` for a text, `refusedType` for the file; what arrived stays until `discard`.
    public func finish(
        owner: ID<Person>, uploader: ID<Person>, title: String?, description: String?, school: ID<School>?,
        predecessor: ID<Document>?, upload: ID<Upload>? = nil
    ) throws(DocumentError) -> Document {
        guard let fileName = state.fileName, file.byteCount > 0 else {
            throw .invalid(field: "file", message: "Choose a file.")
        }
        guard let type = state.type else { throw .invalid(field: "type", message: "Choose a document type.") }
        let title = try TextRules.title(title ?? Self.title(from: fileName))
        let description = try TextRules.description(description)
        try checkBeginning(isWhole: true)
        let digest = try DocumentError.converting { () throws(ObjectError) in try file.seal() }
        let facts = try check(type, fileName)
        let path = try library.commit(file, owner: owner, type: type, fileName: fileName)
        let stored = Document.File(
            path: path.text, name: fileName, mediaType: facts.mediaType, digest: digest, byteCount: file.byteCount)
        do throws(DocumentError) {
            defer { room.settle() }
            return try library.store.add(
                NewDocument(
                    owner: owner, uploader: uploader, type: type, title: title, description: description,
                    school: school, file: stored, facts: facts, predecessor: predecessor, upload: upload,
                    state: library.scanner == nil ? .stored : .quarantined,
                    allowedByteCount: try library.allowedByteCount(of: owner))
            ) { () throws(DocumentError) in try library.mayChange(uploader, owner) }
        } catch {
            switch error {
            // The database's answer may have been lost: the row that names the file may be there, or still come. Where it does not
            // come, the sweep finds the file.
            case .unavailable where library.store.mayHideCommits: break
            default: library.removeUnnamed(path)
            }
            throw error
        }
    }

    /// Stores the whole file as the object of a path, which no document names.
    ///
    /// - Throws: as `finish`.
    public func finish(at path: ObjectPath) throws(DocumentError) {
        guard let fileName = state.fileName, file.byteCount > 0 else {
            throw .invalid(field: "file", message: "Choose a file.")
        }
        guard let type = state.type else { throw .invalid(field: "type", message: "Choose a document type.") }
        try checkBeginning(isWhole: true)
        try DocumentError.converting { () throws(ObjectError) in _ = try file.seal() }
        _ = try check(type, fileName)
        try DocumentError.converting { () throws(ObjectError) in _ = try file.commit(to: path, replacing: false) }
    }

    /// The name without its extension.
    private static func title(from fileName: String) -> String {
        let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
        return String((stem.isEmpty ? fileName[...] : stem).prefix(TextRules.longestTitle))
    }

    /// Gives the room back that the file takes on its way, once it counts in a row.
    public func settle() { room.settle() }

    /// Removes what arrived.
    public func discard() {
        room.settle()
        do throws(ObjectError) {
            try file.discard()
        } catch {
            library.warn(DocumentError(error))
        }
    }

    /// The sniffer's facts of the whole file, which the type allows.
    private func check(_ type: DocumentType, _ fileName: String) throws(DocumentError) -> Facts {
        let source = try DocumentError.converting { () throws(ObjectError) in try file.source(name: fileName) }
        return try DocumentError.convertingFailure { () throws(Failure) in
            let facts = try library.engine.sniff(source)
            try type.check(fileName: fileName, facts: facts)
            return facts
        }
    }

    /// Holds the name, and the first bytes once there are enough, against the type's rule.
    private func checkBeginning(isWhole: Bool) throws(DocumentError) {
        guard let type = state.type, let fileName = state.fileName, !state.isBeginningChecked else { return }
        let isEnough = file.byteCount >= Self.beginningByteCount
        try DocumentError.convertingFailure { () throws(Failure) in
            try type.checkBeginning(fileName: fileName, facts: nil)
        }
        guard isEnough, !isWhole else { return }
        let beginning = try DocumentError.converting { () throws(ObjectError) in
            try file.prefix(Self.beginningByteCount)
        }
        try DocumentError.convertingFailure { () throws(Failure) in
            let facts = try library.engine.sniff(try .inMemory(name: fileName, bytes: beginning))
            try type.checkBeginning(fileName: fileName, facts: facts)
        }
        state.isBeginningChecked = true
    }

    /// Enough for every signature, and for the junk that may precede a PDF's.
    private static let beginningByteCount = 8192
}
