import Database
import Documents
import FaultInjection
import Foundation
import Media
import Objects
import People
import PersonalData
import TestSupport

/// A person with documents and files in their own folder, and the sources of their archive.
struct ArchiveBench {
    static let now = Instant("2026-11-23T09:00:00Z")!

    let folder = TemporaryFolder.make("archive")
    let owner = ID<Person>.make(at: Instant(microseconds: 1))
    let store: DocumentStore
    private let database: SQLiteDatabase

    init() throws {
        database = try SQLiteDatabase(path: "\(folder)/documents.sqlite")
        store = try DocumentStore(database, recipes: [Preset.grid.recipe])
        _ = try FolderStore(path: "\(folder)/store", making: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Adds documents whose files are not stored.
    @discardableResult
    func addDocuments(_ count: Int) throws -> [Document] {
        try store.transaction {
            try (0..<count).map { number in
                let digits = String(1000 + number, radix: 16)
                return try store.add(
                    NewDocument(
                        owner: owner, uploader: owner, type: .transcript, title: "\(number)",
                        file: Document.File(
                            object: .random(), path: "\(owner)/transcript/\(number)_a.txt", name: "a.txt",
                            mediaType: .plainText,
                            digest: Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits)!,
                            byteCount: 1)))
            }
        }
    }

    /// Stores the file of a document.
    func put(_ bytes: [UInt8], of document: Document) throws {
        let id = document.file.object!
        let place = "\(folder)/store/objects/\(id.folder)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(place)/\(id)"))
    }

    /// The person's archive.
    ///
    /// - Parameters:
    /// - calls: decides which file system calls fail.
    /// - transactions: decides which transactions of the document store fail.
    func archive(
        calls: FaultPlan = FaultPlan(), number: Int32 = EIO, transactions: FaultPlan = FaultPlan(),
        audit: AuditLog? = nil
    ) throws -> AccountArchive {
        let address = MailAddress("ada@example.org")!
        let account = Account(
            id: owner, address: address, metadata: .object([]), isDisabled: false, confirmed: nil, created: Self.now,
            updated: Self.now)
        let desk = try AccountDesk(
            AccountStore(database), secrets: Secrets([UInt8](repeating: 7, count: 32)))
        let files = try FolderStore(
            path: "\(folder)/store", making: false, calls: FaultyObjectFiles(calls, number: number))
        let documents = try DocumentStore(
            FaultyDatabase(database, transactions), recipes: [Preset.grid.recipe])
        return AccountArchive(
            of: account, in: desk, documents: documents, files: files, audit: audit, spoolingIn: folder, at: Self.now)
    }

    /// Writes the complete archive to a file.
    func save(_ archive: AccountArchive) throws -> ArchiveFile {
        var bytes = Data()
        while let piece = try archive.next() { bytes += piece }
        let path = "\(folder)/export.zip"
        try bytes.write(to: URL(fileURLWithPath: path))
        return ArchiveFile(path: path)
    }
}

/// An archive as another program reads it.
struct ArchiveFile {
    let path: String

    /// What Python prints of the archive `z`, after it has found all files intact.
    func read(_ expressions: String...) throws -> [String] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let lines = ["import json, sys, zipfile", "z = zipfile.ZipFile(sys.argv[1])", "assert z.testzip() is None"]
        let prints = expressions.map { "print(\($0))" }
        process.arguments = ["-c", (lines + prints).joined(separator: "\n"), path]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension AccountArchive {
    /// The missing things, in words.
    var gaps: [String] { missing.map { "\($0.kind) \($0.name) \($0.reason)" } }
}
