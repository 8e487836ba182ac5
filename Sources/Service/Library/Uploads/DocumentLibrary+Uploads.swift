public import Documents
public import Linux
internal import Media
internal import Objects

/// A resumable upload that a request has in work.
public struct OpenUpload: Sendable {
    /// What the first request said.
    public var upload: Upload
    /// The file, to which the request adds bytes.
    public let intake: Intake
    /// The request's turn, which a newer request ends.
    public let turn: UploadTurn
}

extension DocumentLibrary {
    /// How long an upload can be continued.
    public static let uploadLifetime: Duration = .seconds(86_400)

    /// Begins a resumable upload. Type, name and size are checked at once.
    ///
    /// - Parameters:
    ///   - metadata: the client's texts: `type`, `file_name`, `title`, `description`, `school_id`, `document_id`.
    ///   - memory: the memory for the first piece.
    /// - Throws: `refusedType`, `tooLarge`, `overQuota`, `tooMany`, `invalid`, or `notFound` for the document that gets a new version.
    public func beginUpload(
        _ metadata: [String: String], length: Int64?, owner: ID<Person>, uploader: ID<Person>,
        in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> OpenUpload {
        let allowed = allowedByteCount(ofUploadsOf: owner)
        let file = try DocumentError.converting { () throws(ObjectError) in try objects.begin(in: memory) }
        do throws(DocumentError) {
            // The row takes the room, which is checked there.
            let intake = Intake(self, file, RoomReservation(.unbounded, in: self, byteCount: 0))
            try describe(intake, metadata, owner)
            if let length { try intake.expect(length) }
            let members = metadata.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
            let upload = try store.addUpload(
                of: owner, by: uploader,
                metadata: .object(["file": .string(file.id.rawValue), "texts": .object(members)]), length: length,
                lifetime: Self.uploadLifetime, allowed: allowed)
            return OpenUpload(
                upload: upload, intake: intake.taking(reservation(of: upload)), turn: uploads.take(file.id))
        } catch {
            try? file.discard()
            throw error
        }
    }

    /// What is known of an upload, and how many bytes have arrived.
    ///
    /// - Throws: `notFound` where there is none, or its file is gone.
    public func uploadStatus(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) -> (Upload, Int64) {
        let upload = try store.upload(id, of: owner)
        if case .finished = upload.end { return (upload, upload.length ?? 0) }
        let file = try Self.file(of: upload)
        // The size of a file that somebody writes to is asked of the store: opening it would take it from the writer.
        let deadline = Time.monotonic + Self.takeOverTime
        while true {
            do throws(ObjectError) {
                return (upload, try objects.incoming(file).byteCount)
            } catch {
                guard error == .missing else { throw DocumentError(error) }
            }
            // Its last bytes have arrived meanwhile, and its document is about to be stored.
            let now = try store.upload(id, of: owner)
            if case .finished = now.end { return (now, now.length ?? 0) }
            guard Time.monotonic < deadline else { throw .notFound(.upload) }
            Time.sleep(.milliseconds(20))
        }
    }

    /// Opens an upload to add bytes. An earlier request of this process that still writes to it is told to stop.
    ///
    /// - Parameter memory: the memory for what is added.
    /// - Throws: `notFound`; `conflict` where the earlier request does not stop in time, or the upload has failed.
    public func openUpload(
        _ id: ID<Upload>, of owner: ID<Person>, in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> OpenUpload {
        let upload = try store.upload(id, of: owner)
        if case .failed(let message) = upload.end { throw .conflict(message: message) }
        let file = try Self.file(of: upload)
        let turn = uploads.take(file)
        let deadline = Time.monotonic + Self.takeOverTime
        while true {
            do throws(DocumentError) {
                return OpenUpload(upload: upload, intake: try resumed(file, upload, owner, in: memory), turn: turn)
            } catch {
                guard error.isPassing, Time.monotonic < deadline, !turn.isOvertaken else {
                    uploads.leave(turn)
                    throw error
                }
            }
            do throws(DocumentError) {
                switch try store.upload(id, of: owner).end {
                case nil: Time.sleep(.milliseconds(20))
                case .finished: throw .conflict(message: "The upload has ended already.")
                case .failed(let message): throw .conflict(message: message)
                }
            } catch {
                uploads.leave(turn)
                throw error
            }
        }
    }

    private func resumed(
        _ file: ObjectID, _ upload: Upload, _ owner: ID<Person>, in memory: MemoryBudget.Share?
    ) throws(DocumentError) -> Intake {
        let intake = try resume(file, of: upload, in: memory)
        do throws(DocumentError) {
            try describe(intake, Self.texts(of: upload), owner)
            return intake
        } catch {
            try? intake.close()
            throw error
        }
    }

    /// Ends a request's hold on an upload; what arrived is kept on the disk, unless the upload was given up meanwhile.
    public func close(_ open: OpenUpload) throws(DocumentError) {
        defer { uploads.leave(open.turn) }
        if try store.hasUpload(open.upload.id) { try open.intake.close() } else { open.intake.discard() }
    }

    /// Stores the document of an upload whose bytes have all arrived.
    ///
    /// - Parameter uploader: who has sent the last bytes; `nil` for who has begun.
    /// - Throws: what is wrong with file or texts. The upload then has failed for good, and its file is gone.
    public func finish(_ open: OpenUpload, uploader: ID<Person>? = nil) throws(DocumentError) -> Document {
        let texts = Self.texts(of: open.upload)
        defer { uploads.leave(open.turn) }
        do throws(DocumentError) {
            let predecessor = try predecessor(texts, of: open.upload.owner)
            return try open.intake.finish(
                owner: open.upload.owner, uploader: uploader ?? open.upload.uploader,
                title: predecessor?.title ?? texts["title"], description: texts["description"],
                school: try Self.school(texts), predecessor: predecessor?.id, upload: open.upload.id)
        } catch {
            if error.isLasting {
                _ = try store.endUpload(open.upload.id, of: open.upload.owner, .failed(message: error.message))
                open.intake.discard()
            } else {
                // The first error is the one that tells.
                try? open.intake.close()
            }
            throw error
        }
    }

    /// Gives an upload up, and removes what arrived. A request that still writes to it is told to stop, and cannot finish it any more.
    ///
    /// That request then removes what arrived; if its process dies, a sweep does.
    public func endUpload(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) {
        let file = try Self.file(of: try store.upload(id, of: owner))
        let turn = uploads.take(file)
        defer { uploads.leave(turn) }
        try store.removeUpload(id, of: owner)
        // Its document may have been stored right before.
        let isStored = try store.hasObject(file)
        do throws(ObjectError) {
            try objects.removeIncoming(file, untouchedFor: .zero, isStored: isStored)
        } catch {
            if error != .busy { warn(DocumentError(error)) }
        }
    }

    // MARK: Texts

    private func describe(
        _ intake: Intake, _ texts: [String: String], _ owner: ID<Person>
    ) throws(DocumentError) {
        guard let name = texts["file_name"], !name.isEmpty else {
            throw .invalid(field: "file_name", message: "Choose a file.")
        }
        let predecessor = try predecessor(texts, of: owner)
        guard let type = predecessor?.type ?? texts["type"].flatMap(DocumentType.init(rawValue:)) else {
            throw .invalid(field: "type", message: "Choose a document type.")
        }
        if let title = texts["title"], predecessor == nil { _ = try TextRules.title(title) }
        _ = try TextRules.description(texts["description"])
        _ = try Self.school(texts)
        try intake.setType(type)
        try intake.setFileName(name)
    }

    private func predecessor(_ texts: [String: String], of owner: ID<Person>) throws(DocumentError) -> Document? {
        guard let text = texts["document_id"], !text.isEmpty else { return nil }
        guard let id = ID<Document>(text) else { throw .notFound(.document) }
        return try store.document(id, of: owner)
    }

    private static func school(_ texts: [String: String]) throws(DocumentError) -> ID<School>? {
        guard let text = texts["school_id"], !text.isEmpty else { return nil }
        guard let id = ID<School>(text) else { throw .notFound(.school) }
        return id
    }

    static func texts(of upload: Upload) -> [String: String] {
        let pairs = (upload.metadata["texts"]?.members ?? []).compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    static func file(of upload: Upload) throws(DocumentError) -> ObjectID {
        guard let id = upload.metadata["file"]?.string.flatMap(ObjectID.init(rawValue:)) else {
            throw .notFound(.upload)
        }
        return id
    }

    /// A client that has lost its connection comes back before the server knows of the loss.
    private static let takeOverTime: Duration = .seconds(5)
}

extension DocumentError {
    /// Whether an upload's file may be had in a moment: another request has it, or is about to store its document.
    fileprivate var isPassing: Bool {
        switch self {
        case .conflict, .notFound(.upload): true
        default: false
        }
    }

    /// Whether the same file fails again.
    fileprivate var isLasting: Bool {
        switch self {
        case .full, .overQuota, .tooMany, .unavailable, .conflict, .taken: false
        default: true
        }
    }
}
