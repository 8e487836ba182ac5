public import Documents
public import Linux
public import Media
internal import Objects

/// A resumable upload that a request is working on.
public struct OpenUpload: Sendable {
    /// The upload's row.
    public var upload: Upload
    /// The file to which the request adds bytes.
    let intake: Intake
    /// The request's turn, which a newer request ends.
    let turn: UploadTurn

    /// The number of bytes that have arrived.
    public var byteCount: Int64 { intake.byteCount }
    /// Whether a newer request waits for the upload.
    public var isOvertaken: Bool { turn.isOvertaken }
}

/// The arrival of resumable uploads. The row exists before the first byte; a row without a file has no bytes yet.
extension DocumentLibrary {
    /// How long an upload can be continued.
    public static let uploadLifetime: Duration = .seconds(86_400)

    /// Begins a resumable upload. Its purpose and length are checked at once.
    ///
    /// - Parameter memory: the memory for the first piece.
    /// - Throws: `refusedType`, `tooLarge`, `overQuota`, `tooMany`, `invalid`, or `notFound` for the document that gets
    ///   a new version.
    public func beginUpload(
        for purpose: Upload.Purpose, length: Int64?, owner: ID<Person>, uploader: ID<Person>,
        in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> OpenUpload {
        if case .document(let texts) = purpose {
            let form = try form(texts, of: owner)
            try DocumentError.convertingFailure { () throws(Failure) in
                try form.type.checkBeginning(fileName: form.fileName, facts: nil)
            }
        }
        if let length, length > options.maxUploadByteCount { throw .tooLarge(limit: options.maxUploadByteCount) }
        let (id, allowed) = (ID<Upload>.make(at: .now), options.allowedByteCount(of: owner))
        let upload = try repeating { () throws(DocumentError) in
            try store.addUpload(
                id, of: owner, by: uploader, for: purpose, length: length, lifetime: Self.uploadLifetime,
                allowed: allowed)
        }
        do throws(DocumentError) {
            let file = try DocumentError.converting { () throws(ObjectError) in
                try objects.begin(upload.object, in: memory)
            }
            return OpenUpload(
                upload: upload, intake: try intake(file, of: upload), turn: uploads.take(upload.object))
        } catch {
            _ = try? store.removeUpload(upload.id, of: owner)
            throw error
        }
    }

    /// How many bytes of an upload have arrived, including those that somebody is writing now.
    public func arrivedByteCount(of upload: Upload) throws(DocumentError) -> Int64 {
        guard upload.state == .receiving else { return upload.length ?? 0 }
        do throws(ObjectError) {
            return min(try objects.incoming(upload.object).byteCount, upload.length ?? .max)
        } catch {
            guard error == .missing else { throw DocumentError(error) }
        }
        // None, or all: an upload whose file is already an object has another state.
        let now = try store.upload(upload.id, of: upload.owner)
        return now.state == .receiving ? 0 : now.length ?? 0
    }

    /// Takes an upload to add bytes. An earlier request of this process that still writes to it is told to stop.
    ///
    /// - Parameter memory: the memory for the added bytes.
    /// - Returns: `nil` while somebody else has it, or if it takes no more bytes.
    /// - Throws: `notFound`.
    public func openUpload(
        _ upload: Upload, in memory: MemoryBudget.Share? = nil
    ) throws(DocumentError) -> OpenUpload? {
        let turn = uploads.take(upload.object)
        do throws(DocumentError) {
            if case .held(let intake, let now) = try hold(upload, in: memory) {
                return OpenUpload(upload: now, intake: intake, turn: turn)
            }
        } catch {
            uploads.leave(turn)
            // Such as one for a document that was deleted meanwhile.
            if error.isLasting { _ = try? store.refuse(upload, message: error.message) }
            throw error
        }
        uploads.leave(turn)
        return nil
    }

    /// Adds bytes. A file that cannot become what it is for is refused for good.
    ///
    /// - Throws: as `Intake.append`.
    public func append(_ bytes: UnsafeRawBufferPointer, to open: OpenUpload) throws(DocumentError) {
        do throws(DocumentError) {
            try open.intake.append(bytes)
        } catch {
            // The first error is the one that matters.
            if error.isLasting { _ = try? store.refuse(open.upload, message: error.message) }
            throw error
        }
    }

    /// Records the length of an upload that began without one, and reserves that space.
    ///
    /// - Throws: `conflict`; `overQuota`.
    public func declareLength(_ length: Int64, of upload: Upload) throws(DocumentError) -> Upload {
        try store.declareLength(
            length, of: upload.id, owner: upload.owner, allowed: options.allowedByteCount(of: upload.owner))
    }

    /// Ends a request's hold on an upload; what has arrived stays on disk.
    public func close(_ open: OpenUpload) throws(DocumentError) {
        defer { uploads.leave(open.turn) }
        try open.intake.close()
    }

    /// Abandons an upload, and removes what has arrived. A request that still writes to it is told to stop, and can no
    /// longer finish it.
    ///
    /// - Returns: `false` if its file is stored.
    public func endUpload(_ upload: Upload) throws(DocumentError) -> Bool {
        uploads.leave(uploads.take(upload.object))
        return try store.removeUpload(upload.id, of: upload.owner)
    }

    // MARK: One holder

    /// Who holds an upload's bytes.
    enum Hold {
        /// The caller, until it closes or commits them; with the current row.
        case held(Intake, Upload)
        /// Somebody else; or the upload is now in another state.
        case busy
        /// Nobody: they are an object, or lost.
        case missing
    }

    /// Takes an upload's bytes for the caller alone.
    ///
    /// - Throws: `notFound` if the upload is gone.
    func hold(_ upload: Upload, in memory: MemoryBudget.Share? = nil) throws(DocumentError) -> Hold {
        let file: any IncomingObject
        do throws(ObjectError) {
            file = try objects.resume(upload.object, making: upload.state == .receiving, in: memory)
        } catch {
            switch error {
            case .busy: return .busy
            case .missing: return .missing
            default: throw DocumentError(error)
            }
        }
        do throws(DocumentError) {
            // Its last holder may have advanced it, and what is left of the arrival must not change.
            let now = try store.upload(upload.id, of: upload.owner)
            if now.state == upload.state, file.byteCount <= now.length ?? .max {
                return .held(try intake(file, of: now), now)
            }
            letGo(file, isWrong: now.state == upload.state)
            return .busy
        } catch {
            letGo(file, isWrong: false)
            throw error
        }
    }

    /// - Parameter isWrong: whether its bytes cannot be the upload's.
    private func letGo(_ file: any IncomingObject, isWrong: Bool) {
        // A file that was just made has nothing to keep.
        try? isWrong || file.byteCount == 0 ? file.discard() : file.close()
    }

    private func intake(_ file: any IncomingObject, of upload: Upload) throws(DocumentError) -> Intake {
        let (arrival, reserved) = (ObjectArrival.upload(upload.id), upload.length ?? 0)
        switch upload.purpose {
        case .document(let texts):
            let form = try form(texts, of: upload.owner)
            return Intake(
                self, file, arrival, of: upload.owner, reserved: reserved, type: form.type, fileName: form.fileName)
        case .file(let path, _, _):
            return Intake(
                self, file, arrival, of: upload.owner, reserved: reserved,
                fileName: (try? ObjectPath(path))?.lastName)
        }
    }
}

extension DocumentError {
    /// Whether the same file fails again, whoever asks.
    var isLasting: Bool {
        switch self {
        case .full, .overQuota, .crowded, .tooMany, .unavailable, .conflict, .taken, .referenced, .notAllowed: false
        case .notFound(.upload), .notFound(.file): false
        default: true
        }
    }

    /// Whether the client that is told must do something about it.
    var isForClient: Bool {
        switch self {
        case .overQuota, .tooMany, .conflict, .taken, .referenced, .notAllowed: true
        default: false
        }
    }
}
