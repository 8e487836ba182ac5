public import Documents
public import Media
internal import Objects

/// The way of resumable uploads from their last byte to their row. After a process dies, any other may continue.
extension DocumentLibrary {
    /// Called inside the transaction that stores the file.
    public typealias RightCheck = () throws(DocumentError) -> Bool

    /// Ends the arrival of an upload whose bytes are all there, and finishes it. The caller's hold ends in any case.
    ///
    /// - Parameters:
    ///   - uploader: who sent the last bytes; `nil` for the person who began.
    ///   - replacing: whether they allow a file of the bucket to be replaced.
    ///   - isAllowed: whether they still may do so; `nil` to ask `mayChange` about the uploader.
    /// - Throws: what is wrong with the file. If the same file would fail again, the upload is `refused`.
    public func finish(
        _ open: OpenUpload, uploader: ID<Person>? = nil, replacing: Bool = false, if isAllowed: RightCheck? = nil
    ) throws(DocumentError) -> Upload {
        defer { uploads.leave(open.turn) }
        do throws(DocumentError) {
            try open.intake.sync()
            let upload = try store.endArrival(of: open.upload, by: uploader, replacing: replacing)
            return try advance(upload, holding: open.intake, if: isAllowed)
        } catch {
            // The first error is the one that matters.
            try? open.intake.close()
            throw error
        }
    }

    /// Finishes an upload whose bytes have all arrived, whoever sent them.
    ///
    /// - Returns: the upload, stored or refused; `nil` while somebody else holds its bytes.
    /// - Throws: as above.
    public func finish(
        _ upload: Upload, uploader: ID<Person>? = nil, replacing: Bool = false, if isAllowed: RightCheck? = nil
    ) throws(DocumentError) -> Upload? {
        if upload.isOver { return upload }
        if upload.state == .receiving {
            guard let open = try openUpload(upload) else { return nil }
            if open.byteCount == open.upload.length {
                return try finish(open, uploader: uploader, replacing: replacing, if: isAllowed)
            }
            try close(open)
            return nil
        }
        let now = try store.endArrival(of: upload, by: uploader, replacing: replacing)
        let last = try advance(now, if: isAllowed)
        return last.isOver ? last : nil
    }

    /// Moves from state to state. Each step is idempotent; two processes that do the same reach the same end.
    ///
    /// - Parameter held: the bytes, if the caller holds them.
    /// - Returns: the upload, once it has ended or if somebody else holds its bytes.
    private func advance(
        _ first: Upload, holding held: Intake? = nil, if isAllowed: RightCheck?
    ) throws(DocumentError) -> Upload {
        var (upload, intake) = (first, held)
        defer { try? intake?.close() }
        do throws(DocumentError) {
            while !upload.isOver {
                if intake == nil, upload.state != .receiving {
                    switch try hold(upload) {
                    case .held(let held, _): intake = held
                    case .busy: return try store.upload(upload.id, of: upload.owner)
                    case .missing:
                        // Whoever committed them recorded their state first.
                        let now = try store.upload(upload.id, of: upload.owner)
                        if now.state != upload.state {
                            upload = now
                            continue
                        }
                    }
                }
                guard let next = try step(upload, intake, if: isAllowed) else { return upload }
                upload = next
            }
            return upload
        } catch {
            switch error {
            case .notFound(.file):
                // What is left of the arrival is useless.
                intake?.discard()
                _ = try? store.restart(upload)
                throw Self.lost(upload)
            // The first error is the one that matters.
            case _ where error.isLasting: _ = try? store.refuse(upload, message: error.message)
            case _ where error.isForClient: try? store.note(trouble: error.message, of: upload)
            default: break
            }
            throw error
        }
    }

    /// - Parameter intake: `nil` if nobody holds the bytes and there is no incoming file.
    /// - Returns: `nil` while somebody commits the bytes.
    private func step(_ upload: Upload, _ intake: Intake?, if isAllowed: RightCheck?) throws(DocumentError) -> Upload? {
        switch upload.state {
        case .checking:
            // As after a failed `fsync`. Nobody was told that they are stored, and the sender finds no byte there.
            guard let intake, intake.byteCount == upload.length else { throw .notFound(.file) }
            return try store.note(try intake.examine(), of: upload)
        case .finishing(let content):
            if let intake {
                try intake.commit()
            } else {
                guard let isThere = try confirm(upload.object) else { return nil }
                if !isThere { throw .notFound(.file) }
            }
            return try keep(upload, content, if: isAllowed)
        case .receiving: throw Self.lost(upload)
        case .stored, .refused: return upload
        }
    }

    private static func lost(_ upload: Upload) -> DocumentError {
        .unavailable(detail: "the bytes of upload \(upload.id) are lost: its sender must start again")
    }

    /// - Returns: whether the object is there for good; `nil` while somebody commits it.
    private func confirm(_ id: ObjectID) throws(DocumentError) -> Bool? {
        do throws(ObjectError) {
            return try objects.confirm(id)
        } catch {
            if error == .busy { return nil }
            throw DocumentError(error)
        }
    }

    /// Gives an upload's object its rows, in the transaction that ends the upload.
    private func keep(
        _ upload: Upload, _ content: FileContent, if isAllowed: RightCheck?
    ) throws(DocumentError) -> Upload {
        let (owner, uploader) = (upload.owner, upload.uploader)
        func mayDo() throws(DocumentError) -> Bool {
            if let isAllowed { return try isAllowed() }
            return try mayChange(uploader, owner)
        }
        var object = object(upload.object, of: owner, byteCount: upload.length ?? 0, content)
        switch upload.purpose {
        case .document(let texts):
            _ = try keep(object, as: try form(texts, of: owner), of: owner, by: uploader, .upload(upload.id), if: mayDo)
        case .file(let path, let replacing, let notes):
            (object.path, object.notes) = (path, notes)
            _ = try keep(object, replacing: replacing, .upload(upload.id), if: mayDo)
        }
        return try store.upload(upload.id, of: owner)
    }

    // MARK: Uploads that no request is working on

    /// Finishes uploads whose bytes have all arrived and whose client has not returned: the server died after the last
    /// byte.
    ///
    /// An arriving file that was touched within the last minute is left to the request that is working on it. If the
    /// client was told something about an upload, the upload is left to the client: it may have begun another one.
    func finishArrivedUploads() throws(DocumentError) {
        let still = try DocumentError.converting { () throws(ObjectError) in
            try objects.incoming(untouchedFor: Self.restBeforeFinish)
        }
        let sizes = Dictionary(still.map { ($0.id, $0.byteCount) }, uniquingKeysWith: { $1 })
        var place: StorePlace?
        repeat {
            let page = try store.openUploads(of: nil, behind: place, limit: 1000)
            for upload in page.elements { finish(upload, sizes) }
            place = page.next
        } while place != nil
    }

    private func finish(_ upload: Upload, _ sizes: [ObjectID: Int64]) {
        if upload.trouble != nil { return }
        if upload.state == .receiving {
            guard let length = upload.length, sizes[upload.object] == length else { return }
        }
        do throws(DocumentError) {
            _ = try finish(upload)
        } catch {
            guard case .unavailable = error else { return }
            warn(.unavailable(detail: "upload \(upload.id) is complete but cannot be finished: \(error)"))
        }
    }

    private static let restBeforeFinish: Duration = .seconds(60)

    /// Tells the clients that follow events the progress of uploads, whichever process receives the bytes: the file's
    /// size shows it. Both stores are queried once per person, who has few open uploads.
    ///
    /// - Parameter isWanted: called before each person.
    func tellProgress(while isWanted: () -> Bool) throws(DocumentError) {
        for owner in events.owners where isWanted() {
            let uploads = try store.openUploads(of: owner, behind: nil, limit: PersonBounds.openUploads).elements
                .filter { $0.state == .receiving }
            if uploads.isEmpty { continue }
            let arrived = try DocumentError.converting { () throws(ObjectError) in
                try objects.incoming(among: uploads.map(\.object))
            }
            let sizes = Dictionary(arrived.map { ($0.id, $0.byteCount) }, uniquingKeysWith: { $1 })
            events.tell(
                uploads.compactMap { upload in
                    sizes[upload.object].map { byteCount in
                        UploadProgress(
                            upload: upload.id, fileName: Self.fileName(of: upload), byteCount: byteCount,
                            length: upload.length)
                    }
                }, of: owner)
        }
    }

    private static func fileName(of upload: Upload) -> String {
        switch upload.purpose {
        case .document(let texts): texts["file_name"] ?? ""
        case .file(let path, _, _): (try? ObjectPath(path))?.lastName ?? ""
        }
    }
}

extension Upload {
    /// Whether the upload is stored or refused.
    fileprivate var isOver: Bool {
        switch state {
        case .receiving, .checking, .finishing: false
        case .stored, .refused: true
        }
    }
}
