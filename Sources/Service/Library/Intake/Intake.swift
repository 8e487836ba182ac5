public import Documents
internal import Linux
public import Media
internal import Objects
internal import Thumbnailer

/// One file on its way into the library, checked while it arrives. Used by one request at a time.
///
/// Its name and first bytes are held against the type's rule as soon as type, name and bytes are there, in whatever order they
/// come, and the whole file at the end. Then `finish` stores it, `close` keeps what arrived for uploads that go on later, or `discard`
/// removes it.
public final class Intake: Sendable {
    private let library: DocumentLibrary
    private let file: any IncomingObject
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
        _ library: DocumentLibrary, _ file: any IncomingObject, _ room: RoomReservation, limit: Int64? = nil
    ) {
        self.library = library
        self.limit = limit ?? library.options.maxUploadByteCount
        self.file = file
        self.room = room
        state = State()
        state.isBeginningChecked = file.byteCount >= Self.beginningByteCount
    }

    private init(_ other: Intake, _ room: RoomReservation) {
        (library, file, limit, state) = (other.library, other.file, other.limit, other.state)
        self.room = room
    }

    /// The same file with a room of its own.
    func taking(_ room: RoomReservation) -> Intake { Intake(self, room) }

    /// The name under which the upload can go on later.
    public var id: ObjectID { file.id }

    /// The number of bytes that arrived.
    public var byteCount: Int64 { file.byteCount }

    /// Notes what the document is to be.
    ///
    /// - Throws: `refusedType` where name or first bytes do not fit.
    public func setType(_ type: DocumentType) throws(DocumentError) {
        state.type = type
        try checkBeginning(isWhole: false)
    }

    /// Notes the file's name.
    ///
    /// - Throws: `refusedType` where type or first bytes do not fit.
    public func setFileName(_ name: String) throws(DocumentError) {
        state.fileName = FileName.shown(name)
        try checkBeginning(isWhole: false)
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
    ///   - upload: the resumable upload by which the file came. It has failed where the row of a stored file cannot be written.
    /// - Throws: `notAllowed`, asked inside the transaction that stores the version; `invalid` for a text, `refusedType` for the file: what
    ///   arrived then stays until `discard`.
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
        let (digest, facts) = try whole(type, fileName)
        try DocumentError.converting { () throws(ObjectError) in try file.commit() }
        defer { room.settle() }
        var new = NewDocument(
            owner: owner, uploader: uploader, type: type, title: title, description: description, school: school,
            file: Document.File(
                object: file.id, path: "", name: fileName, mediaType: facts.mediaType, digest: digest,
                byteCount: file.byteCount),
            facts: facts, predecessor: predecessor, upload: upload, state: library.firstState,
            allowedByteCount: library.options.personByteCount)
        do throws(DocumentError) {
            return try store(&new)
        } catch {
            library.giveUp(file.id, after: error)
            // Its bytes are gone, so nothing can go on with it. The first error is the one that tells.
            if let upload { _ = try? library.store.endUpload(upload, of: owner, .failed(message: error.message)) }
            throw error
        }
    }

    /// Two files of one name in one millisecond get times beside each other.
    private func store(_ new: inout NewDocument) throws(DocumentError) -> Document {
        var milliseconds = Instant.now.microseconds / 1000
        let (owner, uploader, file) = (new.owner, new.uploader, new.file)
        while true {
            let path = try DocumentError.converting { [type = new.type] () throws(ObjectError) in
                try ObjectPath(user: owner.text, type: type, milliseconds: milliseconds, fileName: file.name)
            }
            new.file = Document.File(
                object: file.object, path: path.text, name: file.name, mediaType: file.mediaType, digest: file.digest,
                byteCount: file.byteCount)
            do throws(DocumentError) {
                return try library.store.add(new) { () throws(DocumentError) in try library.mayChange(uploader, owner) }
            } catch {
                guard error == .taken else { throw error }
                milliseconds += 1
            }
        }
    }

    /// Stores the whole file, which no document names.
    ///
    /// - Parameters:
    ///   - owner: whose file it is; `nil` for nobody's.
    ///   - name: stores the row that names the file, in one transaction with the file's own.
    /// - Throws: as `finish`; what `name` throws.
    public func finish<Naming>(
        owner: ID<Person>?, _ name: (ObjectID, _ fileName: String) throws -> Naming
    ) throws -> Naming {
        guard let fileName = state.fileName, file.byteCount > 0 else {
            throw DocumentError.invalid(field: "file", message: "Choose a file.")
        }
        guard let type = state.type else {
            throw DocumentError.invalid(field: "type", message: "Choose a document type.")
        }
        try checkBeginning(isWhole: true)
        let (digest, facts) = try whole(type, fileName)
        try DocumentError.converting { () throws(ObjectError) in try file.commit() }
        defer { room.settle() }
        let new = NewObject(
            id: file.id, owner: owner, path: nil, digest: digest, byteCount: file.byteCount,
            mediaType: facts.mediaType, facts: FactsText(facts), verdict: library.firstVerdict)
        do {
            return try library.store.transaction {
                try library.store.add(new, allowed: library.options.personByteCount)
                return try name(file.id, fileName)
            }
        } catch {
            library.giveUp(file.id, after: error as? DocumentError ?? .unavailable(detail: "\(error)"))
            throw error
        }
    }

    /// Seals the file.
    ///
    /// - Returns: its digest, and the sniffer's facts, which the type allows.
    private func whole(_ type: DocumentType, _ fileName: String) throws(DocumentError) -> (Digest, Facts) {
        let digest = try DocumentError.converting { () throws(ObjectError) in try file.seal() }
        let facts = try library.facts(of: file, name: fileName)
        try DocumentError.convertingFailure { () throws(Failure) in
            try type.check(fileName: fileName, facts: facts)
        }
        return (digest, facts)
    }

    /// The name without its extension.
    private static func title(from fileName: String) -> String {
        let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
        return String((stem.isEmpty ? fileName[...] : stem).prefix(TextRules.longestTitle))
    }

    /// Removes what arrived.
    public func discard() {
        room.settle()
        do throws(ObjectError) {
            try file.discard()
        } catch {
            library.warn(DocumentError(error))
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
