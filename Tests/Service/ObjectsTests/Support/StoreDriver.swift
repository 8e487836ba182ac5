import CLinux
import Linux
import Media
import ObjectBucket
import Objects
import S3
import StoreSupport
import Synchronization
import TestSupport
import Thumbnailer

/// The drivers that the conformance suite runs on.
enum StoreDriver: String, CaseIterable, Sendable {
    case folder
    case bucket
}

/// A store of its own for one test, removed with this object.
final class StoreBench: Sendable {
    let store: any ObjectStore
    /// A second client of the same store, as another process would have it.
    let other: any ObjectStore
    let folder: String
    /// The rows that name objects.
    let rows = StandInRows()

    init(_ driver: StoreDriver = .folder) throws {
        folder = TemporaryFolder.make("objects")
        switch driver {
        case .folder:
            store = try FolderStore(path: "\(folder)/store", making: true, references: rows)
            other = try FolderStore(path: "\(folder)/store", making: false, references: rows)
        case .bucket:
            let server = try TestStore.shared.get()
            // What all processes share: the bucket, a prefix of it, and the locks.
            let (prefix, locks) = (String(folder.split(separator: "/").last!), LocalObjectLocks())
            store = BucketStore(server.client(), prefix: prefix, locks: locks, references: rows)
            other = BucketStore(server.client(), prefix: prefix, locks: locks, references: rows)
        }
    }

    deinit { system("rm -rf '\(folder)'") }

    /// Stores a text.
    @discardableResult
    func put(_ text: String, at path: String, replacing: Bool = false) throws -> StoredObject {
        let file = try store.begin()
        try file.append(Array(text.utf8))
        do {
            return try file.commit(to: ObjectPath(path), replacing: replacing)
        } catch {
            try file.discard()
            throw error
        }
    }

    /// The text of an object; `nil` where there is none.
    func text(at path: String) throws -> String? {
        do throws(ObjectError) {
            return String(decoding: try store.open(ObjectPath(path)).bytes(), as: UTF8.self)
        } catch {
            if error == .missing { return nil }
            throw error
        }
    }

    /// The paths of all objects.
    func paths() throws -> [String] { try store.list(prefix: "", after: nil, limit: 1000).elements.map(\.path.text) }
}

/// Rows as a database would have them.
final class StandInRows: ObjectReferences {
    private let state = Mutex<(paths: Set<ObjectPath>, isAway: Bool)>(([], false))

    /// A row names a path from now on.
    func name(_ path: ObjectPath) { state.withLock { _ = $0.paths.insert(path) } }

    /// Nobody can tell from now on.
    func fail() { state.withLock { $0.isAway = true } }

    func isReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool {
        let (isNamed, isAway) = state.withLock { ($0.paths.contains(path), $0.isAway) }
        if isAway { throw .unavailable(detail: "the test's database is away") }
        return isNamed
    }
}

extension ObjectReader {
    /// All bytes.
    func bytes() throws(ObjectError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(byteCount) + 1)
        let count = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(ObjectError) in try read(into: buffer, at: 0) }
        }.get()
        return Array(bytes.prefix(count))
    }
}

extension ObjectPath {
    /// A path that a test knows to be valid.
    static func of(_ text: String) -> ObjectPath { try! ObjectPath(text) }
}

extension SourceFile {
    /// Whether nobody else can write to the file, now or soon: a process that another test starts has all descriptors of this
    /// one until it runs its own program.
    var becomesSecure: Bool {
        for _ in 0..<500 {
            if isSecure { return true }
            Time.sleep(.milliseconds(10))
        }
        return false
    }
}
