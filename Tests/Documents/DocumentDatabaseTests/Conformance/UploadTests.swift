import Documents
import Media
import TestDeadline
import Testing

@Suite("Uploads in the store of documents", .deadline)
struct UploadTests {
    private static let content = FileContent(
        digest: Digest(hex: String(repeating: "a", count: 64))!, mediaType: .pdf, facts: nil)

    private func begin(_ bench: StoreBench, length: Int64? = 1000, replacing: Bool = false) throws -> Upload {
        let notes = FileNotes(cacheControl: "max-age=1", metadata: .object(["a": .integer(1)]))
        return try bench.store.addUpload(
            of: bench.owner, by: bench.stranger, for: .file(path: "a/b", replacing: replacing, notes: notes),
            length: length, lifetime: .seconds(60))
    }

    /// The document that an upload becomes.
    private static func document(_ title: String, of upload: Upload, _ bench: StoreBench) -> NewDocument {
        var new = bench.new(title, upload: upload.id)
        new.file = Document.File(
            object: upload.object, path: new.file.path, name: new.file.name, mediaType: new.file.mediaType,
            digest: new.file.digest, byteCount: new.file.byteCount)
        return new
    }

    @Test("An upload is kept as it began until it expires", arguments: StoreDriver.allCases)
    func keeping(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let upload = try store.addUpload(
            of: owner, by: bench.stranger, for: .document(texts: ["file_name": "Ü.pdf", "title": ""]), length: nil,
            lifetime: .seconds(60))
        #expect(upload.uploader == bench.stranger && upload.expires == bench.clock.now + .seconds(60))
        #expect(upload.state == .receiving)
        #expect(try store.upload(upload.id, of: owner) == upload && store.upload(upload.id, of: nil) == upload)
        let file = try begin(bench)
        #expect(try bench.reopened().upload(file.id, of: owner) == file)
        #expect(try store.declareLength(10, of: upload.id, owner: owner).length == 10)
        #expect(try store.declareLength(10, of: upload.id, owner: owner).length == 10)
        #expect(throws: DocumentError.self) { try store.declareLength(11, of: upload.id, owner: owner) }
        let open = [try store.upload(upload.id, of: owner), file].sorted { $0.id < $1.id }
        #expect(
            try store.openUploads(of: owner, behind: nil, limit: 9).elements == open
                && store.openUploads(of: nil, behind: nil, limit: 9).elements == open)
        #expect(try store.openUploads(of: bench.stranger, behind: nil, limit: 9).elements.isEmpty)
        bench.clock.advance(.seconds(60))
        #expect(try store.openUploads(of: owner, behind: nil, limit: 9).elements.isEmpty)
        // For a while another process may still be finishing them.
        #expect(try store.openUploads(of: nil, behind: nil, limit: 9).elements == open)
        #expect(try store.removeExpiredUploads() == 0)
        bench.clock.advance(.seconds(3600))
        #expect(try store.removeExpiredUploads() == 2)
        #expect(throws: DocumentError.notFound(.upload)) { try store.upload(upload.id, of: owner) }
        #expect(try Set(store.dueRemovals(limit: 9).map(\.object)) == [upload.object, file.object])
        #expect(try store.dueRemovals(limit: 9).map(\.digest) == [nil, nil])
    }

    @Test("An upload goes through its states once, however often each step is made", arguments: StoreDriver.allCases)
    func states(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let upload = try begin(bench)
        #expect(try store.note(Self.content, of: upload).state == .receiving, "not before its time")
        for _ in 0..<2 {
            let now = try store.endArrival(of: upload, by: owner, replacing: false)
            #expect(now.state == .checking && now.uploader == owner && now.purpose == upload.purpose)
        }
        #expect(throws: DocumentError.self) { try store.declareLength(1001, of: upload.id, owner: owner) }
        let checking = try store.upload(upload.id, of: owner)
        for _ in 0..<2 { #expect(try store.note(Self.content, of: checking).state == .finishing(Self.content)) }
        let allowing = try store.endArrival(of: upload, by: bench.stranger, replacing: true)
        #expect(allowing.state == .finishing(Self.content) && allowing.uploader == bench.stranger)
        #expect(try store.endArrival(of: upload, by: nil, replacing: false) == allowing)
        guard case .file(_, true, _) = allowing.purpose else {
            Issue.record("it may replace a file from now on: \(allowing.purpose)")
            return
        }
        // A process that still has the previous state refuses nothing.
        #expect(try store.refuse(checking, message: "No.").state == .finishing(Self.content))
        bench.clock.advance(.seconds(7200))
        #expect(try store.removeExpiredUploads() == 0)
        #expect(
            try store.openUploads(of: owner, behind: nil, limit: 9).elements == [allowing], "its bytes are all there")
        try store.note(trouble: "Taken.", of: allowing)
        #expect(try store.upload(upload.id, of: owner).trouble == "Taken.")
        #expect(try store.unknownObjects(among: [upload.object]).isEmpty && !store.hasObject(upload.object))
        #expect(try store.usedByteCount(of: owner) == 1000)
        #expect(try store.refuse(allowing, message: "No.").state == .refused(message: "No."))
        #expect(try store.dueRemovals(limit: 9).map(\.object) == [upload.object])
        #expect(try store.usedByteCount(of: owner) == 0)
        #expect(try store.endArrival(of: upload, by: owner, replacing: true).state == .refused(message: "No."))
        #expect(try store.unknownObjects(among: [upload.object]) == [upload.object])
    }

    @Test("The document of an upload is stored once, however often its answer is lost", arguments: StoreDriver.allCases)
    func repeatedEnd(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let upload = try begin(bench)
        let new = Self.document("A", of: upload, bench)
        let document = try store.add(new)
        #expect(try store.upload(upload.id, of: owner).state == .stored(document.id))
        #expect(
            try store.add(new) { () throws(DocumentError) in false } == document, "it is there, whoever may do what")
        #expect(try bench.page().totalCount == 1 && bench.events() == [.stored])
        #expect(try store.refuse(upload, message: "x").state == .stored(document.id))
        #expect(try !store.removeUpload(upload.id, of: owner), "its bytes are a stored file")
        #expect(try store.upload(upload.id, of: owner).state == .stored(document.id))
        #expect(try store.dueRemovals(limit: 9).isEmpty)
        let removed = try begin(bench)
        let late = Self.document("B", of: removed, bench)
        #expect(try store.removeUpload(removed.id, of: owner))
        #expect(throws: DocumentError.notFound(.upload)) { try store.add(late) }
        let second = try begin(bench)
        let gone = Self.document("C", of: second, bench)
        try store.removeLine(of: try store.add(gone).id, owner: owner)
        // The upload would otherwise keep the file's name.
        #expect(throws: DocumentError.notFound(.upload)) { try store.upload(second.id, of: owner) }
        #expect(throws: DocumentError.notFound(.upload)) { try store.add(gone) }
        #expect(try bench.page().totalCount == 1)
    }

    @Test("The uploads of a person who is forgotten go with their bytes", arguments: StoreDriver.allCases)
    func forgetting(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let upload = try begin(bench)
        try bench.store.forget(bench.owner)
        #expect(throws: DocumentError.notFound(.upload)) { try bench.store.upload(upload.id, of: nil) }
        #expect(try bench.store.dueRemovals(limit: 9).map(\.object) == [upload.object])
        #expect(try bench.store.hasRemovals(of: bench.owner))
    }
}
