internal import CLinux
internal import Linux
internal import Media
internal import Synchronization

/// Files of lines, at least one a day, limited by a number of days and of bytes: the oldest are removed first.
///
/// A day begins in `2026-11-23.jsonl`. When a file has a sixteenth of all bytes, `2026-11-23_2.jsonl` follows, and so
/// on. Several processes may write into one folder: each line is one write at the file's end. If the last line there is
/// incomplete, a line feed ends it first. Files have mode 0600. What is too old or too much is removed when a file is
/// opened for writing, so at most a few lines exceed the limit.
final class AuditFiles: Sendable {
    /// A file of the folder.
    struct File: Comparable, Sendable {
        let day: String
        let part: Int
        let byteCount: Int64

        static func < (left: File, right: File) -> Bool { (left.day, left.part) < (right.day, right.part) }
    }

    private struct Open {
        let day: String
        let file: Descriptor
        let path: String
    }

    private let folder: String
    private let prefix: String
    private let keptDays: Int
    private let byteCount: Int64
    private let open = Mutex<Open?>(nil)

    private static let lineFeed = UInt8(ascii: "\n")

    private var partByteCount: Int64 { max(1, byteCount / 16) }

    /// Files in a folder, which exists.
    ///
    /// - Parameters:
    ///   - prefix: the start of their names.
    ///   - keptDays: how many days' files are kept, including the latest day's.
    ///   - byteCount: the most bytes of all files together.
    init(in folder: String, prefix: String = "", keptDays: Int, byteCount: Int64) {
        (self.folder, self.prefix, self.keptDays, self.byteCount) = (folder, prefix, keptDays, byteCount)
    }

    /// Writes a line, which ends with a line feed, to the files of a day such as `2026-11-23`.
    func write(_ line: [UInt8], on day: String) throws(SystemError) {
        let result = open.withLock { open -> Result<Void, SystemError> in
            do throws(SystemError) {
                let current: Open
                if let open, open.day == day, try hasRoom(open) { current = open } else { current = try begin(day) }
                open = current
                try current.file.write(endsWithLine(current.file) ? line : [Self.lineFeed] + line)
                return .success(())
            } catch {
                open = nil
                return .failure(error)
            }
        }
        try result.get()
    }

    /// All files, oldest first.
    func all() throws(SystemError) -> [File] {
        var files: [File] = []
        for name in try FolderNames.texts(in: folder) {
            // Another process may remove a file meanwhile.
            guard let (day, part) = parsed(name), let status = try? FileStatus.of(path: "\(folder)/\(name)") else {
                continue
            }
            files.append(File(day: day, part: part, byteCount: status.byteCount))
        }
        return files.sorted()
    }

    /// The path of a file in the folder.
    func path(of file: File) -> String { path(file.day, file.part) }

    private func path(_ day: String, _ part: Int) -> String {
        "\(folder)/\(prefix)\(day)\(part == 1 ? "" : "_\(part)").jsonl"
    }

    private func parsed(_ name: String) -> (day: String, part: Int)? {
        guard name.hasPrefix(prefix), name.hasSuffix(".jsonl") else { return nil }
        let parts = name.dropFirst(prefix.count).dropLast(6).split(separator: "_", omittingEmptySubsequences: false)
        guard let day = parts.first, day.utf8.count == 10, Instant("\(day)T00:00:00Z") != nil else { return nil }
        if parts.count == 1 { return (String(day), 1) }
        guard parts.count == 2, let part = Int(parts[1]), part > 1 else { return nil }
        return (String(day), part)
    }

    /// Whether another line fits, and the file still has its name: another process may have removed it.
    private func hasRoom(_ open: Open) throws(SystemError) -> Bool {
        let status = try open.file.status()
        guard status.byteCount < partByteCount, let named = try? FileStatus.of(path: open.path) else { return false }
        return named.isSameFile(as: status)
    }

    /// Whether the last line is complete. A full disk, a killed process and a power failure leave partial lines, and
    /// other processes write to the file too. So this is checked before each line.
    private func endsWithLine(_ file: Descriptor) throws(SystemError) -> Bool {
        let byteCount = try file.status().byteCount
        guard byteCount > 0 else { return true }
        return try file.bytes(at: byteCount - 1, count: 1).last == Self.lineFeed
    }

    /// Opens the day's last file that has room, or the next one, and removes files that are too old or too many.
    private func begin(_ day: String) throws(SystemError) -> Open {
        let last = try all().last { $0.day == day }
        let part = last.map { $0.byteCount < partByteCount ? $0.part : $0.part + 1 } ?? 1
        let path = path(day, part)
        let file = try Descriptor.open(path, O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
        try removeOld(before: day, but: path)
        return Open(day: day, file: file, path: path)
    }

    private func removeOld(before day: String, but current: String) throws(SystemError) {
        guard let now = Instant("\(day)T00:00:00Z") else { return }
        let first = (now - .seconds(86_400 * (keptDays - 1))).description.prefix(10)
        var files = try all()
        var sum = files.reduce(0) { $0 + $1.byteCount }
        while let oldest = files.first, oldest.day < first || sum > byteCount - partByteCount {
            files.removeFirst()
            guard path(of: oldest) != current else { continue }
            unlink(path(of: oldest))
            sum -= oldest.byteCount
        }
    }
}
