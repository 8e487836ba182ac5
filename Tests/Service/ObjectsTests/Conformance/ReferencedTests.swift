import Objects
import TestDeadline
import Testing

@Suite("Objects that rows name stay, whoever removes", .deadline)
struct ReferencedTests {
    @Test("Only its owner's removal takes an object that a row names", arguments: StoreDriver.allCases)
    func removing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("named", at: "u/named")
        try bench.put("loose", at: "u/loose")
        bench.rows.name(.of("u/named"))
        #expect(try !bench.store.remove(.of("u/named")))
        #expect(try !bench.other.remove(.of("u/named")) { true })
        #expect(try bench.text(at: "u/named") == "named")
        #expect(try bench.store.remove(.of("u/loose")))
        #expect(try bench.store.removeReferenced(.of("u/named")))
        #expect(try bench.paths().isEmpty)
    }

    @Test("Nothing is removed while nobody can tell whether a row names it", arguments: StoreDriver.allCases)
    func unknown(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("a", at: "u/a")
        bench.rows.fail()
        func isUnavailable(_ error: any Error) -> Bool {
            if case .unavailable = error as? ObjectError { true } else { false }
        }
        #expect {
            try bench.store.remove(.of("u/a"))
        } throws: {
            isUnavailable($0)
        }
        #expect {
            try bench.store.remove(.of("u/a")) { true }
        } throws: {
            isUnavailable($0)
        }
        #expect(try bench.text(at: "u/a") == "a")
    }

    @Test("Nothing is put onto, moved onto or moved away from a path that a row names", arguments: StoreDriver.allCases)
    func replacing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("named", at: "u/named")
        try bench.put("loose", at: "u/loose")
        bench.rows.name(.of("u/named"))
        bench.rows.name(.of("u/lost"))
        #expect(throws: ObjectError.referenced) { try bench.put("x", at: "u/named", replacing: true) }
        #expect(throws: ObjectError.taken) { try bench.put("x", at: "u/named") }
        // The row's file is gone, and other bytes do not become it.
        #expect(throws: ObjectError.referenced) { try bench.put("x", at: "u/lost", replacing: true) }
        #expect(throws: ObjectError.taken) { try bench.put("x", at: "u/lost") }
        let (loose, named) = (ObjectPath.of("u/loose"), ObjectPath.of("u/named"))
        #expect(throws: ObjectError.referenced) { try bench.store.move(loose, to: named, replacing: true) }
        #expect(throws: ObjectError.referenced) { try bench.store.copy(loose, to: named, replacing: true) }
        #expect(throws: ObjectError.referenced) { try bench.store.move(named, to: .of("u/away"), replacing: false) }
        #expect(try bench.text(at: "u/named") == "named" && bench.text(at: "u/loose") == "loose")
        #expect(try bench.paths() == ["u/loose", "u/named"])
    }
}
