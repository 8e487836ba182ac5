public import Documents
public import Media
public import Objects
internal import SourceFiles
internal import Thumbnailer

extension DocumentLibrary {
    /// The first state of a document whose file is new.
    var firstState: Document.State { scanner == nil ? .stored : .quarantined }

    /// The verdict on a newly stored file.
    var firstVerdict: StoredObject.Verdict { scanner == nil ? .passed : .pending }

    /// Makes a document of a file that is already in the bucket, after checking texts and content.
    ///
    /// - Parameter predecessor: any version of the line that the new version joins.
    /// - Throws: `notFound` if there is no such file; `refusedType`, `invalid`; `conflict` if a document has it.
    public func addDocument(
        of path: ObjectPath, owner: ID<Person>, uploader: ID<Person>, type: DocumentType, title: String,
        description: String?, school: ID<School>?, predecessor: ID<Document>?, isCurrent: Bool = true
    ) throws(DocumentError) -> Document {
        let title = try TextRules.title(title)
        let description = try TextRules.description(description)
        guard let object = try store.object(at: path.text) else { throw .notFound(.file) }
        guard let facts = object.facts?.facts else {
            throw .refusedType(message: "File cannot be read. Send it again.", detail: "\(object.mediaType)")
        }
        let file = Document.File(
            object: object.id, path: path.text, name: Self.fileName(of: path), mediaType: object.mediaType,
            digest: object.digest, byteCount: object.byteCount)
        try DocumentError.convertingFailure { () throws(Failure) in try type.check(fileName: file.name, facts: facts) }
        return try store.add(
            NewDocument(
                owner: owner, uploader: uploader, type: type, title: title, description: description, school: school,
                file: file, isObjectStored: true, facts: facts, predecessor: predecessor,
                isCurrent: isCurrent))
    }

    /// Copies a file of another program, at a path in the store of files, to a new object of a person.
    ///
    /// - Returns: the object, which is an intake until it gets its row, and the state of its document.
    /// - Throws: `notFound` if there is none.
    public func adopt(
        _ path: ObjectPath, of owner: ID<Person>
    ) throws(DocumentError) -> (file: Document.File, facts: Facts, state: Document.State) {
        let foreign = try DocumentError.converting { () throws(ObjectError) in try objects.openForeign(path) }
        let id = try announce(0, of: owner)
        do throws(DocumentError) {
            let (incoming, digest) = try DocumentError.converting { () throws(ObjectError) in
                let incoming = try objects.begin(id, in: nil)
                try incoming.append(foreign)
                return (incoming, try incoming.seal())
            }
            let facts = try facts(of: incoming, name: path.lastName)
            try DocumentError.converting { () throws(ObjectError) in try incoming.commit() }
            let file = Document.File(
                object: incoming.id, path: path.text, name: Self.fileName(of: path), mediaType: facts.mediaType,
                digest: digest, byteCount: facts.byteCount)
            return (file, facts, firstState)
        } catch {
            endIntake(of: id, leavesBytes: true)
            throw error
        }
    }

    /// What the sniffer finds in a sealed file.
    func facts(of file: any IncomingObject, name: String) throws(DocumentError) -> Facts {
        let source = try DocumentError.converting { () throws(ObjectError) in try file.source(name: name) }
        return try DocumentError.convertingFailure { () throws(Failure) in try engine.sniff(source) }
    }

    /// Asks the store for something that is not an object, and the engine for the type of a text. So a caller that
    /// could not adopt a file knows whether the file is at fault.
    ///
    /// - Throws: `unavailable` if other files would fail, too.
    public func checkAdopting() throws(DocumentError) {
        _ = try DocumentError.converting { () throws(ObjectError) in try objects.walk().next() }
        _ = try DocumentError.convertingFailure { () throws(Failure) in
            try engine.sniff(try SourceFile.inMemory(name: "check", bytes: Array("A text.\n".utf8)))
        }
    }

    /// The last name of a path, without the timestamp before it.
    private static func fileName(of path: ObjectPath) -> String {
        let name = path.lastName
        let time = name.prefix { $0.isASCII && $0.isNumber }
        let rest = name.dropFirst(time.count)
        return !time.isEmpty && rest.first == "_" && rest.count > 1 ? String(rest.dropFirst()) : name
    }
}
