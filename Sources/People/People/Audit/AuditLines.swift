internal import CLinux
public import Linux
internal import Media

/// The lines of the audit log about a person, file by file, oldest day first: what they did, and what was done with
/// their things. Where others came from is left out.
///
/// The files are read in pieces of 256 KiB. A line is parsed only if the person's ID was found in its bytes.
public struct AuditLines {
    /// The day before which lines may be left out; `nil` if all are read.
    public let firstDay: String?
    private let person: String
    private let search: ByteSearch
    private var ranges: ArraySlice<Range>
    private var file: (descriptor: Descriptor, offset: Int64, end: Int64)?
    private var buffer: [UInt8] = []
    /// Everything before it has been searched.
    private var place = 0

    /// A part of a file.
    private struct Range {
        let path: String
        let start: Int64
        let end: Int64
    }

    private static let pieceByteCount: Int64 = 256 << 10
    private static let stepByteCount = 8 << 20
    private static let longestLine = 64 << 10
    private static let lineFeed = UInt8(ascii: "\n")

    /// - Parameter most: the most bytes that are read, from the files' end.
    init(about person: ID<Person>, in shares: [AuditFiles], atMost most: Int64) throws(SystemError) {
        self.person = person.text
        search = ByteSearch(for: Array(person.text.utf8))
        var (left, ranges, firstDay) = (most, [Range](), String?.none)
        var files: [(file: AuditFiles.File, path: String)] = []
        for share in shares {
            for file in try share.all() { files.append((file, share.path(of: file))) }
        }
        files.sort { $0.file < $1.file }
        for (file, path) in files.reversed() {
            let start = max(0, file.byteCount - left)
            if start > 0 { firstDay = firstDay ?? file.day }
            guard start < file.byteCount else { continue }
            ranges.append(Range(path: path, start: start, end: file.byteCount))
            left -= file.byteCount - start
        }
        self.ranges = ranges.reversed()[...]
        self.firstDay = firstDay
    }

    /// The next line, without its line feed; empty if some MiB have none, so that others get their turn; `nil` at the
    /// end.
    public mutating func next() throws(SystemError) -> [UInt8]? {
        var byteCount = 0
        while true {
            while let line = nextFound() {
                if let text = text(of: line) { return text }
            }
            if byteCount >= Self.stepByteCount { return [] }
            guard let count = try readOn() else { return nil }
            byteCount += count
        }
    }

    /// The next whole line of the buffer that has the person's ID. If there is none, the possible start of one is kept.
    private mutating func nextFound() -> ArraySlice<UInt8>? {
        guard let found = search.first(in: buffer, from: place) else {
            keep(from: (buffer.lastIndex(of: Self.lineFeed) ?? -1) + 1)
            return nil
        }
        let start = (buffer[..<found].lastIndex(of: Self.lineFeed) ?? -1) + 1
        guard let end = buffer[found...].firstIndex(of: Self.lineFeed) else {
            keep(from: start)
            return nil
        }
        place = end + 1
        return buffer[start..<end]
    }

    private mutating func keep(from start: Int) {
        // No line of the log is longer.
        buffer.removeFirst(buffer.count - start > Self.longestLine ? buffer.count : start)
        place = 0
    }

    /// Reads the next piece.
    ///
    /// - Returns: how many bytes it has; `nil` at the end of the last file.
    private mutating func readOn() throws(SystemError) -> Int? {
        guard let (descriptor, offset, end) = file else {
            guard let range = ranges.popFirst() else { return nil }
            buffer = []
            do throws(SystemError) {
                file = (try Descriptor.open(range.path, O_RDONLY), range.start, range.end)
            } catch {
                // The file was the oldest, and was removed meanwhile.
                guard error.number == ENOENT else { throw error }
            }
            return 0
        }
        let piece = try descriptor.bytes(at: offset, count: Int(min(Self.pieceByteCount, end - offset)))
        if piece.isEmpty {
            // The last line may lack its line feed.
            file = nil
            buffer.append(Self.lineFeed)
        } else {
            file = (descriptor, offset + Int64(piece.count), end)
            buffer += piece
        }
        return piece.count
    }

    private func text(of line: ArraySlice<UInt8>) -> [UInt8]? {
        guard let json = try? JSON(parsing: Array(line)) else { return nil }
        let name = JSON.string(person)
        if json["actor"] == name { return Array(json.text.utf8) }
        guard json["owner"] == name else { return nil }
        return Array(JSON.object((json.members ?? []).filter { $0.key != "client" }).text.utf8)
    }
}

/// Finds bytes in others by the algorithm of Horspool (Software: Practice and Experience 10, 1980), which reads few of
/// them.
private struct ByteSearch {
    private let needle: [UInt8]
    /// How far the needle can move, by the byte at its last place.
    private let shifts: [Int]

    /// - Parameter needle: is not empty.
    init(for needle: [UInt8]) {
        self.needle = needle
        var shifts = [Int](repeating: needle.count, count: 256)
        for (index, byte) in needle.dropLast().enumerated() { shifts[Int(byte)] = needle.count - 1 - index }
        self.shifts = shifts
    }

    /// The first place, at or after `start`, at which the needle begins.
    func first(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var place = start
            while place + needle.count <= bytes.count {
                if bytes[place...].starts(with: needle) { return place }
                place += shifts[Int(bytes[place + needle.count - 1])]
            }
            return nil
        }
    }
}
