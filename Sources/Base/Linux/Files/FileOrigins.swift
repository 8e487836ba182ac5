internal import CLinux

/// A list, beside a product, of the files it was made from: by size and second of modification, which a copy of the
/// whole system preserves, unlike inode and change time.
public enum FileOrigins {
    /// Writes the list of these files as they are now; links are followed. A reader sees the whole list or none.
    public static func write(of paths: [String], to list: String) throws(SystemError) {
        var text = title
        for path in paths { text += line(of: try FileStatus.of(path: path), at: path) }
        let temporary = "\(list).part"
        try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).write(Array(text.utf8))
        try checking("rename \(list)") { rename(temporary, list) }
    }

    /// Whether all files of a list are unchanged; `false` if there is no such list.
    public static func areUnchanged(in list: String) -> Bool {
        guard let file = try? Descriptor.open(list, O_RDONLY),
            let bytes = try? file.readAll(limit: longestList), bytes.starts(with: title.utf8), bytes.last == newline
        else { return false }
        return bytes.dropFirst(title.utf8.count).split(separator: newline).allSatisfy(isUnchanged)
    }

    private static func isUnchanged(_ entry: ArraySlice<UInt8>) -> Bool {
        guard let path = entry.split(separator: space, maxSplits: 2).last.map({ String(decoding: $0, as: UTF8.self) }),
            let status = try? FileStatus.of(path: path)
        else { return false }
        return line(of: status, at: path).utf8.dropLast().elementsEqual(entry)
    }

    private static func line(of status: FileStatus, at path: String) -> String {
        "\(status.byteCount) \(status.modified / 1_000_000_000) \(path)\n"
    }

    private static let title = "made from: bytes, seconds, path\n"
    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let longestList = 1 << 20
}
