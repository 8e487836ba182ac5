public import Documents
internal import Linux
public import Media
public import Objects
internal import SourceFiles
internal import Thumbnailer

/// One arriving file, checked while it arrives. Used by one request at a time.
///
/// If it has a document type, its name and first bytes are checked against the type's rule as soon as all three are
/// there, in any order. The whole file is checked at the end. Then `finish` stores it, or `discard` removes it. `close`
/// keeps the file of a resumable upload, and the steps of `DocumentLibrary.finish` store it.
public final class Intake: Sendable {
    private let library: DocumentLibrary
    private let file: any IncomingObject
    /// The most bytes.
    private let limit: Int64
    private let state: State
    private let arrival: ObjectArrival
    private let owner: ID<Person>?
    private let room: RoomReservation

    /// What the form has said so far; only one request at a time has it.
    private final class State: @unchecked Sendable {
        var type: DocumentType?
        var fileName: String?
        var isBeginningChecked = false
        /// Whether the file may be an object.
        var mayBeCommitted = false
    }

    /// - Parameters:
    ///   - arrival: the file's row.
    ///   - owner: whose file it is to be; `nil` for a file without an owner.
    ///   - reserved: the space that the row has reserved, in bytes.
    ///   - limit: the most bytes; `nil` for the library's own limit.
    ///   - type: the document's type, if it is already known.
    ///   - fileName: the name for people, if it is already known.
    init(
        _ library: DocumentLibrary, _ file: any IncomingObject, _ arrival: ObjectArrival, of owner: ID<Person>?,
        reserved: Int64, limit: Int64? = nil, type: DocumentType? = nil, fileName: String? = nil
    ) {
        self.library = library
        self.limit = limit ?? library.options.maxUploadByteCount
        self.file = file
        self.arrival = arrival
        self.owner = owner
        room = RoomReservation(
            of: file.id, arrival, for: owner, in: library, byteCount: reserved, atMost: self.limit)
        state = State()
        state.type = type
        state.fileName = fileName
        state.isBeginningChecked = file.byteCount >= Self.beginningByteCount
    }

    /// The number of bytes that have arrived.
    public var byteCount: Int64 { file.byteCount }

    /// Records what the document is to be.
    ///
    /// - Throws: `refusedType` if name or first bytes do not match.
    public func setType(_ type: DocumentType) throws(DocumentError) {
        state.type = type
        try checkBeginning()
    }

    /// Records the file's name.
    ///
    /// - Throws: `refusedType` if type or first bytes do not match.
    public func setFileName(_ name: String) throws(DocumentError) {
        state.fileName = FileName.shown(name)
        try checkBeginning()
    }

    /// Refuses a file whose announced size is over the limit, or over the available space.
    public func expect(_ byteCount: Int64) throws(DocumentError) {
        guard byteCount <= limit else { throw .tooLarge(limit: limit) }
        try room.grow(to: byteCount)
    }

    /// Adds bytes.
    ///
    /// - Throws: `tooLarge` beyond the limit, `overQuota`, `refusedType`, `full`; earlier bytes stay.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        try expect(file.byteCount + Int64(bytes.count))
        try DocumentError.converting { () throws(ObjectError) in try file.append(bytes) }
        try checkBeginning()
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

    // MARK: Resumable uploads

    /// Writes what has arrived to disk.
    func sync() throws(DocumentError) {
        try DocumentError.converting { () throws(ObjectError) in try file.sync() }
    }

    /// Writes what has arrived to disk and releases the file, so that the upload can continue later.
    func close() throws(DocumentError) {
        try DocumentError.converting { () throws(ObjectError) in try file.close() }
    }

    /// Removes what has arrived. The row of a resumable upload stays.
    public func discard() {
        var leavesBytes = state.mayBeCommitted
        do throws(ObjectError) {
            try file.discard()
        } catch {
            library.warn(DocumentError(error))
            leavesBytes = true
        }
        if arrival == .intake { library.endIntake(of: file.id, leavesBytes: leavesBytes) }
    }

    // MARK: The end

    /// Ends the arrival, hashes the file, and identifies it.
    ///
    /// - Throws: `refusedType` if the document's type does not allow it; `invalid` for a document without a name, type
    ///   or bytes.
    func examine() throws(DocumentError) -> FileContent {
        if let type = state.type { return try examine(as: type) }
        let digest = try DocumentError.converting { () throws(ObjectError) in try file.seal() }
        var facts: Facts?
        do throws(DocumentError) {
            facts = try library.facts(of: file, name: state.fileName ?? "")
        } catch {
            // A file of the bucket may be anything, and empty.
            guard case .refusedType = error else { throw error }
        }
        return FileContent(
            digest: digest, mediaType: facts?.mediaType ?? MediaType(rawValue: "application/octet-stream"),
            facts: facts.map(FactsText.init))
    }

    private func examine(as type: DocumentType) throws(DocumentError) -> FileContent {
        guard let fileName = state.fileName, file.byteCount > 0 else {
            throw .invalid(field: "file", message: "Choose a file.")
        }
        try checkName(fileName, type)
        let digest = try DocumentError.converting { () throws(ObjectError) in try file.seal() }
        let facts = try library.facts(of: file, name: fileName)
        try DocumentError.convertingFailure { () throws(Failure) in
            try type.check(fileName: fileName, facts: facts)
        }
        return FileContent(digest: digest, mediaType: facts.mediaType, facts: FactsText(facts))
    }

    /// Makes the file an object, which has no row yet.
    func commit() throws(DocumentError) {
        state.mayBeCommitted = true
        try DocumentError.converting { () throws(ObjectError) in try file.commit() }
    }

    /// Stores the whole file as a version of a document.
    ///
    /// - Parameters:
    ///   - uploader: who stores it.
    ///   - title: checked here; `nil` for the file's name without its extension.
    ///   - predecessor: any version of the line that the new version joins.
    /// - Throws: `notAllowed`, checked inside the transaction that stores the version; `invalid` for a text,
    ///   `refusedType` for the file: what has arrived then stays until `discard`.
    public func finish(
        by uploader: ID<Person>, title: String?, description: String?, school: ID<School>?, predecessor: ID<Document>?
    ) throws(DocumentError) -> Document {
        guard let owner else { preconditionFailure("a document is somebody's") }
        guard let fileName = state.fileName else { throw .invalid(field: "file", message: "Choose a file.") }
        guard let type = state.type else { throw .invalid(field: "type", message: "Choose a document type.") }
        let form = try DocumentForm(
            type: type, fileName: fileName, title: title, description: description, school: school,
            predecessor: predecessor)
        return try committed { object throws(DocumentError) in
            try library.keep(object, as: form, of: owner, by: uploader, arrival) { () throws(DocumentError) in
                try library.mayChange(uploader, owner)
            }
        }
    }

    /// Stores the whole file at a path of the bucket.
    ///
    /// - Parameters:
    ///   - replacing: whether another file there is replaced.
    ///   - notes: what the client says about the file.
    ///   - isAllowed: whether the sender still may do so, called inside the transaction that stores the row.
    /// - Throws: as `DocumentStore.add` of an object.
    public func finish(
        at path: ObjectPath, replacing: Bool, _ notes: FileNotes,
        if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> StoredObject {
        state.fileName = path.lastName
        return try committed { object throws(DocumentError) in
            var object = object
            (object.path, object.notes) = (path.text, notes)
            return try library.keep(object, replacing: replacing, arrival, if: isAllowed)
        }
    }

    /// Stores the whole file, which no document names.
    ///
    /// - Parameter name: stores the row that names the file, in the transaction that stores the file's own row.
    /// - Throws: as `finish`; what `name` throws.
    public func finish<Naming>(_ name: (ObjectID, _ fileName: String) throws -> Naming) throws -> Naming {
        guard let fileName = state.fileName else {
            throw DocumentError.invalid(field: "file", message: "Choose a file.")
        }
        guard state.type != nil else {
            throw DocumentError.invalid(field: "type", message: "Choose a document type.")
        }
        var failure: (any Error)?
        do throws(DocumentError) {
            return try committed { object throws(DocumentError) in
                do {
                    return try library.store.transaction {
                        try library.store.add(
                            object, allowed: library.options.allowedByteCount(of: owner), arrival: arrival)
                        return try name(object.id, fileName)
                    }
                } catch {
                    failure = error
                    throw error as? DocumentError ?? .unavailable(detail: "\(error)")
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    /// Makes the file an object, and lets `keep` store its row. If that fails, `discard` removes the bytes.
    private func committed<Value>(
        _ keep: (NewObject) throws(DocumentError) -> Value
    ) throws(DocumentError) -> Value {
        let content = try examine()
        try commit()
        return try keep(library.object(file.id, of: owner, byteCount: file.byteCount, content))
    }

    /// Checks the name, and the first bytes once there are enough, against the type's rule.
    private func checkBeginning() throws(DocumentError) {
        guard let type = state.type, let fileName = state.fileName, !state.isBeginningChecked else { return }
        try checkName(fileName, type)
        guard file.byteCount >= Self.beginningByteCount else { return }
        let beginning = try DocumentError.converting { () throws(ObjectError) in
            try file.prefix(Self.beginningByteCount)
        }
        try DocumentError.convertingFailure { () throws(Failure) in
            let facts = try library.engine.sniff(try .inMemory(name: fileName, bytes: beginning))
            try type.checkBeginning(fileName: fileName, facts: facts)
        }
        state.isBeginningChecked = true
    }

    private func checkName(_ fileName: String, _ type: DocumentType) throws(DocumentError) {
        try DocumentError.convertingFailure { () throws(Failure) in
            try type.checkBeginning(fileName: fileName, facts: nil)
        }
    }

    /// Enough for every signature, and for the junk that may precede a PDF's.
    private static let beginningByteCount = 8192
}
