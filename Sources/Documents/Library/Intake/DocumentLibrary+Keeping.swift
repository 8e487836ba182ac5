internal import Documents
internal import Linux
internal import Media
internal import Objects

/// Rows for bytes that are already stored.
extension DocumentLibrary {
    /// The object that a whole file becomes.
    func object(
        _ id: ObjectID, of owner: ID<Person>?, byteCount: Int64, _ content: FileContent
    ) -> NewObject {
        NewObject(
            id: id, owner: owner, path: nil, digest: content.digest, byteCount: byteCount,
            mediaType: content.mediaType, facts: content.facts, verdict: firstVerdict)
    }

    /// Gives an object its row.
    func keep(
        _ new: NewObject, replacing: Bool, _ arrival: ObjectArrival, if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> StoredObject {
        try repeating { () throws(DocumentError) in
            try store.add(
                new, replacing: replacing, allowed: options.allowedByteCount(of: new.owner), arrival: arrival,
                if: isAllowed)
        }
    }

    /// Gives an object its row, and makes it a version of a document, if the uploader still may.
    ///
    /// Two files of one name in one millisecond get adjacent timestamps.
    func keep(
        _ object: NewObject, as form: DocumentForm, of owner: ID<Person>, by uploader: ID<Person>,
        _ arrival: ObjectArrival,
        if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> Document {
        var milliseconds = Instant.now.microseconds / 1000
        while true {
            let path = try DocumentError.converting { () throws(ObjectError) in
                try ObjectPath(
                    user: owner.text, type: form.type, milliseconds: milliseconds, fileName: form.fileName)
            }
            let new = NewDocument(
                owner: owner, uploader: uploader, type: form.type, title: form.title, description: form.description,
                school: form.school,
                file: Document.File(
                    object: object.id, path: path.text, name: form.fileName, mediaType: object.mediaType,
                    digest: object.digest, byteCount: object.byteCount),
                facts: object.facts?.facts, predecessor: form.predecessor, arrival: arrival, state: firstState,
                allowedByteCount: options.personByteCount)
            do throws(DocumentError) {
                return try repeating { () throws(DocumentError) in try store.add(new, if: isAllowed) }
            } catch {
                guard error == .taken else { throw error }
                milliseconds += 1
            }
        }
    }

    /// Makes an idempotent change, and retries it if its response was lost on the way. It may wait for half a second.
    func repeating<Value>(
        _ change: () throws(DocumentError) -> Value
    ) throws(DocumentError) -> Value {
        for pause in Self.pauses {
            do throws(DocumentError) {
                return try change()
            } catch {
                guard case .unavailable = error, store.commitOutcomeUnknown else { throw error }
                Time.sleep(pause)
            }
        }
        return try change()
    }

    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(500)]
}
