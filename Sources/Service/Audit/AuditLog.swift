internal import CLinux
public import Documents
public import Linux
internal import Media
internal import Synchronization

/// Keeps what was done, in a file a day: `2026-11-23.jsonl`, a line of JSON for each entry.
///
/// Several processes may write into one folder: each line is written by one call, at the file's end. Files are of mode 0600, and
/// those older than the set time are removed at the first entry of a day. A line is on the disk within seconds, as the kernel writes it.
public final class AuditLog: Sendable {
    private let folder: String
    private let keptDays: Int
    private let warn: @Sendable (SystemError) -> Void
    private let today = Mutex<Today?>(nil)

    private struct Today: ~Copyable {
        let name: String
        let file: Descriptor
    }

    /// A log in a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - keptDays: how many days' files are kept, today's with them; at least 1.
    ///   - warn: told where an entry could not be written.
    public init(folder: String, keptDays: Int, warn: @escaping @Sendable (SystemError) -> Void) throws(SystemError) {
        precondition(keptDays >= 1)
        self.folder = folder
        self.keptDays = keptDays
        self.warn = warn
        try OwnerOnly.makeFolder(folder)
    }

    /// Writes an entry. Takes some microseconds.
    public func note(_ entry: AuditEntry) {
        let line = Array((entry.json.text + "\n").utf8)
        let name = String(entry.time.description.prefix(10))
        do throws(SystemError) {
            try write(line, on: name)
        } catch {
            warn(error)
        }
    }

    private func write(_ line: [UInt8], on name: String) throws(SystemError) {
        let result = today.withLock { today -> Result<Void, SystemError> in
            do throws(SystemError) {
                if today?.name != name {
                    today = Today(
                        name: name,
                        file: try Descriptor.open("\(folder)/\(name).jsonl", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
                    )
                    try removeOld(before: name)
                }
                try today?.file.write(line)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// The files of days, the oldest first.
    private func days() throws(SystemError) -> [String] {
        try FolderNames.texts(in: folder).filter { $0.hasSuffix(".jsonl") && $0.utf8.count == 16 }.sorted()
    }

    private func removeOld(before name: String) throws(SystemError) {
        guard let now = Instant("\(name)T00:00:00Z") else { return }
        let first = (now - .seconds(86_400 * (keptDays - 1))).description.prefix(10)
        for day in try days() where day.prefix(10) < first { unlink("\(folder)/\(day)") }
    }

    /// Every line about what a person has done or what was done with their things, the oldest first, in the order of the files. From where
    /// others have come is left out.
    public func lines(about person: ID<Person>) throws(SystemError) -> [String] {
        var lines: [String] = []
        for day in try days() {
            let text = try Descriptor.open("\(folder)/\(day)", O_RDONLY).readAll(limit: .max) ?? []
            for line in text.split(separator: UInt8(ascii: "\n")) {
                if let words = Self.line(Array(line), about: person) { lines.append(words) }
            }
        }
        return lines
    }

    private static func line(_ bytes: [UInt8], about person: ID<Person>) -> String? {
        guard String(decoding: bytes, as: UTF8.self).contains(person.text), let json = try? JSON(parsing: bytes) else {
            return nil
        }
        let name = JSON.string(person.text)
        if json["actor"] == name { return json.text }
        guard json["owner"] == name else { return nil }
        return JSON.object((json.members ?? []).filter { $0.key != "client" }).text
    }
}
