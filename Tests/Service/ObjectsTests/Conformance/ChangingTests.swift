import Linux
import Media
import Objects
import Synchronization
import TestDeadline
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("Objects are read, copied, moved and removed", .deadline)
struct ChangingTests {
    @Test("Ranges are read as they are asked for, and end with the object", arguments: StoreDriver.allCases)
    func ranges(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let stored = try bench.put("0123456789", at: "u/a")
        let reader = try bench.store.open(.of("u/a"))
        #expect(reader.byteCount == 10 && reader.modified == stored.modified)
        for (offset, count, text) in [(0, 3, "012"), (7, 3, "789"), (7, 9, "789"), (10, 1, ""), (99, 5, "")] {
            var buffer = [UInt8](repeating: 0, count: count)
            let done = try buffer.withUnsafeMutableBytes { try reader.read(into: $0, at: Int64(offset)) }
            #expect(String(decoding: buffer.prefix(done), as: UTF8.self) == text)
        }
    }

    @Test("What is not there is missing", arguments: StoreDriver.allCases)
    func missing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("a", at: "u/t/a")
        for path in ["u/t/b", "u/t", "u", "u/t/a/below", "v/t/a", String(repeating: "n", count: 255)] {
            let path = ObjectPath.of(path)
            #expect(throws: ObjectError.missing) { try bench.store.open(path) }
            #expect(throws: ObjectError.missing) { try bench.store.source(path) }
            #expect(throws: ObjectError.missing) { try bench.store.status(of: path) }
            #expect(throws: ObjectError.missing) { try bench.store.copy(path, to: .of("x"), replacing: false) }
            #expect(throws: ObjectError.missing) { try bench.store.move(path, to: .of("x"), replacing: false) }
            #expect(try !bench.store.remove(path))
        }
        #expect(try bench.paths() == ["u/t/a"])
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("A source is named after the path's end, and has the object's bytes", arguments: StoreDriver.allCases)
    func source(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("abc", at: "u/t/1_a.pdf")
        let source = try bench.store.source(.of("u/t/1_a.pdf"))
        #expect(source.name == "1_a.pdf" && source.byteCount == 3 && source.becomesSecure)
        #expect(try source.descriptor.bytes(at: 0, count: 9) == Array("abc".utf8))
    }

    @Test("A copy has the bytes and their digest, and replaces on demand only", arguments: StoreDriver.allCases)
    func copying(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let text = String(repeating: "0123456789", count: 60_000)
        let stored = try bench.put(text, at: "u/a")
        let copy = try bench.store.copy(.of("u/a"), to: .of("v/t/b"), replacing: false)
        #expect(copy.digest == stored.digest && copy.byteCount == stored.byteCount && copy.path.text == "v/t/b")
        #expect(try bench.text(at: "v/t/b") == text)
        try bench.put("other", at: "u/c")
        #expect(throws: ObjectError.taken) { try bench.store.copy(.of("u/c"), to: .of("u/a"), replacing: false) }
        #expect(try bench.text(at: "u/a") == text)
        _ = try bench.store.copy(.of("u/c"), to: .of("u/a"), replacing: true)
        #expect(try bench.text(at: "u/a") == "other")
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("A move leaves nothing behind, and replaces on demand only", arguments: StoreDriver.allCases)
    func moving(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("a", at: "u/t/a")
        try bench.store.move(.of("u/t/a"), to: .of("v/w/x/b"), replacing: false)
        #expect(try bench.paths() == ["v/w/x/b"])
        try bench.put("c", at: "u/c")
        #expect(throws: ObjectError.taken) { try bench.store.move(.of("u/c"), to: .of("v/w/x/b"), replacing: false) }
        #expect(throws: ObjectError.taken) { try bench.store.move(.of("u/c"), to: .of("u/c"), replacing: false) }
        #expect(try bench.text(at: "u/c") == "c" && bench.text(at: "v/w/x/b") == "a")
        try bench.store.move(.of("u/c"), to: .of("v/w/x/b"), replacing: true)
        #expect(try bench.text(at: "v/w/x/b") == "c")
        #expect(try bench.paths() == ["v/w/x/b"])
    }

    @Test("A removal says whether there was an object, and can be repeated", arguments: StoreDriver.allCases)
    func removing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("a", at: "u/t/a")
        try bench.put("b", at: "u/b")
        #expect(try bench.store.remove(.of("u/t/a")))
        #expect(try !bench.other.remove(.of("u/t/a")))
        #expect(try bench.paths() == ["u/b"])
        try bench.put("again", at: "u/t/a")
        #expect(try bench.text(at: "u/t/a") == "again")
    }

    @Test("A removal that its caller takes back in the last moment leaves the object", arguments: StoreDriver.allCases)
    func takingBack(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("a", at: "u/a")
        #expect(try !bench.store.remove(.of("u/a")) { false })
        #expect(try bench.text(at: "u/a") == "a")
        #expect(try bench.other.remove(.of("u/a")) { true })
        #expect(try !bench.store.remove(.of("u/a")) { true })
        #expect(try bench.paths().isEmpty)
    }

    @Test("Two such removals of one object do not ask at once", arguments: StoreDriver.allCases)
    func removingTogether(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("a", at: "u/a")
        let hasSeen = Atomic(false)
        let isOver = Promise<Void>()
        var second: WorkerThread?
        let isRemoved = try bench.store.remove(.of("u/a")) {
            second = try? WorkerThread(name: "second") {
                // It is refused, or waits for the first one.
                _ = try? bench.other.remove(.of("u/a")) {
                    let isThere = (try? bench.other.status(of: .of("u/a"))) != nil
                    hasSeen.store(isThere, ordering: .relaxed)
                    return true
                }
                isOver.fulfil(())
            }
            _ = isOver.wait(until: Time.monotonic + .milliseconds(300))
            return true
        }
        second?.join()
        #expect(isRemoved && second != nil && !hasSeen.load(ordering: .relaxed))
    }

    @Test("One caller at a time has the turn at sweeping", arguments: StoreDriver.allCases)
    func sweepingTurn(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        var turn = try bench.store.takeSweepingTurn()
        #expect(turn != nil)
        #expect(try bench.other.takeSweepingTurn() == nil)
        // What is removed and stored meanwhile does not need it.
        try bench.put("a", at: "u/a")
        #expect(try bench.store.remove(.of("u/a")) { true })
        turn = nil
        #expect(try bench.other.takeSweepingTurn() != nil)
    }

    @Test(
        "The list has all objects in the order of their bytes, page by page, while others come and go",
        arguments: StoreDriver.allCases)
    func listing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let paths = ["a", "a-b/x", "a.b", "a/x", "a/y/z", "a0", "b/c/d/e", "b/é", "z/😀.pdf"].map { $0 }
        for path in paths.shuffled() where path != "a" { try bench.put(path, at: path) }
        let all = Array(paths.dropFirst())
        #expect(try bench.paths() == all)
        for limit in 1...4 {
            var found: [ObjectStatus] = []
            var place: ObjectPath?
            repeat {
                let page = try bench.other.list(prefix: "", after: place, limit: limit)
                #expect(page.elements.count <= limit)
                found += page.elements
                place = page.next
            } while place != nil && found.count <= all.count
            #expect(found.map(\.path.text) == all)
            #expect(found.map(\.byteCount) == all.map { Int64($0.utf8.count) })
            let walk = try bench.other.walk()
            var walked: [ObjectStatus] = []
            while walked.count <= all.count, let next = try walk.next(limit) {
                #expect(next.count <= limit)
                walked += next
            }
            #expect(walked.map(\.path) == found.map(\.path))
        }
        for prefix in ["a", "a/", "a/y", "b/", "b/c/d/e", "q", "a/x/"] {
            let found = try bench.store.list(prefix: prefix, after: nil, limit: 99).elements.map(\.path.text)
            #expect(found == all.filter { $0.hasPrefix(prefix) }, "\(prefix)")
        }
        // The path from which a list goes on need not be there.
        try bench.store.remove(.of("a/x"))
        try bench.put("new", at: "a/xx")
        let rest = try bench.store.list(prefix: "a", after: .of("a/x"), limit: 99).elements.map(\.path.text)
        #expect(rest == ["a/xx", "a/y/z", "a0"])
        #expect(try bench.store.list(prefix: "", after: nil, limit: 0).elements.isEmpty)
    }

    @Test(
        "Paths are kept byte for byte: an accent that is written in two ways names two objects",
        arguments: StoreDriver.allCases)
    func bytes(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (composed, decomposed) = ("u/r\u{E9}sum\u{E9}.pdf", "u/re\u{301}sume\u{301}.pdf")
        try bench.put("a", at: composed)
        #expect(try bench.text(at: decomposed) == nil)
        try bench.put("b", at: decomposed)
        #expect(try bench.text(at: composed) == "a" && bench.text(at: decomposed) == "b")
        let found = try bench.store.list(prefix: "u/re\u{301}", after: nil, limit: 9).elements.map {
            Array($0.path.text.utf8)
        }
        #expect(found == [Array(decomposed.utf8)])
        #expect(try bench.store.remove(.of(composed)))
        #expect(try bench.text(at: decomposed) == "b")
    }

    @Test("A slash before a combining mark divides a path as any other does", arguments: StoreDriver.allCases)
    func combiningMark(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let path = ObjectPath.of("u/resume/\u{301}x.pdf")
        try bench.put("first", at: "u/resume/first.pdf")
        try bench.put("x", at: path.text)
        try bench.store.move(path, to: .of("u/other/\u{301}y.pdf"), replacing: false)
        try bench.store.move(.of("u/other/\u{301}y.pdf"), to: path, replacing: false)
        let walk = try bench.store.walk()
        let walked = try [walk.next(1), walk.next(9)].compactMap(\.self).flatMap { $0.map { Array($0.path.text.utf8) } }
        #expect(walked == [Array("u/resume/first.pdf".utf8), Array(path.text.utf8)])
        let rest = try bench.store.list(prefix: "u/", after: .of("u/resume/first.pdf"), limit: 9).elements
        #expect(rest.map(\.path) == [path])
        #expect(try bench.store.remove(path))
        #expect(try bench.paths() == ["u/resume/first.pdf"])
    }
}
