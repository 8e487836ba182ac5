import Database
import Documents
import Foundation
import JobQueue
import Linux
import Media
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("DocumentStore: several stores and threads on one file", .deadline)
struct SharedStoreTests {
    /// Runs `body` on several threads, each with its own store, and returns what was thrown.
    private func together(
        _ bench: StoreBench, _ count: Int, _ body: @escaping @Sendable (Int, DocumentStore) throws -> Void
    ) throws -> [String] {
        let errors = Mutex<[String]>([])
        let threads = try (0..<count).map { number in
            try WorkerThread(name: "store-\(number)") {
                do {
                    try body(number, try bench.reopened())
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        for thread in threads { thread.join() }
        return errors.withLock { $0 }
    }

    @Test("Versions that several writers add at once have numbers without gaps, and one is current")
    func versions() throws {
        let bench = try StoreBench()
        let first = try bench.add("A")
        let errors = try together(bench, 6) { _, store in
            for _ in 0..<20 { _ = try store.add(bench.new("A", after: first.id)) }
        }
        #expect(errors == [])
        let versions = try bench.store.versions(of: first.id, owner: bench.owner)
        #expect(versions.map(\.version) == Array((1...121).reversed()))
        #expect(versions.map(\.isCurrent) == [true] + Array(repeating: false, count: 120))
        #expect(try bench.page().documents.map(\.version) == [121])
        #expect(try DocumentStore.faults(of: bench) == [])
    }

    @Test("Whatever several writers do at once, each line shows one version and the counts are right")
    func anything() throws {
        let bench = try StoreBench()
        let schools = try (0..<3).map { try bench.store.addSchools(named: ["\($0)"], of: bench.owner)[0].id }
        let lines = try (0..<4).map { try bench.add("\($0)").id }
        let errors = try together(bench, 6) { number, store in
            var chance = SplitMix(seed: UInt64(number))
            for step in 0..<60 {
                let line = lines[chance.next(below: lines.count)]
                let school = schools[chance.next(below: 3)]
                do {
                    let versions = try store.versions(of: line, owner: bench.owner)
                    let version = versions[chance.next(below: versions.count)]
                    switch chance.next(below: 8) {
                    case 0, 1: _ = try store.add(bench.new("A", after: version.id))
                    case 2: _ = try store.restore(version.id, of: bench.owner)
                    case 3: _ = try store.clearCurrent(version.id, of: bench.owner)
                    case 4: _ = try store.share(version.id, of: bench.owner, with: [school], permission: .view)
                    case 5: _ = try store.unshare(version.id, of: bench.owner, from: [school])
                    case 6:
                        let change = DocumentChange(title: "\(number) \(step)", school: .some(school))
                        _ = try store.change(version.id, of: bench.owner, to: change)
                    default: if version.id != line { try store.removeVersion(version.id, of: bench.owner) }
                    }
                } catch DocumentError.notFound {
                    // Another writer has removed it, or ended its sharing.
                }
            }
        }
        #expect(errors == [])
        #expect(try bench.page().documents.count == 4)
        #expect(try DocumentStore.faults(of: bench) == [])
    }

    @Test("Several programs may open a new file at once")
    func opening() throws {
        for _ in 0..<5 {
            let folder = TemporaryFolder.make("opening")
            let errors = Mutex<[String]>([])
            let threads = try (0..<8).map { number in
                try WorkerThread(name: "opener-\(number)") {
                    do {
                        let store = try DocumentStore(
                            try SQLiteDatabase(path: "\(folder)/d.sqlite"), recipes: [Preset.grid.recipe])
                        _ = try store.addSchools(
                            named: ["\(number)"], of: ID<Person>.make(at: Instant(microseconds: 0)))[0]
                    } catch {
                        errors.withLock { $0.append("\(error)") }
                    }
                }
            }
            for thread in threads { thread.join() }
            #expect(errors.withLock { $0 } == [])
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("A reader sees a document with its event and its job, or nothing of it")
    func whole() throws {
        let bench = try StoreBench()
        let isDone = Atomic(false)
        let torn = Atomic(0)
        let reader = try WorkerThread(name: "reader") {
            guard let queue = try? bench.queue(), let store = try? bench.reopened() else { return }
            while !isDone.load(ordering: .relaxed) {
                // Each is read later than the previous one, so it must be at least as large.
                let documents = (try? bench.store.statistics(of: bench.owner).totalCount) ?? 0
                let events = (try? store.latestEvent(of: bench.owner)) ?? 0
                let jobs = (try? queue.status().jobCount(.available)) ?? 0
                if events < documents || jobs < documents { torn.add(1, ordering: .relaxed) }
            }
        }
        for number in 0..<200 { try bench.add("\(number)") }
        isDone.store(true, ordering: .relaxed)
        reader.join()
        #expect(torn.load(ordering: .relaxed) == 0)
    }
}

extension DocumentStore {
    /// The faults that a check of a bench's file finds.
    static func faults(of bench: StoreBench) throws -> [String] {
        try DocumentStore(try SQLiteDatabase(path: bench.path), recipes: [Preset.grid.recipe]).faults()
    }
}
