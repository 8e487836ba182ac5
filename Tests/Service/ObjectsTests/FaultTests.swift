import CLinux
import Linux
import Media
import Objects
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

/// Each test lets an operation run with its n-th system call failing, for every n until a run needs no n-th call; then looks
/// at the store with sound calls.
@Suite("The store in a folder when the n-th system call fails", .deadline)
struct FaultTests {
    enum Manner: CaseIterable {
        /// Only the n-th fails: a full disk for a moment, a bad block.
        case once
        /// All from the n-th on: the process was killed.
        case crash

        func fault(_ index: Int) -> FaultyObjectFiles.Fault { self == .once ? .once(index) : .fromOn(index) }
    }

    private static let errors = [ENOSPC, EIO]
    /// Several steps of early writing, sent in pieces of 4 MiB.
    private static let bytes = (0..<20_000_003).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) }
    private static let small = Array("some bytes".utf8)

    /// Runs `body` over a store that `prepare` has filled, for every n.
    private func forEveryCall(
        _ manner: Manner, _ number: Int32, prepare: (any ObjectStore) throws -> Void,
        body: (any ObjectStore) throws -> Void, check: (any ObjectStore, _ thrown: ObjectError?) throws -> Void
    ) throws {
        for index in 0..<1000 {
            let bench = try StoreBench()
            try prepare(bench.store)
            let files = FaultyObjectFiles(manner.fault(index), number: number)
            var thrown: ObjectError?
            do {
                try body(FolderStore(path: "\(bench.folder)/store", making: true, calls: files))
            } catch let error as ObjectError {
                thrown = error
            }
            switch thrown {
            case nil, .noSpace, .unavailable: break
            default: Issue.record("call \(index): \(String(describing: thrown))")
            }
            try check(bench.other, thrown)
            if files.callCount <= index {
                #expect(index > 3 && thrown == nil, "the last run met no fault")
                return
            }
        }
        Issue.record("no run without a fault")
    }

    private func put(_ bytes: [UInt8], at path: String, replacing: Bool = false, in store: any ObjectStore) throws {
        let file = try store.begin()
        do {
            var rest = bytes[...]
            while !rest.isEmpty {
                try file.append(Array(rest.prefix(4 << 20)))
                rest = rest.dropFirst(4 << 20)
            }
            try file.sync()
            let stored = try file.commit(to: .of(path), replacing: replacing)
            #expect(stored.digest == SHA256.digest(of: bytes))
        } catch {
            try? file.discard()
            throw error
        }
    }

    private func bytes(at path: String, in store: any ObjectStore) throws -> [UInt8]? {
        do throws(ObjectError) {
            return try store.open(.of(path)).bytes()
        } catch {
            if error == .missing { return nil }
            throw error
        }
    }

    private func paths(in store: any ObjectStore) throws -> [String] {
        try store.list(prefix: "", after: nil, limit: 99).elements.map(\.path.text)
    }

    @Test("Receiving leaves nothing, an incoming file or the whole object", arguments: Manner.allCases, errors)
    func receiving(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) { _ in
        } body: {
            try put(Self.bytes, at: "u/t/a", in: $0)
        } check: { store, thrown in
            let found = try bytes(at: "u/t/a", in: store)
            #expect(found == nil || found == Self.bytes, "never half an object")
            #expect(thrown != nil || found != nil, "what was acknowledged is there")
            let incoming = try store.incoming(untouchedFor: .zero)
            #expect(found == nil || incoming.isEmpty)
            if manner == .once {
                #expect((thrown == nil) == (found != nil) && incoming.isEmpty, "nothing is left behind")
            }
            for file in incoming {
                let count = Int(file.byteCount)
                #expect(try store.resume(file.id).prefix(.max) == Array(Self.bytes.prefix(count)))
            }
            // Whatever was left does not stand in the way.
            try put(Self.small, at: "u/t/a", replacing: true, in: store)
        }
    }

    @Test("Replacing leaves the old object or the new one", arguments: Manner.allCases, errors)
    func replacing(manner: Manner, number: Int32) throws {
        let new = Array("other bytes".utf8)
        try forEveryCall(manner, number) {
            try put(Self.small, at: "u/a", in: $0)
        } body: {
            try put(new, at: "u/a", replacing: true, in: $0)
        } check: { store, thrown in
            let found = try bytes(at: "u/a", in: store)
            #expect(found == new || (thrown != nil && found == Self.small))
        }
    }

    @Test("A file that goes on after a fault has the digest of all its bytes, or is given up", arguments: errors)
    func goingOn(number: Int32) throws {
        var givenUpCount = 0
        try forEveryCall(.once, number) { _ in
        } body: { store in
            let file = try store.begin()
            /// Tries a second time, as a sender does.
            func twice<Answer>(_ body: () throws(ObjectError) -> Answer) throws(ObjectError) -> Answer {
                do throws(ObjectError) { return try body() } catch { return try body() }
            }
            do throws(ObjectError) {
                for piece in 0..<5 {
                    let part = Array(Self.bytes[(piece * 4_000_000)..<(piece * 4_000_000 + 4_000_000)])
                    try twice { () throws(ObjectError) in try file.append(part) }
                    if piece == 2 { try twice { () throws(ObjectError) in try file.sync() } }
                }
                let stored = try twice { () throws(ObjectError) in try file.commit(to: .of("u/a"), replacing: false) }
                #expect(stored.digest == SHA256.digest(of: Self.bytes.prefix(20_000_000)))
            } catch {
                #expect(error == .missing, "only a file that is given up ends in an error")
                givenUpCount += 1
                try file.discard()
                throw ObjectError.noSpace(detail: "given up")
            }
        } check: { store, thrown in
            let found = try bytes(at: "u/a", in: store)
            #expect(found == (thrown == nil ? Array(Self.bytes.prefix(20_000_000)) : nil))
            #expect(try store.incoming(untouchedFor: .zero).isEmpty)
        }
        // The sync in the middle, and that of the seal.
        #expect(givenUpCount == 2)
    }

    @Test("A file of a dead process is resumed, and committed whole or not at all", arguments: Manner.allCases, errors)
    func resuming(manner: Manner, number: Int32) throws {
        var id = IncomingID.random()
        try forEveryCall(manner, number) { store in
            let file = try store.begin()
            id = file.id
            try file.append(Array(Self.bytes.prefix(300_000)))
        } body: { store in
            let file = try store.resume(id)
            try file.append(Array(Self.bytes[300_000..<600_000]))
            let stored = try file.commit(to: .of("u/a"), replacing: false)
            #expect(stored.digest == SHA256.digest(of: Self.bytes.prefix(600_000)))
        } check: { store, thrown in
            let found = try bytes(at: "u/a", in: store)
            #expect(found == nil || found == Array(Self.bytes.prefix(600_000)))
            #expect((thrown == nil) == (found != nil) || manner == .crash)
        }
    }

    @Test("After a move the object has one of the two paths, whole", arguments: Manner.allCases, errors)
    func moving(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) {
            try put(Self.small, at: "u/t/a", in: $0)
        } body: {
            try $0.move(.of("u/t/a"), to: .of("v/w/b"), replacing: false)
        } check: { store, thrown in
            let paths = try paths(in: store)
            #expect(paths == ["v/w/b"] || (thrown != nil && paths == ["u/t/a"]))
            #expect(try bytes(at: paths[0], in: store) == Self.small)
        }
    }

    @Test("A copy is whole or absent, and its source stays", arguments: Manner.allCases, errors)
    func copying(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) {
            try put(Array(Self.bytes.prefix(600_000)), at: "u/a", in: $0)
        } body: {
            _ = try $0.copy(.of("u/a"), to: .of("v/b"), replacing: false)
        } check: { store, thrown in
            #expect(try bytes(at: "u/a", in: store)?.count == 600_000)
            let copy = try bytes(at: "v/b", in: store)
            #expect(copy == Array(Self.bytes.prefix(600_000)) || (thrown != nil && copy == nil))
            if manner == .once { #expect(try store.incoming(untouchedFor: .zero).isEmpty) }
        }
    }

    @Test("A removal that failed can be repeated", arguments: Manner.allCases, errors)
    func removing(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) {
            try put(Self.small, at: "u/t/a", in: $0)
            try put(Self.small, at: "u/b", in: $0)
        } body: {
            let wasThere = try $0.remove(.of("u/t/a"))
            #expect(wasThere)
        } check: { store, thrown in
            let found = try bytes(at: "u/t/a", in: store)
            #expect(found == nil || (thrown != nil && found == Self.small))
            #expect(try store.remove(.of("u/t/a")) == (found != nil))
            #expect(try paths(in: store) == ["u/b"])
        }
    }

    @Test("Looking gives the truth or an error", arguments: errors)
    func looking(number: Int32) throws {
        try forEveryCall(.once, number) { store in
            for path in ["u/a", "u/b/c", "v/d"] { try put(Self.small, at: path, in: store) }
            _ = try store.begin()
        } body: { store in
            let paths = try paths(in: store)
            #expect(paths == ["u/a", "u/b/c", "v/d"])
            #expect(try store.incoming(untouchedFor: .zero).count == 1)
            #expect(try store.open(.of("u/b/c")).bytes() == Self.small)
            #expect(try store.status(of: .of("v/d")).byteCount == 10)
            #expect(try store.source(.of("u/a")).byteCount == 10)
        } check: { _, _ in
        }
    }

    @Test("A sweep removes an abandoned file, or throws and can be repeated", arguments: Manner.allCases, errors)
    func sweeping(manner: Manner, number: Int32) throws {
        var id = IncomingID.random()
        try forEveryCall(manner, number) { store in
            let file = try store.begin()
            id = file.id
            try file.append(Self.small)
        } body: {
            let wasThere = try $0.removeIncoming(id, untouchedFor: .zero)
            #expect(wasThere)
        } check: { store, thrown in
            let wasThere = try store.removeIncoming(id, untouchedFor: .zero)
            #expect(wasThere == (thrown != nil))
        }
    }
}
