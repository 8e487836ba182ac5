public import Documents
public import Media
public import Objects
internal import ThumbnailCache
internal import Thumbnailer

extension DocumentLibrary {
    /// Whether files without a document may be handed out: not where a scanner looks at documents alone.
    public var servesUnnamedFiles: Bool { scanner == nil }

    /// The state in which a document begins.
    public var firstState: Document.State { scanner == nil ? .stored : .quarantined }

    /// What a stored object is: its content, by the sniffer and by its bytes.
    ///
    /// - Throws: `notFound` where there is none.
    public func describe(_ path: ObjectPath) throws(DocumentError) -> (file: Document.File, facts: Facts) {
        let source = try DocumentError.converting { () throws(ObjectError) in try objects.source(path) }
        let facts = try DocumentError.convertingFailure { () throws(Failure) in try engine.sniff(source) }
        let file = Document.File(
            path: path.text, name: Self.fileName(of: path), mediaType: facts.mediaType,
            digest: try digest(of: source, at: path), byteCount: facts.byteCount)
        return (file, facts)
    }

    /// Asks the store for something that is no object's, and the engine for the type of a text, so that whoever could not describe an
    /// object knows whether the fault is the object's.
    ///
    /// - Throws: `unavailable` where others would fare no better.
    public func checkDescribing() throws(DocumentError) {
        _ = try DocumentError.converting { () throws(ObjectError) in
            try objects.list(prefix: "check", after: nil, limit: 1)
        }
        _ = try DocumentError.convertingFailure { () throws(Failure) in
            try engine.sniff(try SourceFile.inMemory(name: "check", bytes: Array("A text.\n".utf8)))
        }
    }

    /// The digest of an object. Of a source that lies elsewhere only those bytes are here that somebody has asked for.
    private func digest(of source: SourceFile, at path: ObjectPath) throws(DocumentError) -> Digest {
        if case .digest(let digest)? = source.rangedKey { return digest }
        if source.ranged == nil {
            return try DocumentError.convertingFailure { () throws(Failure) in
                try SHA256.digest(of: source.descriptor)
            }
        }
        let digest = try DocumentError.converting { () throws(ObjectError) in try objects.open(path).digest() }
        guard let digest else { throw .unavailable(detail: "the object \(path.text) ended early") }
        return digest
    }

    /// Makes a document of an object that is stored already, after texts and content were checked.
    ///
    /// - Parameters:
    ///   - object: as `describe` has found it.
    ///   - predecessor: any version of the line that the new version joins.
    /// - Throws: `notFound` where there is no such object; `refusedType`, `invalid`; `conflict` where a document has it.
    public func addDocument(
        of object: (file: Document.File, facts: Facts), owner: ID<Person>, uploader: ID<Person>, type: DocumentType,
        title: String,
        description: String?, school: ID<School>?, predecessor: ID<Document>?
    ) throws(DocumentError) -> Document {
        let title = try TextRules.title(title)
        let description = try TextRules.description(description)
        let (file, facts) = object
        try DocumentError.convertingFailure { () throws(Failure) in try type.check(fileName: file.name, facts: facts) }
        return try store.add(
            NewDocument(
                owner: owner, uploader: uploader, type: type, title: title, description: description, school: school,
                file: file, facts: facts, predecessor: predecessor, state: firstState,
                allowedByteCount: try allowedByteCount(of: owner)))
    }

    /// The last name of a path without the time before it.
    private static func fileName(of path: ObjectPath) -> String {
        let name = path.lastName
        let time = name.prefix { $0.isASCII && $0.isNumber }
        let rest = name.dropFirst(time.count)
        return !time.isEmpty && rest.first == "_" && rest.count > 1 ? String(rest.dropFirst()) : name
    }
}
