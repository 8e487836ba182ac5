import Database
import Documents
import JobQueue
import Linux
import Media
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Every document store: stored files", .deadline)
struct ObjectTests {
    private static let notes = FileNotes(
        cacheControl: "max-age=60", metadata: .object(["season": .integer(2026), "é": .array([.null, .string("\"")])]))

    private func new(_ bench: StoreBench, _ name: String, size: Int64 = 10, content: Int = 1) -> NewObject {
        NewObject(
            id: .random(), owner: bench.owner, path: "\(bench.owner)/resume/\(name)", digest: .numbered(content),
            byteCount: size, mediaType: .pdf, facts: FactsText(Facts(mediaType: .pdf, byteCount: size)),
            verdict: .passed)
    }

    /// A document version of an object's file.
    private func version(_ bench: StoreBench, of object: StoredObject) -> NewDocument {
        var new = bench.new("A")
        new.file = Document.File(
            object: object.id, path: object.path ?? "", name: "a.pdf", mediaType: object.mediaType,
            digest: object.digest, byteCount: object.byteCount)
        new.isObjectStored = true
        return new
    }

    @Test("A file is read as it was given, by identity and by path", arguments: StoreDriver.allCases)
    func storing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        var new = new(bench, "a")
        new.notes = Self.notes
        let stored = try bench.store.add(new)
        #expect(stored.id == new.id && stored.path == new.path && stored.notes == Self.notes)
        #expect(stored.stored == bench.clock.now && stored.facts?.facts?.byteCount == 10)
        let store = try bench.reopened()
        #expect(try store.object(new.id) == stored)
        #expect(try store.object(at: stored.path!) == stored)
        #expect(try store.object(.random()) == nil && store.object(at: "\(bench.owner)/resume/A") == nil)
        #expect(try store.unknownObjects(among: [new.id]).isEmpty)
        let unknown = ObjectID.random()
        #expect(try store.unknownObjects(among: [unknown, new.id]) == [unknown])
    }

    @Test(
        "A path is one file's: another replaces it on demand alone, and never a version's",
        arguments: StoreDriver.allCases)
    func replacing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.store.add(new(bench, "a", content: 1))
        #expect(throws: DocumentError.taken) { try bench.store.add(new(bench, "a", content: 2)) }
        let second = try bench.store.add(new(bench, "a", content: 2), replacing: true)
        #expect(try bench.store.object(first.id) == nil)
        #expect(try bench.store.dueRemovals(limit: 9).map(\.object) == [first.id])
        _ = try bench.store.add(version(bench, of: second))
        #expect(throws: DocumentError.referenced) {
            try bench.store.add(new(bench, "a", content: 3), replacing: true)
        }
        #expect(throws: DocumentError.taken) { try bench.store.add(new(bench, "a", content: 3)) }
        #expect(try bench.store.object(at: second.path!)?.id == second.id)
    }

    @Test(
        "Files that are nobody's share one bound of bytes, which a removal gives back",
        arguments: StoreDriver.allCases)
    func filesOfNobody(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        func new() -> NewObject {
            NewObject(
                id: .random(), owner: nil, path: nil, digest: .numbered(1), byteCount: 10, mediaType: .pdf, facts: nil,
                verdict: .passed)
        }
        let first = try bench.store.add(new(), allowed: 25)
        _ = try bench.reopened().add(new(), allowed: 25)
        #expect(throws: DocumentError.crowded) { try bench.store.add(new(), allowed: 25) }
        #expect(try bench.store.usedByteCount(of: nil) == 20)
        _ = try bench.store.add(self.new(bench, "a"), allowed: 25)
        try bench.store.removeObject(first.id)
        _ = try bench.store.add(new(), allowed: 25)
    }

    @Test("There is a bound on the number of files that are nobody's")
    func numberOfNobody() throws {
        let bench = try StoreBench()
        try OtherProgram.sqlite(
            bench.path,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(PersonBounds.filesOfNobody))
            INSERT INTO objects (id, is_named, digest, byte_count, media_type, verdict, stored_at)
                SELECT 'file' || i, 1, 'none', 1, 'application/pdf', 'passed', 0 FROM n;
            """)
        let new = NewObject(
            id: .random(), owner: nil, path: nil, digest: .numbered(1), byteCount: 10, mediaType: .pdf, facts: nil,
            verdict: .passed)
        #expect(throws: DocumentError.crowded) { try bench.store.add(new) }
        try OtherProgram.sqlite(bench.path, "DELETE FROM objects WHERE id = 'file1';")
        _ = try bench.store.add(new)
    }

    @Test("A text that an index does not take is refused for good")
    func longTexts() throws {
        let bench = try StoreBench(.postgreSQL)
        // Random text, because PostgreSQL compresses other text.
        var random = SplitMix(seed: 1)
        var scalars = String.UnicodeScalarView()
        for _ in 0..<1000 { scalars.append(Unicode.Scalar(UInt16.random(in: 0x4E00...0x9FFF, using: &random))!) }
        let title = String(scalars)
        #expect(throws: DocumentError.invalid(field: "text", message: "A text is too long to be stored.")) {
            try bench.add(title)
        }
    }

    @Test("The file of an upload gets its row once, while the upload is open", arguments: StoreDriver.allCases)
    func uploading(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        func upload() throws -> ID<Upload> {
            let purpose = Upload.Purpose.file(path: "a", replacing: true, notes: FileNotes())
            return try store.addUpload(of: owner, by: owner, for: purpose, length: 10, lifetime: .seconds(60)).id
        }
        let (finished, refused, removed) = (try upload(), try upload(), try upload())
        let file = new(bench, "a")
        let stored = try store.add(file, replacing: true, arrival: .upload(finished))
        #expect(try store.upload(finished, of: owner).state == .stored(nil))
        try store.refuse(try store.upload(refused, of: owner), message: "No.")
        try store.removeUpload(removed, of: owner)
        for upload in [finished, refused, removed] {
            let other = new(bench, "a")
            #expect(throws: DocumentError.notFound(.upload)) {
                try store.add(other, replacing: true, arrival: .upload(upload))
            }
        }
        #expect(try store.add(file, arrival: .upload(finished)) == stored, "the answer was lost")
        #expect(try store.object(file.id) == stored)
    }

    @Test("A row that cannot be read is removed with its bytes", arguments: StoreDriver.allCases)
    func unreadable(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let stored = try bench.store.add(new(bench, "a"))
        let rows: any SQLDatabase = try bench.scratch?.reopened() ?? SQLiteDatabase(path: bench.path)
        _ = try rows.write { session in
            try session.execute("UPDATE objects SET digest = 'x' WHERE id = ?", [stored.id.rawValue])
        }
        #expect(try bench.store.object(stored.id) == nil)
        #expect(try bench.store.removeObject(stored.id))
        #expect(try bench.store.dueRemovals(limit: 9).map(\.object) == [stored.id])
        #expect(try bench.store.usedByteCount(of: bench.owner) == 0 && !bench.store.removeObject(stored.id))
    }

    @Test("A file of a version cannot be moved, and none onto its path", arguments: StoreDriver.allCases)
    func moving(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let loose = try store.add(new(bench, "loose"))
        let named = try store.add(new(bench, "named", content: 2))
        _ = try store.add(version(bench, of: named))
        let away = "\(owner)/resume/away"
        #expect(throws: DocumentError.referenced) {
            try store.moveObject(from: named.path!, to: away, of: owner, allowed: nil)
        }
        #expect(throws: DocumentError.taken) {
            try store.moveObject(from: loose.path!, to: named.path!, of: owner, allowed: nil)
        }
        #expect(throws: DocumentError.taken) {
            try store.moveObject(from: loose.path!, to: loose.path!, of: owner, allowed: nil)
        }
        #expect(throws: DocumentError.notFound(.file)) {
            try store.moveObject(from: away, to: away, of: owner, allowed: nil)
        }
        try store.moveObject(from: loose.path!, to: away, of: owner, allowed: nil)
        #expect(try store.object(at: loose.path!) == nil && store.object(at: away)?.id == loose.id)
        // Another person's folder: from now on the bytes count there.
        let theirs = "\(bench.stranger)/resume/x"
        try store.moveObject(from: away, to: theirs, of: bench.stranger, allowed: nil)
        #expect(try store.usedByteCount(of: bench.stranger) == 10 && store.usedByteCount(of: owner) == 10)
        #expect(try store.object(loose.id)?.owner == bench.stranger)
        let back = try store.add(new(bench, "back"))
        #expect(throws: DocumentError.overQuota(used: 10, allowed: 19)) {
            try store.moveObject(from: back.path!, to: "\(bench.stranger)/resume/y", of: bench.stranger, allowed: 19)
        }
        // A caller that removes what it has seen at a path does not remove it elsewhere.
        #expect(try !store.removeObject(loose.id, at: away) && store.removeObject(loose.id, at: theirs))
    }

    @Test(
        "Once the file of a version is removed the version has none, whatever comes to the path",
        arguments: StoreDriver.allCases)
    func removing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let store = bench.store
        let object = try store.add(new(bench, "a", size: 100))
        let document = try store.add(version(bench, of: object))
        #expect(try store.removeObject(object.id))
        #expect(try !store.removeObject(object.id))
        let bare = try store.document(document.id, of: bench.owner)
        #expect(bare.file.object == nil && bare.file.path == object.path)
        #expect(try store.usedByteCount(of: bench.owner) == 0 && !store.isUsed(object.digest))
        #expect(try bench.events() == [.stored, .changed] && bench.queue().list(JobFilter()).isEmpty)
        let new = try store.add(new(bench, "a", content: 2))
        #expect(try store.document(document.id, of: bench.owner).file.object == nil)
        #expect(try store.document(withObject: new.id) == nil)
        try store.removeLine(of: document.id, owner: bench.owner)
        #expect(try store.object(new.id) != nil)
        #expect(try store.dueRemovals(limit: 9).map(\.object) == [object.id])
    }

    @Test("An object is one version's, and its owner's", arguments: StoreDriver.allCases)
    func naming(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let object = try bench.store.add(new(bench, "a"))
        var strangers = version(bench, of: object)
        strangers.owner = bench.stranger
        #expect(throws: DocumentError.notFound(.file)) { try bench.store.add(strangers) }
        let document = try bench.store.add(version(bench, of: object))
        #expect(try bench.store.document(withObject: object.id) == document)
        #expect(throws: DocumentError.conflict(message: "A document already has this file.")) {
            try bench.store.add(version(bench, of: object))
        }
        #expect(try bench.page().totalCount == 1)
        // A file that was moved between the check and the change is not the checked file.
        let other = try bench.store.add(new(bench, "b"))
        try bench.store.moveObject(from: other.path!, to: "\(bench.owner)/resume/c", of: bench.owner, allowed: nil)
        #expect(throws: DocumentError.notFound(.file)) { try bench.store.add(version(bench, of: other)) }
    }

    @Test(
        "Folders are told apart by their bytes, and come page by page in the order of bytes",
        arguments: StoreDriver.allCases)
    func listing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let folder = "\(bench.owner)/resume/"
        let names = ["a", "a b", "a-b/x", "a/x", "a0", "re\u{301}", "r\u{E9}", "\u{301}x", "😀"]
        for (number, name) in names.shuffled().enumerated() {
            var file = new(bench, name, content: number)
            file.notes = FileNotes(cacheControl: "no-store", metadata: .object(["a": .bool(true)]))
            try bench.store.add(file)
        }
        var elsewhere = new(bench, "")
        elsewhere.path = "\(bench.owner)/resumes/a"
        try bench.store.add(elsewhere)
        elsewhere.path = nil
        elsewhere.id = .random()
        try bench.store.add(elsewhere)
        func paths(below folder: String, _ limit: Int) throws -> [[UInt8]] {
            var (found, place) = ([[UInt8]](), StorePlace?.none)
            repeat {
                let page = try bench.store.objects(below: folder, behind: place, limit: limit)
                found += page.elements.map { Array($0.path!.utf8) }
                place = page.next
            } while place != nil
            return found
        }
        let expected = names.map { Array((folder + $0).utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        for limit in [1, 4, 99] {
            #expect(try paths(below: folder, limit) == expected)
            #expect(try paths(below: "", limit).count == names.count + 1)
        }
        #expect(try paths(below: "\(folder)a/", 9) == [Array("\(folder)a/x".utf8)])
        for file in try bench.store.objects(below: folder, behind: nil, limit: 99).elements {
            #expect(file.notes == FileNotes(cacheControl: "no-store"), "the client's metadata was read")
        }
        #expect(try bench.store.objects(of: bench.owner, behind: nil, limit: 99).elements.count == names.count + 2)
        #expect(try bench.store.objects(of: bench.stranger, behind: nil, limit: 99).elements.isEmpty)
        #expect(try bench.store.objects(of: nil, behind: nil, limit: 99).elements.count == names.count + 2)
    }

    @Test("Who is forgotten leaves no file; others' stay", arguments: StoreDriver.allCases)
    func forgetting(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("A")
        let loose = try bench.store.add(new(bench, "loose"))
        var theirs = new(bench, "theirs")
        (theirs.owner, theirs.path) = (bench.stranger, "\(bench.stranger)/resume/a")
        try bench.store.add(theirs)
        try bench.store.forget(bench.owner)
        #expect(try bench.store.objects(of: nil, behind: nil, limit: 9).elements.map(\.id) == [theirs.id])
        #expect(try Set(bench.store.dueRemovals(limit: 9).map(\.object)) == [document.file.object!, loose.id])
        #expect(throws: DocumentError.conflict(message: "This account was deleted.")) {
            try bench.store.add(new(bench, "late"))
        }
        #expect(try bench.store.hasRemovals(of: bench.owner) && !bench.store.hasRemovals(of: bench.stranger))
    }

    @Test("All files of a person count, and a file that is too much is refused", arguments: StoreDriver.allCases)
    func room(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.store.add(new(bench, "a", size: 400), allowed: 1000)
        _ = try bench.store.add(version(bench, of: first))
        var nobodys = new(bench, "x", size: 5000)
        (nobodys.owner, nobodys.path) = (nil, nil)
        #expect(throws: DocumentError.crowded) { try bench.store.add(nobodys, allowed: 1000) }
        try bench.store.add(nobodys, allowed: 6000)
        #expect(throws: DocumentError.overQuota(used: 400, allowed: 1000)) {
            try bench.store.add(new(bench, "b", size: 601), allowed: 1000)
        }
        try bench.store.add(new(bench, "b", size: 600), allowed: 1000)
        // Replaced bytes free their space.
        try bench.store.add(new(bench, "b", size: 500), replacing: true, allowed: 1000)
        #expect(try bench.store.usedByteCount(of: bench.owner) == 900)
    }
}
