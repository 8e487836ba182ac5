import Documents
import Media
import TestDeadline
import Testing

@Suite("Every document store: links for people without an account", .deadline)
struct LinkTests {
    private static let day = Duration.seconds(86_400)

    @Test("A link opens the version that lists show, until its end", arguments: StoreDriver.allCases)
    func life(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let first = try bench.add("T")
        let link = try store.addLink(to: first.id, of: owner, permission: .view, lifetime: Self.day)
        #expect(link.expires == bench.clock.now + Self.day && link.permission == .view && link.visitCount == 0)
        #expect(try bench.reopened().sharedDocument(by: link.token, isVisit: false).document == first)
        let second = try bench.add("T", after: first.id)
        let shared = try store.sharedDocument(by: link.token, isVisit: false)
        #expect(shared.document.id == second.id && shared.link == link)
        _ = try store.restore(first.id, of: owner)
        #expect(try store.sharedDocument(by: link.token, isVisit: false).document.id == first.id)
        bench.clock.advance(Self.day - .milliseconds(10))
        #expect(throws: Never.self) { try store.sharedDocument(by: link.token, isVisit: true) }
        bench.clock.advance(.milliseconds(10))
        for isVisit in [true, false] {
            #expect(throws: DocumentError.notFound(.link)) {
                try store.sharedDocument(by: link.token, isVisit: isVisit)
            }
        }
        #expect(try store.links(to: first.id, of: owner).isEmpty)
    }

    @Test("Visits are counted, by whichever process", arguments: StoreDriver.allCases)
    func visits(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("T")
        let link = try bench.store.addLink(to: document.id, of: bench.owner, permission: .download, lifetime: Self.day)
        bench.clock.advance(.milliseconds(1))
        let quiet = try bench.store.addLink(to: document.id, of: bench.owner, permission: .view, lifetime: Self.day)
        #expect(try bench.store.sharedDocument(by: link.token, isVisit: true).link.visitCount == 1)
        bench.clock.advance(.seconds(5))
        _ = try bench.reopened().sharedDocument(by: link.token, isVisit: true)
        _ = try bench.store.sharedDocument(by: link.token, isVisit: false)
        let found = try bench.store.links(to: document.id, of: bench.owner)
        #expect(found.map(\.id) == [quiet.id, link.id])
        #expect(found.map(\.visitCount) == [0, 2] && found.map(\.lastVisit) == [nil, bench.clock.now])
    }

    @Test("Only its owner makes, sees and ends a link", arguments: StoreDriver.allCases)
    func owners(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner, stranger) = (bench.store, bench.owner, bench.stranger)
        let document = try bench.add("T")
        let other = try bench.add("Other")
        let link = try store.addLink(to: document.id, of: owner, permission: .view, lifetime: Self.day)
        #expect(throws: DocumentError.notFound(.document)) {
            try store.addLink(to: document.id, of: stranger, permission: .view, lifetime: Self.day)
        }
        #expect(throws: DocumentError.notFound(.document)) { try store.links(to: document.id, of: stranger) }
        #expect(throws: DocumentError.notFound(.document)) {
            try store.removeLink(link.id, to: document.id, of: stranger)
        }
        #expect(throws: DocumentError.notFound(.link)) { try store.removeLink(link.id, to: other.id, of: owner) }
        try store.removeLink(link.id, to: document.id, of: owner)
        #expect(throws: DocumentError.notFound(.link)) { try store.removeLink(link.id, to: document.id, of: owner) }
        #expect(throws: DocumentError.notFound(.link)) { try store.sharedDocument(by: link.token, isVisit: true) }
    }

    @Test("The links of several documents are read at once, without those of others", arguments: StoreDriver.allCases)
    func several(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let documents = try ["A", "B", "C", "D"].map { try bench.add($0) }
        func link(_ index: Int, lifetime: Duration = Self.day) throws -> ID<ShareLink> {
            bench.clock.advance(.milliseconds(1))
            return try store.addLink(to: documents[index].id, of: owner, permission: .view, lifetime: lifetime).id
        }
        let (first, second, third) = (try link(0), try link(1), try link(0))
        _ = try link(2)
        _ = try link(3, lifetime: .milliseconds(1))
        bench.clock.advance(.milliseconds(1))
        let lines = [0, 1, 3].map { documents[$0].line }
        #expect(try store.links(toLines: lines, of: owner).map(\.id) == [third, second, first])
        #expect(try store.links(toLines: [], of: owner).isEmpty)
        #expect(try store.links(toLines: lines, of: bench.stranger).isEmpty)
    }

    @Test("Links go with the last version of their document, and with their person", arguments: StoreDriver.allCases)
    func removal(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        func link(to document: Document) throws -> ShareLink.Token {
            try store.addLink(to: document.id, of: owner, permission: .view, lifetime: Self.day).token
        }
        func opens(_ token: ShareLink.Token) -> Bool {
            (try? store.sharedDocument(by: token, isVisit: false)) != nil
        }
        let first = try bench.add("T")
        let second = try bench.add("T", after: first.id)
        let token = try link(to: first)
        try store.removeVersion(first.id, of: owner)
        #expect(opens(token))
        try store.removeVersion(second.id, of: owner)
        #expect(!opens(token))
        let whole = try bench.add("W")
        let wholeToken = try link(to: whole)
        try store.removeLine(of: whole.id, owner: owner)
        #expect(!opens(wholeToken))
        let kept = try link(to: try bench.add("K"))
        try store.forget(owner)
        #expect(!opens(kept))
        // An upload that began before is no longer stored.
        #expect(throws: DocumentError.conflict(message: "This account was deleted.")) { try bench.add("Late") }
    }

    @Test("A document has fifty links at most; ended ones do not count", arguments: StoreDriver.allCases)
    func bound(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("T")
        func add(_ lifetime: Duration) throws {
            _ = try bench.store.addLink(to: document.id, of: bench.owner, permission: .view, lifetime: lifetime)
        }
        try add(.seconds(1))
        bench.clock.advance(.seconds(1))
        for _ in 0..<50 { try add(Self.day) }
        #expect(throws: DocumentError.self) { try add(Self.day) }
        #expect(try bench.store.links(to: document.id, of: bench.owner).count == 50)
    }

    @Test("A token has 22 characters of the alphabet, and never comes twice")
    func tokens() {
        let made = Set((0..<1000).map { _ in ShareLink.Token.make().text })
        #expect(made.count == 1000 && made.allSatisfy { ShareLink.Token($0)?.text == $0 })
        let text = "abcdefghijklmnopqrst-_"
        #expect(ShareLink.Token(text) != nil)
        for wrong in ["", String(text.dropLast()), text + "a", "abcdefghijklmnopqrst-=", "äbcdefghijklmnopqrst-"] {
            #expect(ShareLink.Token(wrong) == nil)
        }
    }
}
