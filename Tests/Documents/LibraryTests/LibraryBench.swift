import Database
import Documents
import Foundation
import JobQueue
import Library
import Linux
import Media
import Objects
import QueueWrapping
import RenderHost
import TestSupport
import ThumbnailCache
import Thumbnailer

/// A library with its threads, over its own database and folder, and without a renderer. It contains one person with
/// one document.
final class LibraryBench: Sendable {
    let library: DocumentLibrary
    let store: DocumentStore
    let owner = ID<Person>.make(at: .now)
    let document: Document
    let objects: HeldArrivals
    private let watcher: Watcher
    private let folder: String

    /// - Parameter holdsArrivals: whether the store of files withholds how much of them has arrived until a test
    ///   releases it.
    init(holdsArrivals: Bool = false) throws {
        let folder = TemporaryFolder.make("library")
        self.folder = folder
        let cache = FolderCache(path: "\(folder)/cache")
        let engine = Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: folder)), cache: cache, limits: Limits(),
            maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
        store = try DocumentStore(
            try SQLiteDatabase(path: "\(folder)/documents.sqlite"), recipes: [Preset.grid.recipe])
        objects = HeldArrivals(try FolderStore(path: "\(folder)/store", making: true))
        if !holdsArrivals { objects.isReleased.fulfil(()) }
        library = DocumentLibrary(
            store: store, objects: objects, queue: try makeScratchQueue(),
            engine: engine, cache: cache, warn: { _ in })
        document = try store.add(
            NewDocument(
                owner: owner, uploader: owner, type: .resume, title: "0", description: nil, school: nil,
                file: Document.File(
                    object: .random(), path: "\(owner)/resume/1_file.pdf", name: "file.pdf", mediaType: .pdf,
                    digest: Digest(hex: String(repeating: "1", count: 64))!, byteCount: 1000),
                predecessor: nil, state: .stored))
        watcher = Watcher(library)
        try watcher.start()
    }

    /// Changes the document, and so notifies its followers.
    func change(_ number: Int) throws {
        _ = try library.change(document.id, of: owner, to: DocumentChange(title: "\(number)"))
    }

    /// Makes the job for the document's pictures fail, as a worker does.
    func failPictures() throws {
        let queue = try SQLiteQueue(path: "\(folder)/documents.sqlite")
        for claimed in try queue.claim(upTo: 9, by: "w", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
            try queue.fail(claimed.token, Failure(.corrupt), isRetryable: false, timings: [])
        }
    }

    /// Begins a resumable upload.
    func begin(_ name: String) throws -> OpenUpload {
        try library.beginUpload(
            for: .document(texts: ["type": "resume", "file_name": name]), length: 1_000_000, owner: owner,
            uploader: owner)
    }

    /// Ends the threads, and removes the folder.
    func stop() {
        watcher.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
