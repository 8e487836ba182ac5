import CLinux
import FaultInjection
import Linux
import Media
import Objects
import TestDeadline
import TestSupport
import Testing

/// A power failure loses what was not synchronised. These tests check the order of the calls: nothing appears under a
/// path before its bytes are on the disk, and nothing is acknowledged before its names are.
@Suite("What the store acknowledges survives a power failure", .deadline)
struct PowerFailureTests {
    private let bench = try! StoreBench()
    private let plan = FaultPlan()
    private let files: FaultyObjectFiles

    init() { files = FaultyObjectFiles(plan) }

    private func makeStore() throws -> FolderStore {
        try FolderStore(path: "\(bench.folder)/store", making: true, calls: files)
    }

    private func inode(_ place: String) throws -> UInt64 {
        try FileStatus.of(path: "\(bench.folder)/store/\(place)").inode
    }

    /// The folders and files with changes that are not on the disk.
    private func unsynced(_ changes: some Sequence<FaultyObjectFiles.Change>) -> Set<UInt64> {
        var open: Set<UInt64> = []
        for change in changes {
            switch change {
            case .created(let file, let folder): open.formUnion([file, folder])
            case .madeFolder(let folder), .removed(let folder): open.insert(folder)
            case .wrote(let file): open.insert(file)
            case .renamed(_, let old, let new): open.formUnion([old, new])
            case .synced(let file): open.remove(file)
            }
        }
        return open
    }

    /// Checks that each file was on the disk when it got a new name.
    private func expectWholeBeforeRename() {
        let changes = files.changes
        var renameCount = 0
        for (index, change) in changes.enumerated() {
            guard case .renamed(let file, _, _) = change else { continue }
            renameCount += 1
            #expect(!unsynced(changes[..<index]).contains(file), "\(changes)")
        }
        #expect(renameCount > 0)
    }

    @Test(
        "A commit synchronises the file, then renames it, then synchronises all its folders", arguments: [false, true])
    func committing(isOld: Bool) throws {
        let id = ObjectID.random()
        // The process that made the folder may have died before it synchronised it.
        if isOld { mkdir("\(bench.folder)/store/objects/\(id.folder)", 0o700) }
        let file = try makeStore().begin(id, in: nil)
        for _ in 0..<3 { try file.append([UInt8](repeating: 7, count: 9 << 20)) }
        try file.commit()
        expectWholeBeforeRename()
        // The file's removal from `incoming` is the same operation as its new name.
        #expect(unsynced(files.changes) == [try inode("incoming")])
        let renamed = try #require(files.changes.lastIndex { if case .renamed = $0 { true } else { false } })
        let after = Set(files.changes[renamed...])
        for folder in ["objects", "objects/\(id.folder)"] {
            #expect(after.contains(.synced(try inode(folder))), "\(folder)")
        }
    }

    @Test("A sync brings an incoming file and its name to the disk")
    func syncing() throws {
        let file = try makeStore().begin()
        try file.append([1, 2, 3])
        #expect(unsynced(files.changes).count == 2)
        try file.sync()
        #expect(unsynced(files.changes) == [])
        try file.append([4])
        try file.sync()
        #expect(unsynced(files.changes) == [])
    }

    @Test("A removal synchronises its folder, also where it is repeated")
    func removing() throws {
        let id = try bench.put("a")
        let store = try makeStore()
        try store.remove(id)
        #expect(unsynced(files.changes) == [])
        let count = files.changes.count
        try store.remove(id)
        #expect(files.changes[count...].contains(.synced(try inode("objects/\(id.folder)"))))
    }

    @Test("A new store's own folders are on the disk before it is used")
    func making() throws {
        let path = "\(bench.folder)/new/deep/store"
        _ = try FolderStore(path: path, making: true, calls: files)
        #expect(files.changes.count { if case .madeFolder = $0 { true } else { false } } == 5)
        #expect(unsynced(files.changes) == [])
    }

    @Test("Where a folder cannot be synchronised, nothing is acknowledged, and the file goes back")
    func unsyncedFolder() throws {
        let store = try makeStore()
        let used = plan.callCount
        for index in used..<(used + 40) {
            let faulty = FaultyObjectFiles(FaultPlan(.once(index)), number: EIO)
            let file = try? FolderStore(path: "\(bench.folder)/store", making: true, calls: faulty).begin()
            guard let file, (try? file.append([1, 2, 3])) != nil else { continue }
            do throws(ObjectError) {
                try file.commit()
            } catch {
                #expect(throws: ObjectError.missing) { try bench.store.open(file.id) }
                guard error != .missing, (try? file.seal()) != nil else { continue }
                try file.commit()
            }
            #expect(try store.open(file.id).bytes() == [1, 2, 3])
        }
    }

    @Test(
        "An object whose committer may have died is confirmed once its folders are on the disk, and nobody commits it")
    func confirming() throws {
        let file = try bench.store.begin()
        try file.append([1])
        try file.commit()
        let store = try makeStore()
        #expect(try store.confirm(file.id))
        let folder = "objects/\(file.id.folder)"
        for place in [folder, "objects"] { #expect(try files.changes.contains(.synced(inode(place))), "\(place)") }
        let committer = try Descriptor.open("\(bench.folder)/store/\(folder)/\(file.id)", O_RDONLY)
        #expect(flock(committer.number, LOCK_EX) == 0)
        #expect(throws: ObjectError.busy) { try store.confirm(file.id) }
    }
}
