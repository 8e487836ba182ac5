import CLinux
import FaultInjection
import Hashing
import Linux
import Media
import Objects
import SourceFiles
import TestDeadline
import TestSupport
import Testing

/// Each test runs an operation with its n-th system call failing, for every n until a run needs no n-th call. Then it
/// checks the store with working calls.
@Suite("The store in a folder when the n-th system call fails", .deadline)
struct FaultTests {
    enum Manner: CaseIterable {
        /// Only the n-th call fails: the disk is briefly full, or a block is bad.
        case once
        /// All calls from the n-th on fail: the process was killed.
        case crash

        func fault(_ index: Int) -> FaultPlan.Fault { self == .once ? .once(index) : .fromOn(index) }
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
            let plan = FaultPlan(manner.fault(index))
            let files = FaultyObjectFiles(plan, number: number)
            var thrown: ObjectError?
            do {
                try body(FolderStore(path: "\(bench.folder)/store", making: true, calls: files))
            } catch let error as ObjectError {
                thrown = error
            }
            switch thrown {
            case nil, .noSpace, .damaged, .unavailable: break
            default: Issue.record("call \(index): \(String(describing: thrown))")
            }
            try check(bench.other, thrown)
            if plan.callCount <= index {
                #expect(index > 3 && thrown == nil, "the last run met no fault")
                return
            }
        }
        Issue.record("no run without a fault")
    }

    private static let id = ObjectID.random()

    private func put(_ bytes: [UInt8], as id: ObjectID = Self.id, in store: any ObjectStore) throws {
        let file = try store.begin(id, in: nil)
        do {
            var rest = bytes[...]
            while !rest.isEmpty {
                try file.append(Array(rest.prefix(4 << 20)))
                rest = rest.dropFirst(4 << 20)
            }
            try file.sync()
            #expect(try file.seal() == SHA256.digest(of: bytes))
            try file.commit()
        } catch {
            try? file.discard()
            throw error
        }
    }

    private func bytes(of id: ObjectID = Self.id, in store: any ObjectStore) throws -> [UInt8]? {
        do throws(ObjectError) {
            return try store.open(id).bytes()
        } catch {
            if error == .missing { return nil }
            throw error
        }
    }

    @Test("Receiving leaves nothing, an incoming file or the whole object", arguments: Manner.allCases, errors)
    func receiving(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) { _ in
        } body: {
            try put(Self.bytes, in: $0)
        } check: { store, thrown in
            let found = try bytes(in: store)
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
            // Whatever was left does not block another file.
            try put(Self.small, as: .random(), in: store)
        }
    }

    @Test("A file that goes on after a fault has the digest of all its bytes, or is given up", arguments: errors)
    func goingOn(number: Int32) throws {
        var givenUpCount = 0
        try forEveryCall(.once, number) { _ in
        } body: { store in
            let file = try store.begin(Self.id, in: nil)
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
                let digest = try twice { () throws(ObjectError) in try file.seal() }
                #expect(digest == SHA256.digest(of: Self.bytes.prefix(20_000_000)))
                try twice { () throws(ObjectError) in try file.commit() }
            } catch {
                #expect(error == .missing, "only a file that is given up ends in an error")
                givenUpCount += 1
                try file.discard()
                throw ObjectError.noSpace(detail: "given up")
            }
        } check: { store, thrown in
            let found = try bytes(in: store)
            #expect(found == (thrown == nil ? Array(Self.bytes.prefix(20_000_000)) : nil))
            #expect(try store.incoming(untouchedFor: .zero).isEmpty)
        }
        // The sync in the middle, and the sync of the seal.
        #expect(givenUpCount == 2)
    }

    @Test("A file of a dead process is resumed, and committed whole or not at all", arguments: Manner.allCases, errors)
    func resuming(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) { store in
            let file = try store.begin(Self.id, in: nil)
            try file.append(Array(Self.bytes.prefix(300_000)))
        } body: { store in
            let file = try store.resume(Self.id)
            try file.append(Array(Self.bytes[300_000..<600_000]))
            #expect(try file.seal() == SHA256.digest(of: Self.bytes.prefix(600_000)))
            try file.commit()
        } check: { store, thrown in
            let found = try bytes(in: store)
            #expect(found == nil || found == Array(Self.bytes.prefix(600_000)))
            #expect((thrown == nil) == (found != nil) || manner == .crash)
        }
    }

    @Test("A copy is whole or absent, and its source stays", arguments: Manner.allCases, errors)
    func copying(manner: Manner, number: Int32) throws {
        let expected = Array(Self.bytes.prefix(600_000))
        try forEveryCall(manner, number) {
            try put(expected, in: $0)
        } body: {
            try $0.copy(Self.id, to: .random())
        } check: { store, thrown in
            #expect(try bytes(in: store) == expected)
            let copies = try store.all().map(\.id).filter { $0 != Self.id }
            #expect(copies.count == 1 || (thrown != nil && copies.isEmpty))
            for copy in copies { #expect(try bytes(of: copy, in: store) == expected) }
            if manner == .once { #expect(try store.incoming(untouchedFor: .zero).isEmpty) }
        }
    }

    @Test("A removal that failed can be repeated", arguments: Manner.allCases, errors)
    func removing(manner: Manner, number: Int32) throws {
        let other = ObjectID.random()
        try forEveryCall(manner, number) {
            try put(Self.small, in: $0)
            try put(Self.small, as: other, in: $0)
        } body: {
            let wasThere = try $0.remove(Self.id)
            #expect(wasThere)
        } check: { store, thrown in
            let found = try bytes(in: store)
            #expect(found == nil || (thrown != nil && found == Self.small))
            #expect(try store.remove(Self.id) == (found != nil))
            #expect(try store.all().map(\.id) == [other])
        }
    }

    @Test("Looking gives the truth or an error", arguments: errors)
    func looking(number: Int32) throws {
        let ids = (0..<3).map { _ in ObjectID.random() }
        try forEveryCall(.once, number) { store in
            for id in ids { try put(Self.small, as: id, in: store) }
            _ = try store.begin()
        } body: { store in
            #expect(try Set(store.all().map(\.id)) == Set(ids))
            #expect(try store.incoming(untouchedFor: .zero).count == 1)
            let bytes = try store.open(ids[0]).bytes()
            #expect(bytes == Self.small)
            let source = try store.source(ids[1], name: "a")
            #expect(source.byteCount == 10)
        } check: { _, _ in
        }
    }

    @Test("A sweep removes an abandoned file, or throws and can be repeated", arguments: Manner.allCases, errors)
    func sweeping(manner: Manner, number: Int32) throws {
        try forEveryCall(manner, number) { store in
            try store.begin(Self.id, in: nil).append(Self.small)
        } body: {
            let wasThere = try $0.removeIncoming(Self.id, untouchedFor: .zero)
            #expect(wasThere)
        } check: { store, thrown in
            let wasThere = try store.removeIncoming(Self.id, untouchedFor: .zero)
            #expect(wasThere == (thrown != nil))
        }
    }
}
