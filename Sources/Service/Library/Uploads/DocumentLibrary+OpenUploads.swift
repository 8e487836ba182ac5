internal import Documents
internal import Media
internal import Objects

/// Uploads that no request has in work.
extension DocumentLibrary {
    /// Tells the clients that follow events how far uploads have come, whichever process takes the bytes: the size of the file says
    /// it.
    func tellProgress() throws(DocumentError) {
        for owner in events.owners {
            let uploads = try store.openUploads(of: owner, behind: nil, limit: PersonBounds.openUploads).elements
            events.tell(
                uploads.compactMap { upload in
                    guard let file = try? Self.file(of: upload), let status = try? objects.incoming(file) else {
                        return nil
                    }
                    return UploadProgress(
                        upload: upload.id, fileName: Self.fileName(of: upload),
                        byteCount: status.byteCount, length: upload.length)
                }, of: owner)
        }
    }

    /// Stores the documents of uploads whose bytes have all arrived and whose client has not come back: the server died between the
    /// last byte and the document.
    ///
    /// A file that was touched within the last minute is left to the request that has it in work.
    func finishArrivedUploads() throws(DocumentError) {
        let still = try DocumentError.converting { () throws(ObjectError) in
            try objects.incoming(untouchedFor: Self.restBeforeFinish)
        }
        if still.isEmpty { return }
        let sizes = Dictionary(still.map { ($0.id, $0.byteCount) }, uniquingKeysWith: { $1 })
        var place: StorePlace?
        repeat {
            let page = try store.openUploads(of: nil, behind: place, limit: 1000)
            for upload in page.elements { finish(upload, sizes) }
            place = page.next
        } while place != nil
    }

    /// Stores the document of an upload if all of its bytes are among those that have arrived.
    private func finish(_ upload: Upload, _ sizes: [ObjectID: Int64]) {
        // The app's wire makes files of its uploads, not documents, and has its own texts.
        guard upload.metadata["texts"] != nil, let length = upload.length, let file = try? Self.file(of: upload),
            sizes[file] == length
        else { return }
        do throws(DocumentError) {
            _ = try finish(try openUpload(upload.id, of: upload.owner))
        } catch {
            warn(.unavailable(detail: "upload \(upload.id), whose bytes are all there, gives no document: \(error)"))
        }
    }

    private static func fileName(of upload: Upload) -> String {
        let path = upload.metadata["object"]?.string.flatMap { try? ObjectPath($0) }
        return texts(of: upload)["file_name"] ?? path?.lastName ?? ""
    }

    private static let restBeforeFinish: Duration = .seconds(60)
}
