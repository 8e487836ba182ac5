internal import Documents
internal import Media
internal import Objects
internal import Synchronization

/// Reads a person's files for the archive. Each is read once, while it is sent.
final class ArchiveFiles: Sendable {
    private let documents: DocumentStore
    private let store: any ObjectStore
    private let gaps: ArchiveGaps
    private let opened = Atomic(0)

    private static let pieceByteCount: Int64 = 1 << 20

    /// - Parameter gaps: records files that are left out or incomplete.
    init(_ documents: DocumentStore, _ store: any ObjectStore, gaps: ArchiveGaps) {
        (self.documents, self.store, self.gaps) = (documents, store, gaps)
    }

    /// How many files were opened.
    var openedCount: Int { opened.load(ordering: .relaxed) }

    /// The entry of a stored file, which is opened when its turn comes.
    func entry(_ name: String, stored: Instant, _ id: ObjectID) -> ArchiveEntry {
        ArchiveEntry(name: name, moment: stored) { [self] in try open(id, name) }
    }

    /// Opens a file; `nil` if the person has removed it meanwhile, or if it cannot be opened.
    private func open(_ id: ObjectID, _ name: String) throws -> ArchivePages<UInt8>? {
        if let reason = Self.reason(try documents.object(id)?.verdict) {
            gaps.note("file", name, reason)
            return nil
        }
        do throws(ObjectError) {
            let reader = try store.open(id)
            opened.add(1, ordering: .relaxed)
            return bytes(of: reader, name)
        } catch {
            if error == .missing {
                // Bytes are removed after their row.
                if try documents.hasObject(id) { gaps.note("file", name, "is not stored") }
            } else {
                try requireReachable(after: error)
                gaps.note("file", name, "cannot be read")
            }
            return nil
        }
    }

    /// Why a file with a verdict is served to nobody; `nil` for any other file.
    private static func reason(_ verdict: StoredObject.Verdict?) -> String? {
        switch verdict {
        case nil, .passed: nil
        case .pending: "waits for the scanner"
        case .infected: "contains malware"
        }
    }

    /// The bytes of a file, up to the first that cannot be read.
    private func bytes(of reader: any ObjectReader, _ name: String) -> ArchivePages<UInt8> {
        var (offset, end) = (Int64(0), reader.byteCount)
        return { [self] in
            guard offset < end else { return nil }
            let piece = try piece(of: reader, at: offset)
            if piece.isEmpty {
                gaps.note("file", name, "is cut after \(offset) of \(end) bytes: the rest cannot be read")
                end = offset
            }
            offset += Int64(piece.count)
            return piece
        }
    }

    /// The bytes at an offset; none if they cannot be read.
    private func piece(of reader: any ObjectReader, at offset: Int64) throws -> [UInt8] {
        let capacity = Int(min(Self.pieceByteCount, reader.byteCount - offset))
        do {
            return try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            }
        } catch let error as ObjectError {
            try requireReachable(after: error)
            return []
        }
    }

    /// Throws the error if the whole store is unreachable: then all other files are unreachable, too, and the archive
    /// is made again later.
    private func requireReachable(after error: ObjectError) throws {
        if case .unavailable = error, (try? store.walk().next()) == nil { throw error }
    }
}
