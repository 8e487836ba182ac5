import Documents
import Linux
import Media
import Synchronization
import TestDeadline
import Testing

@Suite("Every document store: documents and their versions", .deadline)
struct VersionTests {
    @Test("A stored document is read as it was given, by its identity and by its file", arguments: StoreDriver.allCases)
    func storing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0]
        var new = bench.new("Résumé 🏈", description: "two\nlines", school: school.id)
        new.uploader = bench.stranger
        let stored = try bench.store.add(new)
        #expect(stored.title == "Résumé 🏈" && stored.description == "two\nlines" && stored.school == school.id)
        #expect(stored.version == 1 && stored.isCurrent && stored.state == .stored && stored.shares.isEmpty)
        #expect(stored.owner == bench.owner && stored.uploader == bench.stranger && stored.file == new.file)
        #expect(stored.created == bench.clock.now && stored.updated == bench.clock.now)
        #expect(try bench.store.document(stored.id, of: bench.owner) == stored)
        #expect(try bench.store.document(withObject: new.file.object!) == stored)
        #expect(try bench.store.document(withObject: .random()) == nil)
        let object = try bench.store.object(at: new.file.path)
        #expect(object?.id == new.file.object && object?.owner == bench.owner && object?.verdict == .passed)
        #expect(try bench.reopened().list(ListQuery(), of: bench.owner).documents == [stored])
    }

    @Test("What belongs to somebody else is not found, in every operation", arguments: StoreDriver.allCases)
    func strangers(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0]
        let theirs = try bench.store.addSchools(named: ["Ohio State"], of: bench.stranger)[0]
        let document = try bench.add("A")
        let template = try bench.store.addTemplate(named: "A", type: .email, body: "B", of: bench.owner)
        let upload = try bench.store.addUpload(
            of: bench.owner, by: bench.owner, for: .document(texts: [:]), length: 1, lifetime: .seconds(1))
        let (store, stranger, owner, id) = (bench.store, bench.stranger, bench.owner, document.id)
        func expectMissing(_ subject: DocumentError.Subject, _ body: () throws -> Void) {
            #expect(throws: DocumentError.notFound(subject)) { try body() }
        }
        expectMissing(.document) { _ = try store.document(id, of: stranger) }
        expectMissing(.document) { _ = try store.versions(of: id, owner: stranger) }
        expectMissing(.document) { _ = try store.change(id, of: stranger, to: DocumentChange(title: "B")) }
        expectMissing(.document) { _ = try store.restore(id, of: stranger) }
        expectMissing(.document) { _ = try store.clearCurrent(id, of: stranger) }
        expectMissing(.document) { try store.removeLine(of: id, owner: stranger) }
        expectMissing(.document) { try store.removeVersion(id, of: stranger) }
        expectMissing(.document) { _ = try store.share(id, of: stranger, with: [theirs.id], permission: .view) }
        expectMissing(.document) { _ = try store.unshare(id, of: stranger, from: [theirs.id]) }
        expectMissing(.school) { _ = try store.share(id, of: owner, with: [theirs.id], permission: .view) }
        expectMissing(.school) { _ = try store.change(id, of: owner, to: DocumentChange(school: .some(theirs.id))) }
        expectMissing(.school) { _ = try store.add(bench.new("B", school: theirs.id)) }
        expectMissing(.school) { _ = try store.renameSchool(school.id, of: stranger, to: "X") }
        expectMissing(.school) { try store.removeSchool(school.id, of: stranger) }
        expectMissing(.template) {
            _ = try store.changeTemplate(template.id, of: stranger, name: "X", type: nil, body: nil)
        }
        expectMissing(.template) { try store.removeTemplate(template.id, of: stranger) }
        expectMissing(.upload) { _ = try store.upload(upload.id, of: stranger) }
        expectMissing(.upload) { try store.declareLength(1, of: upload.id, owner: stranger) }
        expectMissing(.upload) { try store.removeUpload(upload.id, of: stranger) }
        expectMissing(.document) {
            var new = bench.new("B", after: id)
            new.owner = stranger
            _ = try store.add(new)
        }
        #expect(try store.list(ListQuery(), of: stranger).documents.isEmpty)
        #expect(try store.statistics(of: stranger).totalCount == 0)
        #expect(try store.events(after: 0, of: stranger, limit: 9).isEmpty)
        #expect(try store.document(id, of: owner) == document)
        #expect(try store.schools(of: owner) == [school] && store.templates(of: owner) == [template])
        #expect(try store.upload(upload.id, of: owner) == upload)
    }

    @Test(
        "A version gets the next number, becomes the current one and keeps the line's texts",
        arguments: StoreDriver.allCases)
    func nextVersion(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0]
        let first = try bench.add("Title", description: "words", school: school.id)
        let second = try bench.add("Another title", after: first.id)
        let third = try bench.add("Third", description: "other words", after: first.id)
        #expect([second, third].map(\.version) == [2, 3] && [second, third].map(\.line) == [first.line, first.line])
        #expect(second.title == "Title" && second.description == "words" && second.school == school.id)
        #expect(third.title == "Title" && third.description == "other words")
        let versions = try bench.store.versions(of: second.id, owner: bench.owner)
        #expect(versions.map(\.version) == [3, 2, 1] && versions.map(\.isCurrent) == [true, false, false])
        let page = try bench.page()
        #expect(page.documents == [third] && page.totalCount == 1 && page.filteredCount == 1 && page.next == nil)
        #expect(throws: DocumentError.self) { try bench.store.add(bench.new("T", type: .transcript, after: first.id)) }
    }

    @Test("An older version can be made current, and no version is made by that", arguments: StoreDriver.allCases)
    func restoring(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.add("A", description: "old")
        let second = try bench.add("A", description: "new", after: first.id)
        bench.clock.advance(.seconds(1))
        let restored = try bench.store.restore(first.id, of: bench.owner)
        #expect(restored.isCurrent && restored.version == 1 && restored.updated == bench.clock.now)
        #expect(try !bench.store.document(second.id, of: bench.owner).isCurrent)
        #expect(try bench.page().documents.map(\.id) == [first.id])
        #expect(try bench.titles { $0.search = "old" } == ["A"] && bench.titles { $0.search = "new" }.isEmpty)
        #expect(try bench.add("A", after: first.id).version == 3)
    }

    @Test("A line without a current version shows its highest one", arguments: StoreDriver.allCases)
    func noCurrent(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.add("A")
        let second = try bench.add("A", after: first.id)
        _ = try bench.store.restore(first.id, of: bench.owner)
        #expect(try !bench.store.clearCurrent(first.id, of: bench.owner).isCurrent)
        let page = try bench.page()
        #expect(page.documents.map(\.id) == [second.id] && page.documents[0].isCurrent == false && page.totalCount == 1)
        #expect(try bench.store.restore(second.id, of: bench.owner).isCurrent)
        #expect(
            try bench.store.clearCurrent(first.id, of: bench.owner) == bench.store.document(first.id, of: bench.owner))
        #expect(try bench.page().documents.map(\.id) == [second.id])
    }

    @Test("A version that is stored as not current leaves the mark and the list to the one that has them")
    func draft() throws {
        let bench = try StoreBench()
        let first = try bench.add("A")
        func addDraft(after predecessor: Document?) throws -> Document {
            var new = bench.new("A")
            new.predecessor = predecessor?.id
            new.isCurrent = false
            return try bench.store.add(new)
        }
        let draft = try addDraft(after: first)
        #expect(draft.version == 2 && !draft.isCurrent)
        #expect(try bench.store.document(first.id, of: bench.owner).isCurrent)
        #expect(try bench.store.list(ListQuery(), of: bench.owner).documents.map(\.id) == [first.id])
        // A line without a current version shows its highest version.
        _ = try bench.store.clearCurrent(first.id, of: bench.owner)
        let latest = try addDraft(after: first)
        #expect(try bench.store.list(ListQuery(), of: bench.owner).documents.map(\.id) == [latest.id])
        #expect(try !bench.store.document(latest.id, of: bench.owner).isCurrent)
    }

    @Test("A title is changed for all versions, description and school for one", arguments: StoreDriver.allCases)
    func changing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0]
        let first = try bench.add("Old", description: "first")
        let second = try bench.add("Old", description: "second", after: first.id)
        bench.clock.advance(.seconds(1))
        let changed = try bench.store.change(
            second.id, of: bench.owner,
            to: DocumentChange(title: "Brand new", description: .some(nil), school: .some(school.id)))
        #expect(changed.title == "Brand new" && changed.description == nil && changed.school == school.id)
        #expect(changed.updated == bench.clock.now && changed.created == second.created)
        #expect(try bench.store.document(second.id, of: bench.owner) == changed)
        let old = try bench.store.document(first.id, of: bench.owner)
        #expect(old.title == "Brand new" && old.description == "first" && old.school == nil)
        #expect(
            try bench.titles { $0.search = "brand" } == ["Brand new"] && bench.titles { $0.search = "second" }.isEmpty)
        #expect(try bench.titles { $0.school = .school(school.id) } == ["Brand new"])
        let same = try bench.store.change(second.id, of: bench.owner, to: DocumentChange(school: .some(nil)))
        #expect(same.title == "Brand new" && same.school == nil)
        #expect(try bench.page { $0.school = .general }.filteredCount == 1)
    }

    @Test(
        "Removing a line removes all its versions, shares and counts, and makes a removal of each file",
        arguments: StoreDriver.allCases)
    func removingLines(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0]
        let first = try bench.add("A", size: 10)
        let second = try bench.add("A", size: 20, after: first.id)
        let other = try bench.add("B", size: 40)
        _ = try bench.store.share(first.id, of: bench.owner, with: [school.id], permission: .edit)
        #expect(try bench.store.statistics(of: bench.owner).byteCount == 70)
        #expect(try bench.store.removeLine(of: first.id, owner: bench.owner).map(\.version) == [2, 1])
        #expect(throws: DocumentError.notFound(.document)) { try bench.store.document(second.id, of: bench.owner) }
        #expect(try bench.store.object(first.file.object!) == nil && bench.store.object(at: first.file.path) == nil)
        #expect(try bench.page().documents == [other] && bench.page().totalCount == 1)
        let statistics = try bench.store.statistics(of: bench.owner)
        #expect(
            statistics == DocumentStatistics(totalCount: 1, sharedCount: 0, countsByType: [.resume: 1], byteCount: 40))
        let removals = try bench.store.dueRemovals(limit: 9)
        #expect(Set(removals.map(\.object)) == [first.file.object!, second.file.object!])
        #expect(try !bench.store.isUsed(first.file.digest) && bench.store.isUsed(other.file.digest))
        #expect(throws: DocumentError.notFound(.document)) {
            try bench.store.removeLine(of: first.id, owner: bench.owner)
        }
        // A path is free at once: the bytes that are still to be removed have a different identity.
        var again = bench.new("C")
        again.file = Document.File(
            object: .random(), path: first.file.path, name: "again.pdf", mediaType: .pdf, digest: first.file.digest,
            byteCount: 10)
        #expect(try bench.store.add(again).version == 1)
        var taken = bench.new("D")
        taken.file = Document.File(
            object: .random(), path: other.file.path, name: "taken.pdf", mediaType: .pdf, digest: first.file.digest,
            byteCount: 10)
        #expect(throws: DocumentError.taken) { try bench.store.add(taken) }
    }

    @Test(
        "Removing one version leaves the others, and the highest is shown where it was the current one",
        arguments: StoreDriver.allCases)
    func removingVersions(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0]
        let versions = [try bench.add("A")]
        let all = try versions + (0..<3).map { _ in try bench.add("A", after: versions[0].id) }
        _ = try bench.store.share(all[0].id, of: bench.owner, with: [school.id], permission: .view)
        try bench.store.removeVersion(all[1].id, of: bench.owner)
        #expect(try bench.page().documents.map(\.id) == [all[3].id])
        try bench.store.removeVersion(all[3].id, of: bench.owner)
        let page = try bench.page()
        #expect(page.documents.map(\.id) == [all[2].id] && !page.documents[0].isCurrent && page.totalCount == 1)
        #expect(page.documents[0].shares.map(\.school) == [school.id])
        // The next number follows the highest remaining one.
        #expect(try bench.add("A", after: all[0].id).version == 4)
        for version in try bench.store.versions(of: all[0].id, owner: bench.owner) {
            try bench.store.removeVersion(version.id, of: bench.owner)
        }
        #expect(try bench.page().totalCount == 0 && bench.store.statistics(of: bench.owner).sharedCount == 0)
    }

    @Test(
        "The document of a type and title is found to the letter, and the newest of several",
        arguments: StoreDriver.allCases)
    func byTitle(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let store = bench.store
        try bench.add("Résumé")
        let newest = try bench.add("Résumé")
        try bench.add("Résumé", type: .transcript)
        try bench.add("résumé")
        #expect(try store.document(ofType: .resume, titled: "Résumé", of: bench.owner)?.id == newest.id)
        #expect(try store.document(ofType: .resume, titled: "Resume", of: bench.owner) == nil)
        let version = try bench.add("x", after: newest.id)
        #expect(try store.document(ofType: .resume, titled: "Résumé", of: bench.owner)?.id == version.id)
        #expect(try store.document(ofType: .resume, titled: "Résumé", of: bench.stranger) == nil)
    }

    @Test("All versions can be walked by identity, one person's or everybody's", arguments: StoreDriver.allCases)
    func walking(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.add("A")
        let ids = try [first.id] + (0..<6).map { try bench.add("\($0)", after: $0 % 2 == 0 ? first.id : nil).id }
        var new = bench.new("theirs")
        new.owner = bench.stranger
        let theirs = try bench.store.add(new).id
        func walk(_ owner: ID<Person>?) throws -> [ID<Document>] {
            var found: [ID<Document>] = []
            var place: StorePlace?
            repeat {
                let page = try bench.store.allVersions(of: owner, behind: place, limit: 3)
                found += page.elements.map(\.id)
                place = page.next
            } while place != nil
            return found
        }
        #expect(try walk(bench.owner) == ids.sorted())
        #expect(try walk(nil) == (ids + [theirs]).sorted())
    }
}
