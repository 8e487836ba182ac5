internal import Database
internal import Media

/// Reads and writes the columns of `uploads`.
enum UploadRow {
    static let columns = """
        id, object_id, user_id, uploaded_by, purpose, length, created_at, expires_at, state, digest, media_type, facts,
        document, failure
        """

    /// The condition for uploads that are not stored and not refused.
    static let isUnfinished = "state IN ('receiving', 'checking', 'finishing')"

    /// The same without uploads whose bytes can no longer arrive.
    ///
    /// - Parameter time: the placeholder of the current time.
    static func isOpen(at time: String = "?") -> String {
        "\(isUnfinished) AND (state <> 'receiving' OR expires_at > \(time))"
    }

    /// The upload in a row of `columns`; `nil` if it is unreadable.
    static func upload(_ row: any SQLRow) -> Upload? {
        guard let id: ID<Upload> = row.id(0), let object = row.object(1), let owner: ID<Person> = row.id(2),
            let uploader: ID<Person> = row.id(3), let purpose = row.json(4).flatMap(Upload.Purpose.init),
            let created = row.instant(6), let expires = row.instant(7), let state = state(row)
        else { return nil }
        return Upload(
            id: id, object: object, owner: owner, uploader: uploader, purpose: purpose, length: row.integer(5),
            created: created, expires: expires, state: state, trouble: row.text(13))
    }

    static func name(of state: Upload.State) -> String {
        switch state {
        case .receiving: "receiving"
        case .checking: "checking"
        case .finishing: "finishing"
        case .stored: "stored"
        case .refused: "refused"
        }
    }

    private static func state(_ row: any SQLRow) -> Upload.State? {
        switch row.text(8) {
        case "receiving": return .receiving
        case "checking": return .checking
        case "finishing":
            guard let digest = row.digest(9), let mediaType = row.text(10) else { return nil }
            let facts = row.text(11).flatMap(FactsText.init(stored:))
            return .finishing(FileContent(digest: digest, mediaType: MediaType(rawValue: mediaType), facts: facts))
        case "stored": return .stored(row.id(12))
        case "refused": return .refused(message: row.text(13) ?? "")
        default: return nil
        }
    }
}

extension Upload.Purpose {
    fileprivate init?(_ json: JSON) {
        if let path = json["path"]?.string {
            let notes = FileNotes(cacheControl: json["cacheControl"]?.string, metadata: json["metadata"])
            self = .file(path: path, replacing: json["replacing"]?.bool == true, notes: notes)
        } else if let members = json["texts"]?.members {
            let texts = members.compactMap { member in member.value.string.map { (member.key, $0) } }
            self = .document(texts: Dictionary(texts) { $1 })
        } else {
            return nil
        }
    }

    /// What `init` reads.
    var json: JSON {
        switch self {
        case .document(let texts):
            let members = texts.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
            return .object(["texts": .object(members)])
        case .file(let path, let replacing, let notes):
            return .object([
                "path": .string(path), "replacing": .bool(replacing),
                "cacheControl": notes.cacheControl.map(JSON.string), "metadata": notes.metadata,
            ])
        }
    }

    /// The same purpose, for a sender who allows a file of the bucket to be replaced.
    func allowingReplacement() -> Upload.Purpose {
        guard case .file(let path, _, let notes) = self else { return self }
        return .file(path: path, replacing: true, notes: notes)
    }
}
