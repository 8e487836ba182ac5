import CLinux
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

/// Each test runs an upload with its n-th call of the database or the disk failing, for every n until a run needs no
/// n-th call. Its client then continues it, with a service without faults.
@Suite("Uploads when the n-th call fails", .deadline)
struct UploadFaultTests {
    enum Manner: CaseIterable {
        /// Only the n-th call fails, or its answer is lost.
        case once
        /// All calls from the n-th on fail: the process was killed.
        case crash

        func fault(_ index: Int) -> FaultPlan.Fault { self == .once ? .once(index) : .fromOn(index) }
    }

    /// Longer than the part of a file's beginning that is examined.
    private static let bytes = Array(String(repeating: "An upload of several pieces.\n", count: 400).utf8)

    @Test(
        "Its client continues with it, and there is one file with all of its bytes",
        arguments: [true, false], Manner.allCases)
    func everyCall(isDocument: Bool, manner: Manner) throws {
        for index in 0..<1000 {
            let place = try UploadPlace()
            defer { place.remove() }
            let plan = FaultPlan(manner.fault(index))
            let id = try place.attempt(isDocument, Self.bytes, plan)
            if let id {
                try place.goOn(with: id, Self.bytes, "call \(index)")
            } else {
                #expect(try place.store.usedByteCount(of: place.owner) <= Int64(Self.bytes.count), "call \(index)")
            }
            try place.removeEverything()
            #expect(place.files == [], "call \(index): nothing is left")
            if plan.callCount <= index {
                #expect(index > 30 && id != nil)
                return
            }
        }
        Issue.record("no run without a fault")
    }

    @Test(
        "A file that comes in one request is stored once, or its sender is told, and nothing of it stays",
        arguments: [true, false], Manner.allCases)
    func whole(isDocument: Bool, manner: Manner) throws {
        for index in 0..<1000 {
            let place = try UploadPlace()
            defer { place.remove() }
            let plan = FaultPlan(manner.fault(index))
            // The store itself is also opened with a plan.
            guard let library = try? place.makeLibrary(plan) else { continue }
            var answer: ObjectID?
            do throws(DocumentError) {
                answer = try place.send(Self.bytes, isDocument, to: library)
            } catch {
                switch error {
                case .unavailable, .full: break
                default: Issue.record("call \(index): \(error)")
                }
            }
            let stored = try place.store.objects(of: place.owner, behind: nil, limit: 9).elements.map(\.id)
            // The answer of a killed process may be lost.
            let isLost = manner == .crash && answer == nil && stored.count == 1
            #expect(isLost || stored == [answer].compactMap(\.self), "call \(index)")
            for id in stored { #expect(try place.objects.open(id).wholeBytes() == Self.bytes) }
            try place.endAbandoned()
            let size = Int64(stored.count * Self.bytes.count)
            #expect(try place.store.usedByteCount(of: place.owner) == size, "call \(index)")
            try place.removeEverything()
            #expect(place.files == [], "call \(index): nothing is left")
            if plan.callCount <= index {
                #expect(index > 15 && answer != nil)
                return
            }
        }
        Issue.record("no run without a fault")
    }
}

/// A folder with a database and files, and what happens in it.
private final class UploadPlace: Sendable {
    let owner = ID<Person>.make(at: .now)
    let store: DocumentStore
    let objects: FolderStore
    private let library: DocumentLibrary
    private let folder: String

    init() throws {
        folder = TemporaryFolder.make("uploads")
        store = try DocumentStore(
            try SQLiteDatabase(path: "\(folder)/documents.sqlite"), recipes: [Preset.grid.recipe])
        objects = try FolderStore(path: "\(folder)/store", making: true)
        library = try Self.library(store, objects, folder)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private static func library(
        _ store: DocumentStore, _ objects: FolderStore, _ folder: String
    ) throws -> DocumentLibrary {
        let cache = FolderCache(path: "\(folder)/cache")
        let engine = Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: BuiltPrograms.folder)), cache: cache,
            limits: Limits(), maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
        var options = DocumentLibrary.Options()
        options.personByteCount = 1_000_000
        return DocumentLibrary(
            store: store, objects: objects, queue: try makeScratchQueue(), engine: engine, cache: cache,
            options: options, warn: { _ in })
    }

    /// A library over the same folder, whose calls fail according to a plan.
    func makeLibrary(_ plan: FaultPlan) throws -> DocumentLibrary {
        let base = try SQLiteDatabase(path: "\(folder)/documents.sqlite")
        let store = try DocumentStore(FaultyDatabase(base, plan), recipes: [Preset.grid.recipe])
        let files = FaultyObjectFiles(plan, number: EIO)
        return try Self.library(
            store, try FolderStore(path: "\(folder)/store", making: true, calls: files), folder)
    }

    /// An upload in two pieces, as far as it gets.
    ///
    /// - Returns: `nil` if its client did not receive its identity.
    func attempt(_ isDocument: Bool, _ bytes: [UInt8], _ plan: FaultPlan) throws -> ID<Upload>? {
        var id: ID<Upload>?
        guard let library = try? makeLibrary(plan) else { return nil }
        do throws(DocumentError) {
            let purpose =
                isDocument
                ? Upload.Purpose.document(texts: ["type": "stats_sheet", "file_name": "a.csv", "title": "A"])
                : .file(path: "\(owner)/a.csv", replacing: false, notes: FileNotes())
            let begun = try library.beginUpload(
                for: purpose, length: Int64(bytes.count), owner: owner, uploader: owner)
            try library.close(begun)
            id = begun.upload.id
            let first = try library.store.upload(begun.upload.id, of: owner)
            guard let open = try library.openUpload(first) else { return id }
            try Self.append(bytes[..<9000], to: open, library)
            try library.close(open)
            guard let last = try library.openUpload(first) else { return id }
            try Self.append(bytes[Int(last.byteCount)...], to: last, library)
            _ = try library.finish(last)
        } catch {
            switch error {
            case .unavailable, .full, .notFound(.file): break
            default: Issue.record("\(error)")
            }
        }
        return id
    }

    private static func append(
        _ bytes: ArraySlice<UInt8>, to open: OpenUpload, _ library: DocumentLibrary
    ) throws(DocumentError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try library.append(bytes, to: open) }
        }
        try result.get()
    }

    /// What a client does after it has lost its connection.
    func goOn(with id: ID<Upload>, _ bytes: [UInt8], _ comment: Comment) throws {
        do throws(DocumentError) {
            try bringToEnd(id, bytes, comment)
        } catch {
            // The disk has lost the bytes that it had to store: the client finds none, and sends them again.
            guard case .unavailable = error else { throw error }
            try #require(try library.arrivedByteCount(of: store.upload(id, of: owner)) == 0, comment)
            try bringToEnd(id, bytes, comment)
        }
        let upload = try store.upload(id, of: owner)
        guard case .stored(let document) = upload.state else {
            Issue.record("\(upload.state)", severity: .error)
            return
        }
        let stored = try store.objects(of: owner, behind: nil, limit: 9).elements
        try #require(stored.map(\.id) == [upload.object], comment)
        #expect(try objects.open(upload.object).wholeBytes() == bytes, comment)
        #expect(try store.usedByteCount(of: owner) == Int64(bytes.count), comment)
        let documents = try store.allVersions(of: owner, behind: nil, limit: 9).elements
        #expect(documents.map(\.id) == [document].compactMap(\.self), comment)
        #expect(try library.finish(upload)?.state == upload.state, "once more it changes nothing")
    }

    private func bringToEnd(_ id: ID<Upload>, _ bytes: [UInt8], _ comment: Comment) throws(DocumentError) {
        let upload = try store.upload(id, of: owner)
        guard upload.state == .receiving else {
            let end = try library.finish(upload)
            #expect(end != nil, comment)
            return
        }
        let offset = try library.arrivedByteCount(of: upload)
        guard let open = try library.openUpload(upload) else {
            Issue.record(comment)
            return
        }
        #expect(open.byteCount == offset, comment)
        try Self.append(bytes[Int(offset)...], to: open, library)
        _ = try library.finish(open)
    }

    /// What a service does within two minutes.
    func endAbandoned() throws { for _ in 0..<2 { try library.endAbandonedIntakes(olderThan: .zero) } }

    /// Removes all of the person's data, including uploads.
    func removeEverything() throws { _ = try library.forget(owner) }

    /// The files of the store.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: "\(folder)/store")?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("incoming/") || $0.split(separator: "/").count > 2 }
    }

    /// Sends a file in one request.
    ///
    /// - Returns: its object.
    func send(
        _ bytes: [UInt8], _ isDocument: Bool, to library: DocumentLibrary
    ) throws(DocumentError) -> ObjectID? {
        let intake = try library.receive(for: owner)
        do throws(DocumentError) {
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(DocumentError) in try intake.append(bytes) }
            }
            try result.get()
            guard isDocument else {
                let path = try! ObjectPath("\(owner)/a.csv")
                return try intake.finish(at: path, replacing: false, FileNotes()) {
                    () throws(DocumentError) in true
                }.id
            }
            try intake.setType(.statsSheet)
            try intake.setFileName("a.csv")
            return try intake.finish(
                by: owner, title: nil, description: nil, school: nil, predecessor: nil
            ).file.object
        } catch {
            intake.discard()
            throw error
        }
    }
}

extension ObjectReader {
    fileprivate func wholeBytes() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(byteCount))
        let count = try bytes.withUnsafeMutableBytes { try read(into: $0, at: 0) }
        return Array(bytes.prefix(count))
    }
}
