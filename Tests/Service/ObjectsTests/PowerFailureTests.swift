import CLinux
import Linux
import Media
import Objects
import TestDeadline
import TestSupport
import Testing

/// A power failure takes what was not synchronised. These tests hold the order of the calls against that: nothing shows under a
/// path before its bytes are on the disk, and nothing is acknowledged before its names are.
@Suite("What the store acknowledges survives a power failure", .deadline)
struct PowerFailureTests {
    private let bench = try! StoreBench()
    private let files = FaultyObjectFiles()

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
        // The folders' maker may have died before it synchronised them.
        if isOld { try bench.put("x", at: "u/t/x") }
        let store = try makeStore()
        let file = try store.begin()
        for _ in 0..<3 { try file.append([UInt8](repeating: 7, count: 9 << 20)) }
        _ = try file.commit(to: .of("u/t/a"), replacing: false)
        expectWholeBeforeRename()
        // The file's removal from `incoming` is one with its new name.
        #expect(unsynced(files.changes) == [try inode("incoming")])
        let renamed = try #require(files.changes.lastIndex { if case .renamed = $0 { true } else { false } })
        let after = Set(files.changes[renamed...])
        for folder in ["files", "files/u", "files/u/t"] {
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

    @Test("A move synchronises both folders, and a removal its folder, also where it is repeated")
    func movingAndRemoving() throws {
        try bench.put("a", at: "u/t/a")
        try bench.put("b", at: "u/t/b")
        let (old, store) = (try inode("files/u/t"), try makeStore())
        try store.move(.of("u/t/a"), to: .of("v/w/a"), replacing: false)
        #expect(unsynced(files.changes) == [] && files.changes.last == .synced(old))
        try store.remove(.of("u/t/b"))
        #expect(unsynced(files.changes) == [])
        let count = files.changes.count
        try store.remove(.of("v/w/gone"))
        #expect(files.changes[count...].contains(.synced(try inode("files/v/w"))))
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
        let used = files.callCount
        for index in used..<(used + 40) {
            let faulty = FaultyObjectFiles(.once(index), number: EIO)
            let file = try? FolderStore(path: "\(bench.folder)/store", making: true, calls: faulty).begin()
            guard let file, (try? file.append([1, 2, 3])) != nil else { continue }
            do throws(ObjectError) {
                _ = try file.commit(to: .of("u/\(index)"), replacing: false)
            } catch {
                #expect(throws: ObjectError.missing) { try bench.store.open(.of("u/\(index)")) }
                guard error != .missing, (try? file.seal()) != nil else { continue }
                #expect(try file.commit(to: .of("u/\(index)"), replacing: false).byteCount == 3)
            }
            #expect(try store.open(.of("u/\(index)")).bytes() == [1, 2, 3])
        }
    }
}
