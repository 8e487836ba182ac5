import Database
import Documents
import FaultInjection
import Foundation
import Library
import Linux
import Media
import Objects
import QueueWrapping
import RenderHost
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

/// When a store of files answered 503, every one of its files was once called damaged.
@Suite("Verifying a store of files that is out of reach", .deadline)
struct VerifyingTests {
    private let folder = TemporaryFolder.make("verifying")
    private let store: DocumentStore
    private static let fileCount = 12

    init() throws {
        store = try DocumentStore(
            try SQLiteDatabase(path: "\(folder)/documents.sqlite"), recipes: [Preset.grid.recipe])
        let files = try FolderStore(path: "\(folder)/store", making: true)
        for number in 0..<Self.fileCount {
            let file = try files.begin()
            try Array("file \(number)".utf8).withUnsafeBytes { try file.append($0) }
            let byteCount = file.byteCount
            let digest = try file.seal()
            try file.commit()
            try store.add(
                NewObject(
                    id: file.id, owner: nil, path: nil, digest: digest, byteCount: byteCount, mediaType: .pdf,
                    facts: nil, verdict: .passed))
        }
    }

    /// Verifies with a store whose calls fail.
    ///
    /// - Parameter fault: counts from the first call that reads an object.
    /// - Returns: the number of files, and the findings.
    private func verify(
        _ fault: (_ first: Int) -> FaultPlan.Fault, number: Int32
    ) throws -> (count: Int?, found: [String]) {
        let sound = FaultPlan()
        _ = try FolderStore(path: "\(folder)/store", making: false, calls: FaultyObjectFiles(sound))
        let calls = FaultyObjectFiles(FaultPlan(fault(sound.callCount)), number: number)
        let cache = FolderCache(path: "\(folder)/cache")
        let engine = Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: folder)), cache: cache, limits: Limits(),
            maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
        let library = DocumentLibrary(
            store: store, objects: try FolderStore(path: "\(folder)/store", making: false, calls: calls),
            queue: try makeScratchQueue(), engine: engine, cache: cache, warn: { _ in })
        var found: [String] = []
        let count: Int? = try library.verify(bytesPerSecond: nil) { found.append($0.kind.rawValue) }
        return (count, found)
    }

    @Test("Files that the store refuses are unreachable, and after ten in a row nothing else is asked for")
    func refusing() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (count, found) = try verify({ .fromOn($0) }, number: EACCES)
        #expect(count == nil && found == Array(repeating: "unreachable", count: 10))
    }

    @Test("One file that is out of reach is no damage, and keeps no other from being read")
    func once() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (count, found) = try verify({ .once($0) }, number: EACCES)
        #expect(count == Self.fileCount && found == ["unreachable"])
    }

    @Test("A file that its disk cannot read is damaged")
    func badDisk() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Opened, asked for its status, and read.
        let (count, found) = try verify({ .once($0 + 2) }, number: EIO)
        #expect(count == Self.fileCount && found == ["unreadable"])
    }
}
