import CLinux
import Linux
import Media
import Objects
import S3
import SourceFiles
import StoreSupport
import TestSupport

/// The drivers that the conformance suite runs on.
enum StoreDriver: String, CaseIterable, Sendable {
    case folder
    case bucket
}

/// A separate store for one test, removed with this object.
final class StoreBench: Sendable {
    let store: any ObjectStore
    /// A second client of the same store, as another process would have it.
    let other: any ObjectStore
    let folder: String

    init(_ driver: StoreDriver = .folder) throws {
        folder = TemporaryFolder.make("objects")
        switch driver {
        case .folder:
            store = try FolderStore(path: "\(folder)/store", making: true)
            other = try FolderStore(path: "\(folder)/store", making: false)
        case .bucket:
            let server = try TestStore.shared.get()
            // What all processes share: the bucket, a prefix in it, the locks, and the database.
            let (prefix, locks) = (String(folder.split(separator: "/").last!), LocalObjectLocks())
            let rows = try BucketDatabase()
            (store, other) = (
                rows.store(server.client(), prefix: prefix, locks: locks),
                rows.store(server.client(), prefix: prefix, locks: locks)
            )
        }
    }

    deinit { system("rm -rf '\(folder)'") }

    /// Stores a text.
    @discardableResult
    func put(_ text: String, as id: ObjectID = .random()) throws -> ObjectID {
        let file = try store.begin(id, in: nil)
        try file.append(Array(text.utf8))
        try file.commit()
        return id
    }

    /// The text of an object; `nil` if it does not exist.
    func text(of id: ObjectID) throws -> String? {
        do throws(ObjectError) {
            return String(decoding: try store.open(id).bytes(), as: UTF8.self)
        } catch {
            if error == .missing { return nil }
            throw error
        }
    }

    /// All objects.
    func ids() throws -> Set<ObjectID> { Set(try store.all().map(\.id)) }
}

extension ObjectStore {
    /// All objects that a walk over the store finds.
    func all() throws -> [ObjectStatus] {
        let walk = try walk()
        var found: [ObjectStatus] = []
        while let next = try walk.next() { found += next }
        return found
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

extension SourceFile {
    /// Whether nobody else can write to the file, now or soon: a process that another test starts has all descriptors
    /// of this process until it runs its own program.
    var becomesSecure: Bool {
        for _ in 0..<500 {
            if isSecure { return true }
            Time.sleep(.milliseconds(10))
        }
        return false
    }
}
